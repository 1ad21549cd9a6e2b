"""`/studies/<study>/metrics/compare/`: any two metrics compared on each criterion."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render

from annotation.permissions import Access, Act
from annotation.views.base.downloads import file_response
from annotation.views.base.page import refusal_shown, study_page
from scoring.io.latex import latex_table, with_interval
from scoring.models import Report, Score
from scoring.selectors.base.reports import unfinished_job
from scoring.selectors.data.staleness import is_stale
from scoring.selectors.metrics import metric_pages
from scoring.services.metrics.metric_comparison import KIND, LEVELS, request_comparison
from scoring.views.base.downloads import attachment
from scoring.views.base.page import page

EARLIER = 20
COLUMNS = (
    "criterion",
    "metric",
    "metric2",
    "level",
    "coefficient",
    "r_first",
    "r_second",
    "r_between",
    "estimate",
    "low",
    "high",
    "decides",
    "p",
    "p_adjusted",
    "adjustment",
    "p_bootstrap",
    "p_permutation",
    "williams",
    "williams_t",
    "williams_p",
    "holds_for",
    "n_items",
    "n_groups",
    "n_systems",
    "n_dropped",
    "confidence",
    "interval_method",
    "reason",
    "signature",
)


@study_page(get=Act.READ)
def compare(request: HttpRequest, access: Access) -> HttpResponse:
    study = access.study
    reports = list(Report.objects.filter(study=study, kind=KIND).order_by("-pk")[:EARLIER])
    wanted = request.GET.get("report")
    report = next((one for one in reports if wanted in {None, str(one.pk)}), None)
    if wanted is not None and report is None:
        raise Http404("There is no such comparison among the latest of this study.")
    names = Score.objects.filter(run__study=study).order_by("metric").values_list("metric", flat=True)
    context: dict[str, Any] = {
        **page(access, "metrics", "comparison"),
        "metrics": list(names.distinct()),
        "levels": LEVELS,
        "coefficients": metric_pages.COEFFICIENTS.items(),
        "reports": reports,
        "report": report,
        "job": unfinished_job(study, KIND),
        "stale": report is not None and is_stale(study, report),
    }
    return render(request, "scoring/metrics/compare.html", context)


@study_page(post=Act.VIEW)
def start(request: HttpRequest, access: Access) -> HttpResponse:
    with refusal_shown(request):
        request_comparison(
            study=access.study,
            actor=access.user,
            metrics=(request.POST.get("first", ""), request.POST.get("second", "")),
            level=request.POST.get("level", ""),
            coefficient=request.POST.get("coefficient", ""),
        )
    return redirect("study-compare", slug=access.slug)


@study_page(get=Act.READ)
def download(request: HttpRequest, access: Access, pk: int, file_format: str) -> HttpResponseBase:
    """A comparison as a table: `csv` or `tex`."""
    report = get_object_or_404(Report, study=access.study, pk=pk, kind=KIND)
    name, caution = f"{access.slug}-comparison-{pk}", report.data.get("caution", "")
    if file_format == "csv":
        rows = [{**row, "caution": caution} for row in report.figures] if caution else report.figures
        return file_response(((*COLUMNS, "caution") if caution else COLUMNS, rows), "csv", name)
    if file_format == "tex":
        shown = tuple((key, key) for key in (*COLUMNS[:4], *COLUMNS[5:7], *COLUMNS[8:14]))
        caption = (
            f"{access.study.title}: {' and '.join(report.method['metrics'])}.{caution and f' {caution}.'}"
        )
        return attachment(
            latex_table(with_interval(shown, report.figures), report.figures, caption),
            "application/x-tex",
            f"{name}.tex",
        )
    raise Http404("There is no such format.")
