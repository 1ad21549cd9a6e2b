"""`/studies/<study>/metrics/` and `/systems/`: metrics compared with ratings, and systems compared."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify

from annotation.models import Study
from annotation.permissions import Access, Act
from annotation.selectors.questions.criterion_labels import criterion_labels, criterion_scales
from annotation.views.base.downloads import file_response
from annotation.views.base.page import shown_page, study_page
from scoring.io.charts.canvas import FORMATS
from scoring.io.charts.forest_plots import forest_plot
from scoring.io.charts.heat_maps import heat_map
from scoring.io.latex import latex_table, with_interval
from scoring.models import Report
from scoring.selectors.base.figure_sentences import holds_for_sentence
from scoring.selectors.base.metric_labels import metric_label
from scoring.selectors.base.reports import latest_report, unfinished_job
from scoring.selectors.data.scores import has_scores
from scoring.selectors.data.staleness import is_stale
from scoring.selectors.metrics import metric_pages
from scoring.services.choices.inversions import find_inversions
from scoring.services.metrics.metrics import KIND, request_metrics
from scoring.views.base.downloads import attachment, figure_file, figures_file
from scoring.views.base.page import page

COLUMNS = (
    "criterion",
    "metric",
    "level",
    "coefficient",
    "estimate",
    "low",
    "high",
    "confidence",
    "p",
    "holds_for",
    "new_systems_low",
    "new_systems_high",
    "new_systems_p",
    "n_items",
    "n_groups",
    "n_systems",
    "n_dropped",
    "interval_method",
    "new_systems_method",
    "reason",
    "signature",
)
# A table for a paper has one level and one coefficient.
LATEX_COLUMNS = tuple(
    (key, key) for key in ("criterion", "metric", "estimate", "low", "high", "p", "n_items")
)
INTERVALS = "intervals"
WHAT = ("correlations", "criteria", "systems", "pairwise", INTERVALS)
PAIRWISE_COLUMNS = (
    "criterion",
    "metric",
    "grouping",
    "estimate",
    "low",
    "high",
    "confidence",
    "epsilon",
    "held_out",
    "held_out_reason",
    "at_zero",
    "all_tied",
    "n_items",
    "n_pairs",
    "n_blocks",
    "n_dropped",
    "interval_method",
    "reason",
    "signature",
)
SYSTEM_COLUMNS = (
    ("system", "System"),
    ("criterion", "Criterion"),
    ("mean", "Mean"),
    ("half_width", "Half-width"),
    ("n", "Items"),
)


@study_page(get=Act.READ)
def metrics(request: HttpRequest, access: Access) -> HttpResponse:
    context = _context(request, access, "metrics")
    report = context["report"]
    if report and report.tables["metrics"]:
        level, coefficient = context["level"], context["coefficient"]
        matrix = metric_pages.metric_matrix(report, level, coefficient)
        context |= {
            "matrix": {**matrix, "rows": shown_page(request, matrix["rows"], "mc")},
            "best": metric_pages.best_of(report, level, coefficient),
            "borda": metric_pages.borda_ranking(report, level),
            "comparisons": report.tables["comparisons"],
            "rankings": report.tables["rankings"],
            "pairwise": metric_pages.pairwise_rows(report, level),
            "ceiling": metric_pages.ceiling_rows(report),
        }
    elif report:
        context["has_scores"] = has_scores(access.study)
    context["inversions"] = shown_page(request, find_inversions(access.study), "inversions")
    return render(request, "scoring/metrics/metrics.html", context)


@study_page(get=Act.READ)
def systems(request: HttpRequest, access: Access) -> HttpResponse:
    context = _context(request, access, "systems")
    report = context["report"]
    if report:
        rated, tested = metric_pages.system_rows(report), report.tables["systems"] or {}
        chart = _mean_chart(request, access.study, report) if rated else {}
        context |= {
            "systems": rated,
            "chart": {**chart, "rows": shown_page(request, chart["rows"], "chart")} if chart else {},
            "chart_criteria": [{"criterion": key} for key in rated.get("criteria", [])],
            "system_page": shown_page(request, rated.get("rows", []), "sys"),
            "matrix": metric_pages.criteria_matrix(report, context["level"], context["coefficient"]),
            "one_system": context["system_names"][0] if len(context["system_names"]) == 1 else "",
            "differences": shown_page(request, tested.get("differences", []), "differences"),
            "tested": tested,
            "found": metric_pages.significant_differences(report),
        }
    return render(request, "scoring/metrics/systems.html", context)


@study_page(post=Act.VIEW)
def start(request: HttpRequest, access: Access) -> HttpResponse:
    without = sorted(set(request.POST.getlist("without")) & set(_systems(access.study)))
    request_metrics(study=access.study, actor=access.user, without=without)
    return redirect(
        "study-systems" if request.POST.get("page") == "systems" else "study-metrics", slug=access.slug
    )


@study_page(get=Act.READ)
def download(request: HttpRequest, access: Access, pk: int, what: str, file_format: str) -> HttpResponseBase:
    """`correlations`, `criteria`, `systems` or `pairwise` as a table or heat map; `intervals`, a chart."""
    report = get_object_or_404(Report, study=access.study, pk=pk, kind=KIND)
    if what not in WHAT:
        raise Http404("There is no such table.")
    name = f"{access.slug}-{what}-{pk}"
    if file_format == "json":
        return figures_file(report, name)
    if what == INTERVALS:
        return _interval_chart(request, access.study, report, file_format)
    if file_format in {"figure", *FORMATS}:
        draw = partial(_drawing, access.study, report, what, _chosen(request, report))
        return figure_file(request, name, file_format, draw)
    columns, rows = _table(report, what)
    caution = _caution(report, what)
    if file_format == "csv":
        if caution:
            columns, rows = (*columns, ("caution", "caution")), [{**row, "caution": caution} for row in rows]
        return file_response((tuple(key for key, _ in columns), rows), "csv", name)
    if file_format == "tex":
        if what == "pairwise":
            columns, rows = metric_pages.PAIRWISE, metric_pages.pairs_at(report, _chosen(request, report)[0])
        elif what != "systems":
            level, coefficient = _chosen(request, report)
            columns = LATEX_COLUMNS
            rows = [row for row in rows if (row["level"], row["coefficient"]) == (level, coefficient)]
        headed = with_interval(columns, report.figures)
        holds_for = f" {metric_pages.THRESHOLDS}" if what == "pairwise" else holds_for_sentence(rows)
        caption = f"{access.study.title}: {what}.{holds_for}{caution and f' {caution}.'}"
        text = latex_table(headed, rows, caption)
        return attachment(text, "application/x-tex", f"{name}.tex")
    raise Http404("There is no such format.")


def _mean_chart(request: HttpRequest, study: Study, report: Report) -> dict[str, Any]:
    """The means on the criterion of the address, else on the first one that has any."""
    criteria, scales = report.tables["criteria"], criterion_scales(study)
    asked = request.GET.get("criterion", "")
    for key in [asked] if asked in criteria else criteria:
        if chart := metric_pages.mean_chart(report, key, scales.get(key)):
            return chart
    return {}


def _context(request: HttpRequest, access: Access, key: str) -> dict[str, Any]:
    study = access.study
    report = latest_report(study, KIND)
    context: dict[str, Any] = {
        **page(access, key),
        "key": key,
        "downloads": _downloads(key, report),
        "report": report,
        "job": unfinished_job(study, KIND),
        "coefficients": metric_pages.COEFFICIENTS.items(),
    }
    if report:
        level, coefficient = _chosen(request, report)
        context |= {
            "levels": metric_pages.levels_of(report),
            "level": level,
            "coefficient": coefficient,
            "system_names": _systems(study),
            "few_units": metric_pages.has_few_units(report),
            "few_for_differences": metric_pages.has_few_for_differences(report),
            "few_for_ranks": metric_pages.has_few_for_ranks(report, level, coefficient),
            "stale": is_stale(study, report),
        }
    return context


def _downloads(key: str, report: Report | None) -> tuple[str, ...]:
    if key != "metrics":
        return "systems", "criteria"
    return ("correlations", "pairwise") if report and report.tables.get("pairwise") else ("correlations",)


def _systems(study: Study) -> list[str]:
    return list(study.items.exclude(system="").order_by("system").values_list("system", flat=True).distinct())


def _chosen(request: HttpRequest, report: Report) -> tuple[str, str]:
    """The requested level and coefficient, where the report has them."""
    levels = [level for level, _ in metric_pages.levels_of(report)]
    level = request.GET.get("level", "")
    coefficient = request.GET.get("coefficient", "")
    default = "group" if "group" in levels else "item"
    return (
        level if level in levels else default,
        coefficient if coefficient in metric_pages.COEFFICIENTS else "spearman",
    )


def _table(report: Report, what: str) -> tuple[tuple[tuple[str, str], ...], list[dict[str, Any]]]:
    if what == "systems":
        return SYSTEM_COLUMNS, (report.tables["systems"] or {}).get("means", [])
    if what == "pairwise":
        return tuple((key, key) for key in PAIRWISE_COLUMNS), report.tables.get("pairwise", [])
    build = metric_pages.metric_rows if what == "correlations" else metric_pages.criterion_rows
    return tuple((key, key) for key in COLUMNS), build(report)


def _drawing(
    study: Study, report: Report, what: str, which: tuple[str, str], file_format: str, *, width: float | None
) -> bytes:
    labels = criterion_labels(study)
    if what == "systems":
        table = metric_pages.system_rows(report)
        rows = [row["system"] for row in table.get("rows", [])]
        values = [[cell["mean"] for cell in row["cells"]] for row in table.get("rows", [])]
        columns = [labels.get(key, key) for key in table.get("criteria", [])]
        return heat_map(rows, columns, values, file_format, width=width)
    of_metrics = what in OF_METRICS
    build = MATRICES[what]
    matrix, caution = build(report, *which), _caution(report, what)
    keys = [row["metric"] for row in matrix["rows"]]
    rows = [metric_label(key) if of_metrics else labels.get(key, key) for key in keys]
    values = [[cell["estimate"] if cell else None for cell in row["cells"]] for row in matrix["rows"]]
    columns = [labels.get(key, key) for key in matrix["criteria"]]
    return heat_map(rows, columns, values, file_format, note=caution, width=width)


def _interval_chart(request: HttpRequest, study: Study, report: Report, file_format: str) -> HttpResponse:
    """The means of systems with their intervals as a chart, of one criterion or with a panel for each."""
    if file_format not in {"figure", *FORMATS}:
        raise Http404("There is no such format.")
    asked, labels, scales = request.GET.get("criterion", ""), criterion_labels(study), criterion_scales(study)
    criteria = {
        key: rows
        for key in report.tables["criteria"]
        if asked in {"", key} and (rows := metric_pages.mean_rows(report, key))
    }
    if not criteria:
        raise Http404("This report has no such criterion.")
    groups = [
        {
            "criterion": labels.get(key, key),
            "rows": [{**row, "name": row["system"], "estimate": row["mean"]} for row in rows],
            "axis": metric_pages.axis_of(rows, scales.get(key)),
        }
        for key, rows in criteria.items()
    ]
    others = {key: labels.get(key, key) for key in criteria} if len(criteria) > 1 else {}
    name = f"{study.slug}-systems-{report.pk}{'-' if asked else ''}{slugify(asked)}"
    return figure_file(request, name, file_format, partial(forest_plot, groups), criteria=others)


def _caution(report: Report, what: str) -> str:
    """Warning about the scores of the figures; empty for none, as for those of ratings alone."""
    return str(report.data.get("caution", "")) if what in OF_METRICS else ""


OF_METRICS = ("correlations", "pairwise")
MATRICES = {
    "correlations": metric_pages.metric_matrix,
    "criteria": metric_pages.criteria_matrix,
    "pairwise": metric_pages.pairwise_matrix,
}
