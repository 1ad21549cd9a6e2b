"""`/studies/<study>/settings/texts/` and `…/delete/`: changing a draft, and deleting it."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError, InvalidContent, NotAllowedNow
from annotation.domain.base.states import TAKING_ANSWERS, StudyState
from annotation.forms.studies import DraftForm
from annotation.permissions import Access, Act
from annotation.selectors.studies.overview import studies_without_raters_of, study_counts
from annotation.services.studies.deletion import (
    cancel_deletion,
    delete_draft,
    holds_ratings,
    request_deletion,
)
from annotation.services.studies.forms import set_serving
from annotation.services.studies.lifecycle import edit_study
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import page, study_page
from annotation.views.studies.texts.open_texts import open_texts


@study_page(get=Act.EDIT, post=Act.EDIT)
def texts(request: HttpRequest, access: Access) -> HttpResponse:
    if access.study.state in TAKING_ANSWERS and not access.study.source:
        return open_texts(request, access)
    sent = request.method == "POST"
    form, refusal = DraftForm(access.study, request.POST if sent else None), ""
    if sent and form.is_valid():
        try:
            _save(access, form)
        except InvalidContent as refused:
            for name, sentence in (refused.fields or {"least_seconds": refused.message}).items():
                form.add_error(name if name in form.fields else None, translated(sentence))
        except GroundworkError as refused:
            refusal = refused.message
        else:
            messages.success(request, _("Draft saved."))
            return redirect("study-open", slug=access.slug)
    draft = access.study.state == StudyState.DRAFT
    context = {
        **page(access, "texts"),
        "form": form,
        "refusal": refusal,
        "is_draft": draft,
        "n_questions": access.study.demographic_questions.count(),
    }
    status = 409 if refusal else 422 if form.errors else 200
    return render(request, "annotation/studies/draft.html", context, status=status)


@study_page(get=Act.OWN, post=Act.OWN)
def delete(request: HttpRequest, access: Access) -> HttpResponse:
    """Delete a draft at once; any other study after a period in which it can be cancelled."""
    if access.study.state != StudyState.DRAFT or holds_ratings(access.study):
        return _delete_later(request, access)
    if request.method == "POST":
        try:
            delete_draft(study=access.study, actor=access.user)
        except NotAllowedNow as refused:
            messages.error(request, translated(refused.message))
            return redirect("study-settings", slug=access.slug)
        messages.success(request, _("Draft “%(title)s” deleted.") % {"title": access.study.title})
        return redirect("home")
    context = {**page(access, "settings"), "n_items": access.study.items.count()}
    return render(request, "annotation/studies/deletion/draft.html", context)


def _delete_later(request: HttpRequest, access: Access) -> HttpResponse:
    refusal, title = None, request.POST.get("title", "")
    if request.method == "POST":
        try:
            if "cancel" in request.POST:
                cancel_deletion(study=access.study, actor=access.user)
                messages.success(request, _("Deletion cancelled. The study stays."))
            else:
                request_deletion(study=access.study, title=title, actor=access.user)
        except GroundworkError as refused:
            refusal = refused
        else:
            return redirect("study-settings", slug=access.slug)
    context = {
        **page(access, "settings"),
        **study_counts(study=access.study),
        "refusing": studies_without_raters_of(pilot=access.study),
        "refusal": refusal and refusal.message,
        "title": title,
        "days": settings.STUDY_DELETION_DAYS,
        "running": access.study.state in TAKING_ANSWERS,
    }
    status = 200 if refusal is None else 422 if isinstance(refusal, InvalidContent) else 409
    return render(request, "annotation/studies/deletion/study.html", context, status=status)


def _save(access: Access, form: DraftForm) -> None:
    with transaction.atomic():
        edit_study(study=access.study, actor=access.user, **form.texts())
        for served, overlap, per_rater in form.serving():
            set_serving(form=served, overlap=overlap, per_rater=per_rater, actor=access.user)
