"""`/studies/<study>/settings/forms/`: forms, criteria, scales, rubrics, a preview, and stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.domain.base.states import StudyState
from annotation.domain.base.text_validation import suggest_name
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import kinds_by_yield
from annotation.forms.form_document import (
    LONGEST_KEY,
    changed,
    document_from,
    field_of,
    new_form,
    with_named,
    with_names,
    without_plain_ends,
)
from annotation.forms.scale_presets import PRESETS
from annotation.forms.stages import StageForm
from annotation.io.studies.definitions import checked_form
from annotation.models import Criterion, Form, FormVersion
from annotation.permissions import Access, Act
from annotation.protocols.definition_forms import form_template
from annotation.selectors.base.item_search import item_columns
from annotation.selectors.quality.study_texts import labelled_texts
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.questions.wording_change import WordingChange
from annotation.selectors.studies.definition import form_as_document
from annotation.selectors.studies.form_preview import NO_TEXT, preview_of
from annotation.selectors.studies.version_history import version_history
from annotation.services.studies.form_editing import (
    add_form,
    change_form,
    move_form,
    preview_change,
    remove_form,
)
from annotation.services.studies.stage_setup import set_feed
from annotation.services.studies.version_pooling import pool_with_previous, separate_from_previous
from annotation.views.base.page import page, refusal_shown, study_page
from annotation.views.rating.media.addresses import with_own_addresses

Document = dict[str, Any]
# The others are sent after the page has shown how the change affects the statistics.
SAVING = ("save", "save-correction", "save-version")
ROLES = {
    "figure": gettext_lazy("large text"),
    "literal": gettext_lazy("small text"),
    "text": gettext_lazy("plain text"),
    "options": gettext_lazy("options of a criterion"),
    "side": gettext_lazy("one of the candidates"),
    "markdown": gettext_lazy("formatted text (Markdown)"),
    "image": gettext_lazy("picture (name of a media file)"),
    "audio": gettext_lazy("recording (name of a media file)"),
    "video": gettext_lazy("video (name of a media file)"),
}


def _compares(version: FormVersion) -> bool:
    """Whether a question of a form compares two texts."""
    return any(one.question_kind.yields is Yields.PREFERENCE for one in version.criteria.all())


@study_page(get=Act.VIEW)
def forms(request: HttpRequest, access: Access) -> HttpResponse:
    versions = form_versions(study=access.study)
    context = {
        **page(access, "forms"),
        "versions": versions,
        "comparing": {one.form.key for one in versions if _compares(one)},
        "is_draft": access.study.state == StudyState.DRAFT,
        "may_change": _may_change(access),
    }
    return render(request, "annotation/studies/forms.html", context)


@study_page(get=Act.EDIT, post=Act.EDIT)
def new_form_page(request: HttpRequest, access: Access) -> HttpResponse:
    earlier = access.study.forms.count()
    title = "" if earlier else access.study.title
    document = document_from(request.POST) if request.method == "POST" else new_form(title)
    if request.POST.get("act") in SAVING:
        suggested = suggest_name(document["title"], LONGEST_KEY) or f"form-{earlier + 1}"
        document["key"] = document["key"] or suggested
    return _editor(request, access, document, None)


@study_page(get=Act.EDIT, post=Act.EDIT)
def form_page(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    form = get_object_or_404(Form, study=access.study, key=key)
    if request.method == "POST":
        if access.study.state != StudyState.DRAFT:
            access.require(Act.MANAGE)
        return _editor(request, access, {**document_from(request.POST), "key": key}, form)
    newest = (
        form.versions.prefetch_related("criteria__points")
        .select_related("form")
        .latest("number", "correction")
    )
    return _editor(request, access, without_plain_ends(form_as_document(newest)), form)


@study_page(get=Act.VIEW, post=Act.MANAGE)
def versions(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    form = get_object_or_404(Form, study=access.study, key=key)
    refusal = ""
    if request.method == "POST":
        try:
            _pool(request, access, form)
        except GroundworkError as refused:
            refusal = refused.message
        else:
            return redirect("study-form-versions", slug=access.slug, key=key)
    context = {
        **page(access, "forms"),
        "form": form,
        "steps": version_history(form),
        "may_pool": access.may_manage and not access.study.source,
        "refusal": refusal,
    }
    status = 422 if refusal else 200
    return render(request, "annotation/studies/texts/form_versions.html", context, status=status)


def _pool(request: HttpRequest, access: Access, form: Form) -> None:
    sent = request.POST.get("version", "")
    version = get_object_or_404(form.versions, pk=int(sent) if sent.isdecimal() and len(sent) < 19 else 0)
    given: dict[str, Any] = {
        "version": version,
        "reason": request.POST.get("reason", ""),
        "actor": access.user,
    }
    if request.POST.get("act") == "pool":
        pool_with_previous(**given)
        messages.success(request, _("Versions pooled. Reports must be computed again."))
    else:
        separate_from_previous(**given)
        messages.success(request, _("Versions separated. Reports must be computed again."))


@study_page(post=Act.EDIT)
def place(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    form = get_object_or_404(Form, study=access.study, key=key)
    act = request.POST.get("act", "")
    with refusal_shown(request):
        if act == "remove":
            remove_form(form=form, actor=access.user)
            messages.success(request, _("Form “%(title)s” removed.") % {"title": form.title})
        elif act in {"up", "down"}:
            move_form(form=form, earlier=act == "up", actor=access.user)
        else:
            raise Http404("There is no such act.")
    return redirect("study-forms", slug=access.slug)


@study_page(get=Act.EDIT, post=Act.EDIT)
def stage(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    fed = get_object_or_404(Form.objects.select_related("study"), study=access.study, key=key)
    form, refusal = StageForm(fed, request.POST if request.method == "POST" else None), ""
    if form.is_bound and form.is_valid():
        try:
            set_feed(form=fed, feed=form.feed(), actor=access.user)
        except GroundworkError as refused:
            refusal = refused.message
        else:
            messages.success(request, _("Stage saved."))
            return redirect("study-forms", slug=access.slug)
    context = {
        **page(access, "forms"),
        "form": form,
        "fed": fed,
        "refusal": refusal,
        "is_draft": access.study.state == StudyState.DRAFT,
    }
    status = 409 if refusal else 422 if form.errors else 200
    return render(request, "annotation/studies/stage.html", context, status=status)


@dataclass(frozen=True)
class _Unsaved:
    """Why a form was not saved: a change to be confirmed, problems by field, or a refusal."""

    change: WordingChange | None = None
    problems: Mapping[str, str] = field(default_factory=dict)
    refusal: str = ""


def _editor(request: HttpRequest, access: Access, document: Document, form: Form | None) -> HttpResponse:
    """The page with the current fields: saved, changed part by part, or shown."""
    act, more = request.POST.get("act", ""), request.POST.get("more_criteria", "")
    if more.strip() and act in {"add-criterion", *SAVING}:
        document, act, more = with_named(document, more), "" if act == "add-criterion" else act, ""
    unsaved: _Unsaved | None = None
    if act in SAVING:
        unsaved = _save(request, access, document, form)
        if unsaved is None:
            messages.success(request, _("Form saved."))
            is_draft = access.study.state == StudyState.DRAFT
            return redirect("study-open" if is_draft else "study-forms", slug=access.slug)
    elif act != "preview":
        document = changed(document, act)
    unsaved = unsaved or _Unsaved()
    change, preview = unsaved.change, _preview(access, document)
    problems = _located(unsaved.problems or preview["problems"]) if request.method == "POST" else []
    columns, metadata = item_columns(access.study)
    context = {
        **page(access, "forms"),
        **preview,
        "document": document,
        "more_criteria": more,
        "stored_keys": _stored_keys(form),
        "focus": _focus(problems, document, form) if act in {"", *SAVING} else "",
        "stored": form,
        "change": change,
        "changed_texts": labelled_texts(change.texts, document) if change else [],
        "reason": request.POST.get("reason", ""),
        "refusal": unsaved.refusal,
        "problems": problems,
        "wrong": _by_field(problems) if act in SAVING else {},
        "kinds": [(kind.key, _(kind.title)) for kind in kinds_by_yield()],
        "roles": list(ROLES.items()),
        "presets": [(key, preset.title) for key, preset in PRESETS.items()],
        "item_columns": columns,
        "metadata_columns": metadata,
        "is_draft": access.study.state == StudyState.DRAFT,
        "may_change": _may_change(access),
    }
    live = act == "preview" and request.headers.get("HX-Request") == "true"
    template = (
        "annotation/studies/preview/rating_page.html" if live else "annotation/studies/form_editor.html"
    )
    status = 422 if act in SAVING and change is None else 200
    return render(request, template, context, status=status)


def _stored_keys(form: Form | None) -> set[str]:
    """Keys of the criteria that are stored, which a new name does not change."""
    return set(Criterion.objects.filter(version__form=form).values_list("key", flat=True)) if form else set()


def _focus(problems: Sequence[Mapping[str, str]], document: Document, form: Form | None) -> str:
    """The field on which the page starts: the first wrong one, or the first empty one of a new form."""
    if problems:
        return problems[0]["field"]
    if form is not None:
        return ""
    return "criterion-0-name" if document["title"] else "title"


def _save(request: HttpRequest, access: Access, document: Document, form: Form | None) -> _Unsaved | None:
    """Save the form; return what to show if it is not saved or needs confirmation, else None."""
    try:
        if form and request.POST.get("act") == "save":
            change = preview_change(form=form, document=document)
            if change is not None:
                return _Unsaved(change=change)
        _store(request, access, document, form)
    except InvalidContent as refused:
        return _Unsaved(problems=refused.fields, refusal="" if refused.fields else refused.message)
    except GroundworkError as refused:
        return _Unsaved(refusal=refused.message)
    return None


def _store(request: HttpRequest, access: Access, document: Document, form: Form | None) -> None:
    if form is None:
        add_form(study=access.study, document=document, actor=access.user)
    else:
        change_form(
            form=form,
            document=document,
            actor=access.user,
            correction=request.POST.get("act") == "save-correction",
            reason=request.POST.get("reason", ""),
        )


def _preview(access: Access, document: Document) -> Document:
    """The rating page of the study's first item; its problems instead if the form is not valid."""
    try:
        read = checked_form(with_names(document, _("New form"), _("Criterion %(n)d")))
    except InvalidContent as refusal:
        return {"problems": refusal.fields, "criteria": []}
    shown = preview_of(access.study, form_template(read), _(NO_TEXT))
    blocks = with_own_addresses(
        shown["blocks"], lambda file: reverse("study-media-file", args=[access.slug, file.pk])
    )
    return {"problems": {}, **shown, "blocks": blocks}


def _located(problems: Mapping[str, str]) -> list[dict[str, str]]:
    """Problems as rows with their path in the form and the field of the page."""
    return [{"path": path, "field": field_of(path), "message": text} for path, text in problems.items()]


def _by_field(problems: list[dict[str, str]]) -> dict[str, list[str]]:
    """What is wrong with each field, by its name."""
    wrong: dict[str, list[str]] = {}
    for one in problems:
        wrong.setdefault(one["field"], []).append(one["message"])
    return wrong


def _may_change(access: Access) -> bool:
    running = access.study.state in {StudyState.OPEN, StudyState.PAUSED} and access.may_manage
    return not access.study.source and (access.study.state == StudyState.DRAFT or running)
