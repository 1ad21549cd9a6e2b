"""`/studies/<study>/planner/` and `/heat-map/`: planning the next study, and items that cross two factors."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.permissions import Act, study_access
from annotation.views.base.page import page
from scoring.io.plots import FORMATS, heat_map
from scoring.models import Report
from scoring.selectors.agreement.crossed import crossed_table
from scoring.selectors.agreement.planner import plan_page
from scoring.selectors.base.reports import latest_report
from scoring.services.reports.reliability import KIND
from scoring.views.base.downloads import attachment


@login_required
@require_safe
def planner(request: HttpRequest, slug: str) -> HttpResponse:
    access = study_access(request.user, slug, Act.VIEW)
    shown = plan_page(latest_report(access.study, KIND), request.GET.dict())
    return render(request, "scoring/agreement/planner.html", {**page(access, "reliability"), "shown": shown})


@login_required
@require_safe
def crossed(request: HttpRequest, slug: str) -> HttpResponse:
    access = study_access(request.user, slug, Act.VIEW)
    report = latest_report(access.study, KIND)
    table = crossed_table(report, request.GET.get("criterion", "")) if report else {}
    return render(
        request,
        "scoring/agreement/crossed.html",
        {**page(access, "reliability"), "table": table, "report": report},
    )


@login_required
@require_safe
def crossed_download(request: HttpRequest, slug: str, pk: int, file_format: str) -> HttpResponse:
    access = study_access(request.user, slug, Act.VIEW)
    report = get_object_or_404(Report, study=access.study, pk=pk, kind=KIND)
    table = crossed_table(report, request.GET.get("criterion", ""))
    if not table or file_format not in FORMATS:
        raise Http404("There is no such figure.")
    values = [[cell["mean"] for cell in row["cells"]] for row in table["rows"]]
    drawing = heat_map([row["label"] for row in table["rows"]], table["columns"], values, file_format)
    return attachment(drawing, FORMATS[file_format], f"{slug}-{table['criterion']}.{file_format}")
