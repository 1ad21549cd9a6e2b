"""`/studies/<study>/definition/`, `/studies/new/definition/`: export, import, copies."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import StudyState
from annotation.forms.new_study import CopyForm, DefinitionForm, MainStudyForm
from annotation.io.base.strict_documents import FORMATS, MOST_BYTES, write_document
from annotation.io.studies.definitions import read_definition
from annotation.models import User
from annotation.permissions import Access, Act
from annotation.selectors.studies.definition import definition_of
from annotation.services.studies.definitions import CreatedDraft, copy_study, create_from_definition
from annotation.services.studies.lifecycle import free_slug
from annotation.services.studies.pilots.main_study import MainItems, create_main_study
from annotation.templatetags.rater_words import translated
from annotation.views.base.downloads import as_file
from annotation.views.base.page import file_page, page, study_page

LONGEST_COPIED = 180
CONTENT_TYPES = {"yaml": "application/yaml", "json": "application/json"}


@study_page(get=Act.VIEW, post=Act.VIEW)
def definition(request: HttpRequest, access: Access) -> HttpResponse:
    asked = request.POST if request.method == "POST" else None
    main = asked is not None and asked.get("act") == "main"
    suggested = _("%(title)s (copy)") % {"title": access.study.title[:LONGEST_COPIED]}
    form = CopyForm(None if main else asked, initial={"title": suggested})
    suggested = _("%(title)s (main study)") % {"title": access.study.title[:LONGEST_COPIED]}
    main_form = MainStudyForm(asked if main else None, prefix="main", initial={"title": suggested})
    refusal = ""
    if main:
        access.require(Act.EDIT)
        if main_form.is_valid():
            try:
                return _made(request, _main_study(access, main_form))
            except GroundworkError as refused:
                refusal = refused.message
    if form.is_bound and form.is_valid():
        title = form.cleaned_data["title"]
        try:
            made = copy_study(
                study=access.study,
                slug=free_slug(title=title),
                title=title,
                owner=access.user,
                with_items=form.cleaned_data["with_items"],
                with_pay=access.may_manage,
            )
        except GroundworkError as refused:
            refusal = refused.message
        else:
            return _made(request, made)
    context = {
        **page(access, "definition"),
        "form": form,
        "main_form": main_form,
        "may_begin_main": _is_pilot(access),
        "refusal": refusal,
        "is_main": main,
        "formats": FORMATS,
    }
    status = 422 if form.errors or main_form.errors or refusal else 200
    return render(request, "annotation/studies/definition.html", context, status=status)


def _is_pilot(access: Access) -> bool:
    """Whether a main study can be created from a study."""
    return access.study.state != StudyState.DRAFT and not access.study.source and access.may(Act.EDIT)


def _main_study(access: Access, form: MainStudyForm) -> CreatedDraft:
    given = form.cleaned_data
    return create_main_study(
        pilot=access.study,
        slug=free_slug(title=given["title"]),
        title=given["title"],
        owner=access.user,
        items=MainItems(given["items"]),
        refuse_raters=given["refuse_raters"],
        with_pay=access.may_manage,
    )


@study_page(get=Act.VIEW)
def download(request: HttpRequest, access: Access, file_format: str) -> HttpResponse:
    if file_format not in FORMATS:
        raise Http404("There is no such format.")
    text = write_document(definition_of(access.study, with_pay=access.may_manage), file_format=file_format)
    response = HttpResponse(text, content_type=f"{CONTENT_TYPES[file_format]}; charset=utf-8")
    return as_file(response, f"{access.slug}-definition.{file_format}")


@file_page
def from_definition(request: HttpRequest) -> HttpResponse:
    sent = request.method == "POST"
    form = DefinitionForm(request.POST if sent else None, request.FILES if sent else None)
    refusal: GroundworkError | None = None
    if sent and form.is_valid() and isinstance(request.user, User):
        file = form.cleaned_data["file"]
        try:
            read = read_definition(file.read(MOST_BYTES + 1), name=file.name)
            title = form.cleaned_data["title"] or read["study"]["title"]
            made = create_from_definition(
                definition=read, slug=free_slug(title=title), title=title, owner=request.user
            )
        except GroundworkError as refused:
            refusal = refused
        else:
            return _made(request, made)
    context = {"form": form, "refusal": refusal}
    status = 422 if form.errors or refusal else 200
    return render(request, "annotation/studies/from_definition.html", context, status=status)


def _made(request: HttpRequest, made: CreatedDraft) -> HttpResponse:
    messages.success(request, _("Draft “%(title)s” created.") % {"title": made.study.title})
    for one in made.left_out:
        messages.warning(
            request,
            _("Not imported: %(what)s. Set it up after you import the items.") % {"what": translated(one)},
        )
    return redirect("study-settings", slug=made.study.slug)
