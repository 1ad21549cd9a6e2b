"""`/studies/<study>/disagreement/multiverse/`: key results under each set of exclusions."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render

from annotation.permissions import Access, Act
from annotation.views.base.downloads import file_response
from annotation.views.base.page import shown_page, study_page
from scoring.io.latex import latex_table, with_interval
from scoring.models import Report
from scoring.selectors.base.reports import latest_report, unfinished_job
from scoring.selectors.raters.multiverse import (
    FILE_COLUMNS,
    LATEX_COLUMNS,
    file_rows,
    multiverse_stale,
    world_rows,
)
from scoring.services.raters.multiverse import KIND, request_multiverse
from scoring.views.base.downloads import attachment
from scoring.views.base.page import page


@study_page(get=Act.VIEW, post=Act.VIEW)
def multiverse(request: HttpRequest, access: Access) -> HttpResponse:
    """The table, and starting its computation."""
    if request.method == "POST":
        request_multiverse(study=access.study, actor=access.user)
        return redirect("study-multiverse", slug=access.slug)
    report = latest_report(access.study, KIND)
    context = {
        **page(access, "rules"),
        "job": unfinished_job(access.study, KIND),
        "report": report,
        "stale": report is not None and multiverse_stale(access.study, report),
        "worlds": shown_page(request, world_rows(report) if report else []),
        "criteria": list(report.tables["worlds"][0]["means"]) if report else [],
    }
    return render(request, "scoring/raters/multiverse.html", context)


@study_page(get=Act.VIEW)
def download(request: HttpRequest, access: Access, pk: int, file_format: str) -> HttpResponseBase:
    """The table as `csv`, one row a figure, or as `tex`."""
    report = get_object_or_404(Report, study=access.study, pk=pk, kind=KIND)
    rows, name = file_rows(report), f"{access.slug}-multiverse-{pk}"
    if file_format == "csv":
        return file_response((FILE_COLUMNS, rows), "csv", name)
    if file_format == "tex":
        title = f"{access.study.title}: key results under each set of exclusions"
        caption = f"{title}, computed by {report.software}."
        shown = [
            row
            for row in rows
            if row["coefficient"] in {"alpha", "held_out_pearson"} and row["variant"] != "max"
        ]
        columns = with_interval(
            LATEX_COLUMNS, (figure for w in report.tables["worlds"] for figure in w["figures"])
        )
        return attachment(latex_table(columns, shown, caption), "application/x-tex", f"{name}.tex")
    raise Http404("This format does not exist.")
