"""`/studies/<study>/settings/texts/` of an open or paused study: title, description, instructions."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.questions.text_languages import is_same_text
from annotation.forms.studies import DraftForm, OpenTextsForm
from annotation.permissions import Access, Act
from annotation.selectors.quality.study_texts import labelled_texts
from annotation.services.studies.texts.open_texts import (
    CHANGEABLE,
    TextsPreview,
    change_open_texts,
    preview_texts,
    texts_digest,
)
from annotation.views.base.page import page

MEANINGS = {"save-correction": True, "save-version": False}


def open_texts(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the texts; save them, or show first what changed instructions do to the statistics."""
    if request.method != "POST":
        return _page(request, access, OpenTextsForm(access.study))
    access.require(Act.MANAGE)
    form = OpenTextsForm(access.study, request.POST)
    if not form.is_valid():
        return _page(request, access, form)
    try:
        effects = preview_texts(study=access.study, **form.given())
        meaning = MEANINGS.get(request.POST.get("act", ""))
        if effects.forms and meaning is None:
            return _page(request, access, form, effects=effects)
        change_open_texts(
            study=access.study,
            actor=access.user,
            correction=meaning,
            reason=request.POST.get("reason", ""),
            seen=request.POST.get("seen", ""),
            **form.given(),
        )
    except GroundworkError as refusal:
        return _page(request, access, form, refusal=refusal)
    messages.success(request, _("Texts saved. Raters see them from their next page on."))
    return redirect("study-texts", slug=access.slug)


def _page(
    request: HttpRequest,
    access: Access,
    form: OpenTextsForm,
    *,
    effects: TextsPreview | None = None,
    refusal: GroundworkError | None = None,
) -> HttpResponse:
    rest = DraftForm(access.study)
    for name in CHANGEABLE:
        del rest.fields[name]
    meanwhile = refusal is not None and refusal.code == "texts_changed"
    changed = labelled_texts(effects.instructions, {"criteria": ()}) if effects else []
    context: dict[str, Any] = {
        **page(access, "texts"),
        "form": form,
        "rest": rest,
        "effects": effects,
        "changed_texts": _differences(form) if meanwhile else changed,
        "reason": request.POST.get("reason", ""),
        "seen": texts_digest(access.study) if meanwhile or not request.POST else request.POST.get("seen", ""),
        "refusal": refusal.message if refusal else "",
        "n_questions": access.study.demographic_questions.count(),
    }
    status = 200
    if refusal is not None:
        status = 422 if isinstance(refusal, InvalidContent) else 409
    elif form.errors:
        status = 422
    return render(request, "annotation/studies/texts/open_texts.html", context, status=status)


def _differences(form: OpenTextsForm) -> list[dict[str, str]]:
    """The texts that are stored now, each with what was typed instead."""
    return [
        {"label": str(field.label), "before": str(field.initial), "after": form.cleaned_data[name]}
        for name, field in form.fields.items()
        if not is_same_text(str(field.initial), form.cleaned_data[name])
    ]
