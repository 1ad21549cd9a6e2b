"""`/studies/new/`: a draft from a protocol or a blank draft, with or without items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import FileProblem, FileRefused, GroundworkError
from annotation.domain.base.messages import from_stored
from annotation.forms.base import isolated
from annotation.forms.new_study import BLANK, LONGEST_PASTED, NewStudyForm
from annotation.io.base.readers import ending_of
from annotation.io.items.pasted_rows import file_from_pasted
from annotation.models import Study, Upload, User
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.translations.tables import ENGLISH
from annotation.selectors.studies.form_preview import NO_TEXT
from annotation.selectors.studies.new_study_preview import Sample, preview_of_copy, preview_of_protocol
from annotation.selectors.studies.study_list import copyable_studies, has_twin
from annotation.services.base.uploads.receiving import outcome_of
from annotation.services.studies.new_study import COPY_OF, begin_study
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import file_page, person
from annotation.views.base.uploads import (
    items_added,
    listed_uploads,
    receive_on_page,
    report_encoding,
    sent_upload,
    still_reading,
)

# Files of text, of which the page sends the first rows.
SAMPLED = (".csv", ".tsv", ".jsonl")


@file_page
def new_study(request: HttpRequest) -> HttpResponse:
    if request.POST.get("act") == "preview":
        return _preview(request)
    sent = request.method == "POST"
    chosen = {"protocol": request.GET.get("protocol") or next(iter(TEMPLATES)), "language": ENGLISH}
    studies = copyable_studies(person(request))
    form = NewStudyForm(
        request.POST if sent else None, request.FILES if sent else None, initial=chosen, studies=studies
    )
    upload = sent_upload(request, "new_study")
    problems: list[FileProblem] = []
    if (sent and form.is_valid() and isinstance(request.user, User)) or upload is not None:
        try:
            upload = upload or _receive(request, form)
            if upload is not None and (waiting := still_reading(request, upload)):
                return waiting
            study = _made(request, upload) if upload else _begun(request, form)
            if upload is not None and (read := outcome_of(upload)).get("file"):
                report_encoding(request, read["encoding"])
                return redirect("study-import-file", slug=study.slug, pk=read["file"])
            if not study.forms.exists():
                return redirect("study-form-new", slug=study.slug)
            return redirect("study-open" if study.items.exists() else "study-import", slug=study.slug)
        except FileRefused as refusal:
            problems = refusal.problems
            form = _given_again(form, upload, studies)
            form.add_error("items", _("Import failed. Nothing was saved. The errors are listed below."))
        except GroundworkError as refusal:
            form = _given_again(form, upload, studies)
            form.add_error("items", translated(refusal.message))
    others = [row for row in listed_uploads(person(request)) if row[0].upload != upload]
    context = {"form": form, "problems": problems, "own_uploads": others}
    fields = ("protocol", "apart", "pasted", "language")
    chosen = {name: form.data.get(name) or form.initial.get(name) or "" for name in fields}
    shown = _rating_page(chosen, person(request))
    status = 422 if form.errors else 200
    return render(request, "annotation/studies/new_study.html", {**context, **shown}, status=status)


def _preview(request: HttpRequest) -> HttpResponse:
    """The rating page for the current fields: alone for htmx, otherwise next to the fields."""
    shown = _rating_page(request.POST.dict(), person(request))
    if request.headers.get("HX-Request") == "true":
        return render(request, "annotation/studies/preview/new_study.html", shown)
    form = NewStudyForm(initial=request.POST.dict(), studies=copyable_studies(person(request)))
    context = {"form": form, "own_uploads": listed_uploads(person(request)), **shown}
    return render(request, "annotation/studies/new_study.html", context)


def _rating_page(posted: Mapping[str, str], user: User) -> dict[str, Any]:
    """The rating page for the fields of the page; empty if no form is chosen yet."""
    chosen, sample = posted.get("protocol", ""), _sample(posted)
    if chosen in TEMPLATES:
        return preview_of_protocol(
            chosen,
            separate_criteria=bool(posted.get("apart")),
            sample=sample,
            language=posted.get("language") or ENGLISH,
        )
    slug = chosen.removeprefix(COPY_OF)
    if not chosen.startswith(COPY_OF) or slug not in dict(copyable_studies(user)):
        return {}
    return preview_of_copy(Study.objects.get(slug=slug), sample=sample, no_text=_(NO_TEXT))


def _sample(posted: Mapping[str, str]) -> Sample | None:
    pasted, rows, name = (posted.get(field, "") for field in ("pasted", "sample", "sample_name"))
    if pasted.strip():
        return file_from_pasted(pasted) if len(pasted) <= LONGEST_PASTED else None
    is_readable = bool(rows.strip()) and len(rows) <= LONGEST_PASTED and ending_of(name) in SAMPLED
    return (name, rows) if is_readable else None


def _asked(form: NewStudyForm) -> dict[str, Any]:
    given = form.cleaned_data
    protocol = "" if given["protocol"] == BLANK else given["protocol"]
    return {
        **{key: given[key] for key in ("title", "overlap", "demo", "apart")},
        "protocol": protocol,
        "language": given["language"] or ENGLISH,
    }


def _receive(request: HttpRequest, form: NewStudyForm) -> Upload | None:
    """The sent file of items, or the file of the pasted rows; None without either."""
    file = form.items_file()
    return receive_on_page(request, act="new_study", file=file, options=_asked(form)) if file else None


def _begun(request: HttpRequest, form: NewStudyForm) -> Study:
    made = begin_study(owner=person(request), asked=_asked(form))
    _report_doubts(request, made.study, made.left_out)
    return made.study


def _made(request: HttpRequest, upload: Upload) -> Study:
    outcome = outcome_of(upload)
    study = Study.objects.get(slug=outcome["study"])
    if not outcome.get("file"):
        messages.success(request, items_added(outcome["stored"], upload.name, study))
    _report_doubts(request, study, [from_stored(one) for one in outcome.get("left_out", ())])
    return study


def _report_doubts(request: HttpRequest, study: Study, left_out: Sequence[str]) -> None:
    if has_twin(study, person(request)):
        messages.warning(
            request,
            _("You have another study with the title “%(title)s”.") % {"title": isolated(study.title)},
        )
    for one in left_out:
        sentence = _("Not copied: %(what)s. Set it up when the study has items.")
        messages.warning(request, sentence % {"what": translated(one)})


def _given_again(
    form: NewStudyForm, upload: Upload | None, studies: Sequence[tuple[str, str]]
) -> NewStudyForm:
    """The form with what was sent, also where its sender had to wait for the file."""
    if not form.is_bound and upload is not None:
        given = {**upload.options, "protocol": upload.options["protocol"] or BLANK}
        form = NewStudyForm(given, studies=studies)
    form.is_valid()
    return form
