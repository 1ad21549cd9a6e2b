"""`/studies/<study>/planner/` and `/heat-map/`: planning the next study, and items that cross two factors."""

from __future__ import annotations

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.text import slugify

from annotation.permissions import Access, Act
from annotation.views.base.page import study_page
from scoring.io.charts.heat_maps import heat_map
from scoring.models import Report
from scoring.selectors.agreement.generalisability import latest_analyses, sets_of, shown_analysis
from scoring.selectors.agreement.planner import crossed_table, plan_page
from scoring.selectors.base.reports import latest_report
from scoring.selectors.data.staleness import is_stale
from scoring.services.reports.reliability import KIND
from scoring.views.base.downloads import figure_file
from scoring.views.base.page import page


@study_page(get=Act.VIEW)
def planner(request: HttpRequest, access: Access) -> HttpResponse:
    context = page(access, "planning")
    report = latest_report(access.study, KIND)
    shown = plan_page(report, request.GET.dict(), context["names"])
    analyses = latest_analyses(access.study)
    context |= {"shown": shown, "has_report": report is not None}
    if analyses:
        # The criterion that is planned for, or the first.
        first = sets_of(analyses)[0]["criterion"]
        context["analysis"] = shown_analysis(analyses, shown.criterion or first)
        context["stale"] = is_stale(access.study, analyses)
    return render(request, "scoring/agreement/planner.html", context)


@study_page(get=Act.VIEW)
def crossed(request: HttpRequest, access: Access) -> HttpResponse:
    report = latest_report(access.study, KIND)
    table = crossed_table(report, request.GET.get("criterion", "")) if report else {}
    return render(
        request,
        "scoring/agreement/crossed.html",
        {**page(access, "reliability"), "table": table, "report": report},
    )


@study_page(get=Act.VIEW)
def crossed_download(request: HttpRequest, access: Access, pk: int, file_format: str) -> HttpResponse:
    report = get_object_or_404(Report, study=access.study, pk=pk, kind=KIND)
    table = crossed_table(report, request.GET.get("criterion", ""))
    if not table:
        raise Http404("This chart does not exist.")
    values = [[cell["mean"] for cell in row["cells"]] for row in table["rows"]]
    draw = partial(heat_map, [row["label"] for row in table["rows"]], table["columns"], values)
    return figure_file(request, f"{access.slug}-{slugify(table['criterion'])}", file_format, draw)
