"""`/studies/<study>/planner/generalisability/`: variance components, coefficients and D studies."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render

from annotation.permissions import Access, Act
from annotation.views.base.page import study_page
from scoring.models import Report
from scoring.selectors.agreement.generalisability import (
    KIND,
    TABLES,
    file_rows,
    latest_analyses,
    publishable_sentence,
    reports_of,
    sets_of,
    shown_analysis,
)
from scoring.selectors.base.reports import unfinished_job
from scoring.selectors.data.staleness import is_stale
from scoring.services.agreement.generalisability import request_generalisability
from scoring.views.base.downloads import table_file, tables_file
from scoring.views.base.page import page


@study_page(get=Act.VIEW, post=Act.VIEW)
def generalisability(request: HttpRequest, access: Access) -> HttpResponse:
    """The analysis of one criterion or of several together, and starting the computation of all."""
    study = access.study
    if request.method == "POST":
        request_generalisability(study=study, actor=access.user)
        return redirect("study-generalisability", slug=access.slug)
    report = latest_analyses(study)
    context = {
        **page(access, "planning", "generalisability"),
        "report": report,
        "job": unfinished_job(study, KIND),
    }
    if report:
        context |= {"stale": is_stale(study, report), "downloads": TABLES}
        context |= _chosen(report, request.GET.get("criterion", ""))
    return render(request, "scoring/generalisability/generalisability.html", context)


def _chosen(report: Report, asked: str) -> dict[str, object]:
    sets = sets_of(report)
    chosen = asked or sets[0]["criterion"]
    if chosen not in {one_set["criterion"] for one_set in sets}:
        raise Http404("The report has no such criterion.")
    analysis = shown_analysis(report, chosen)
    refusal = next((one for one in report.tables["refused"] if one["criterion"] == chosen), None)
    found = {"sets": sets, "chosen": chosen, "analysis": analysis, "refusal": refusal}
    return found | ({"publishable": publishable_sentence(report, analysis)} if analysis else {})


@study_page(get=Act.VIEW)
def download(request: HttpRequest, access: Access, pk: int, what: str, file_format: str) -> HttpResponseBase:
    """A table of all criteria as `csv` or `tex`, or `report` as `json`."""
    report = get_object_or_404(reports_of(access.study), pk=pk)
    name = f"{access.slug}-{what}-{pk}"
    if (what, file_format) == ("report", "json"):
        return tables_file(report, name)
    if what not in TABLES:
        raise Http404("There is no such table.")
    caption = f"{access.study.title}: {what.replace('-', ' ')}, generalisability by restricted likelihood."
    return table_file(
        TABLES[what],
        file_rows(report, what),
        file_format,
        name=name,
        caption=caption,
        only_in_csv=frozenset({"confidence"}),
    )
