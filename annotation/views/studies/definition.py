"""`/studies/<study>/definition/`, `/studies/new/definition/`: export, import, copies."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError
from annotation.forms.new_study import CopyForm, DefinitionForm
from annotation.io.base.strict_documents import FORMATS, MOST_BYTES, write_document
from annotation.io.studies.definitions import read_definition
from annotation.models import User
from annotation.permissions import Access, Act
from annotation.selectors.studies.definition import definition_of
from annotation.services.studies.definitions import CreatedDraft, copy_study, create_from_definition
from annotation.services.studies.lifecycle import free_slug
from annotation.templatetags.rater_words import translated
from annotation.views.base.downloads import as_file
from annotation.views.base.page import file_page, page, study_page

LONGEST_COPIED = 180
CONTENT_TYPES = {"yaml": "application/yaml", "json": "application/json"}


@study_page(get=Act.VIEW, post=Act.VIEW)
def definition(request: HttpRequest, access: Access) -> HttpResponse:
    suggested = _("%(title)s (copy)") % {"title": access.study.title[:LONGEST_COPIED]}
    form = CopyForm(request.POST if request.method == "POST" else None, initial={"title": suggested})
    refusal = ""
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
    context = {**page(access, "definition"), "form": form, "refusal": refusal, "formats": FORMATS}
    return render(
        request, "annotation/studies/definition.html", context, status=422 if form.errors or refusal else 200
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
