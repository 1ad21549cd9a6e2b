"""`/studies/<study>/scores/import/`: upload a file, assign its columns, check it, import it by a job."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.base.errors import FileProblem, FileRefused, GroundworkError, InvalidContent
from annotation.forms.new_study import TABLE_FILES
from annotation.models import ImportFile
from annotation.permissions import Access, Act
from annotation.services.base.pending_uploads import rows_of, set_columns
from annotation.services.base.uploads.receiving import outcome_of
from annotation.views.base.downloads import file_response
from annotation.views.base.page import study_page
from annotation.views.base.uploads import receive_on_page, sent_upload, still_reading
from scoring.io.score_columns import ITEM, METRIC, Rows, scores_by
from scoring.services.metrics.score_files import (
    ImportSettings,
    check_scores,
    request_import,
    run_name,
)
from scoring.views.base.page import page

SHOWN_ROWS, SHOWN_VALUES, SHOWN_PROBLEMS = 5, 3, 100
LONGEST_SHOWN = 160
USES = [
    (ITEM, gettext_lazy("Item ID")),
    (METRIC, gettext_lazy("Metric with name")),
    ("", gettext_lazy("Do not import")),
]


class FileForm(forms.Form):
    file = forms.FileField()


@study_page(get=Act.EDIT, post=Act.EDIT, files=True)
def upload(request: HttpRequest, access: Access) -> HttpResponse:
    """Upload a file, which is stored until its columns are assigned."""
    context: dict[str, Any] = {**page(access, "scores"), "endings": TABLE_FILES, "refusal": ""}
    upload = sent_upload(request, "scores")
    form = FileForm(request.POST, request.FILES)
    if request.method != "POST" and upload is None:
        return render(request, "scoring/metrics/score_upload.html", context)
    if upload is None and not form.is_valid():
        context["refusal"] = _("Choose a file that contains data.")
        return render(request, "scoring/metrics/score_upload.html", context, status=422)
    try:
        if upload is None:
            file = form.cleaned_data["file"]
            upload = receive_on_page(request, act="scores", file=file, study=access.study)
        if waiting := still_reading(request, upload):
            return waiting
        return redirect("study-scores-file", slug=access.slug, pk=outcome_of(upload)["file"])
    except FileRefused as refusal:
        context |= {"refusal": _("The file could not be read."), "problems": refusal.problems}
    except GroundworkError as refusal:
        context["refusal"] = refusal.message
    return render(request, "scoring/metrics/score_upload.html", context, status=422)


@study_page(get=Act.EDIT, post=Act.EDIT)
def columns(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """What the columns are, a preview, and the import."""
    file = get_object_or_404(ImportFile, pk=pk, study=access.study, what=ImportFile.SCORES)
    rows, sent = rows_of(file), request.method == "POST"
    mapping = _posted(file, request.POST) if sent else file.mapping
    run = request.POST.get("run", "") if sent else run_name(file)
    asked = ImportSettings(mapping, run, "replace" in request.POST, "skip" in request.POST)
    problems = [] if sent else [FileProblem.from_stored({"file": file.name, **one}) for one in file.problems]
    context: dict[str, Any] = {"refusal": "", "checked": None}
    status = 200
    try:
        if sent and request.POST.get("act") == "import":
            job = request_import(file=file, asked=asked, actor=access.user)
            return redirect("job", pk=job.pk)
        if sent:
            context["checked"] = check_scores(file=file, mapping=mapping)
            problems = context["checked"].problems
    except FileRefused as refusal:
        problems, status = refusal.problems, 422
        context["refusal"] = _(
            "Import failed. Nothing was saved. Correct the rows below or skip rows with errors."
        )
    except GroundworkError as refusal:
        context["refusal"] = refusal.message
        status = 422 if isinstance(refusal, InvalidContent) else 409
    context |= {
        **page(access, "scores"),
        "file": file,
        "asked": asked,
        "rows": [_row(position, column, mapping, rows) for position, column in enumerate(file.columns)],
        "uses": USES,
        **_preview(rows, mapping),
        "problems": problems[:SHOWN_PROBLEMS],
        "n_bad": len({problem.row for problem in problems}),
    }
    return render(request, "scoring/metrics/score_file.html", context, status=status)


@study_page(get=Act.EDIT)
def problems_file(request: HttpRequest, access: Access, pk: int) -> HttpResponseBase:
    """What is wrong with which row, as a table to work through."""
    file = get_object_or_404(ImportFile, pk=pk, study=access.study, what=ImportFile.SCORES)
    try:
        found = check_scores(file=file, mapping=file.mapping).problems
    except InvalidContent:
        found = [FileProblem.from_stored({"file": file.name, **one}) for one in file.problems]
    names = ("row", "column", "code", "message")
    table = ({name: getattr(problem, name) for name in names} for problem in found)
    return file_response((names, table), "csv", f"{access.slug}-scores-{file.pk}-problems")


def _posted(file: ImportFile, posted: QueryDict) -> dict[str, str]:
    """The mapping that a page sent, stored for the file of problems."""
    mapping = {}
    for position, column in enumerate(file.columns):
        use = posted.get(f"use-{position}", "")
        name = posted.get(f"name-{position}", "").strip().replace("\x00", "") or column
        mapping[column] = f"{METRIC}{name}" if use == METRIC else use if use == ITEM else ""
    set_columns(file=file, mapping=mapping)
    return mapping


def _preview(rows: Rows, mapping: dict[str, str]) -> dict[str, Any]:
    if ITEM not in mapping.values():
        return {"metrics": [], "preview": []}
    shown = [(key, list(cells.values())) for _, key, cells in scores_by(rows[:SHOWN_ROWS], mapping)]
    metrics = [use.removeprefix(METRIC) for use in mapping.values() if use.startswith(METRIC)]
    return {"metrics": metrics, "preview": shown if metrics else []}


def _row(position: int, column: str, mapping: dict[str, str], rows: Rows) -> dict[str, Any]:
    use = mapping.get(column, "")
    kind = METRIC if use.startswith(METRIC) else use
    values = [str(row.get(column, ""))[:LONGEST_SHOWN] for _, row in rows[:SHOWN_VALUES]]
    return {
        "place": position,
        "column": column,
        "values": [value for value in values if value],
        "kind": kind,
        "name": use.removeprefix(METRIC) if kind == METRIC else "",
    }
