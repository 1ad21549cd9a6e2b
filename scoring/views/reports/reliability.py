"""`/studies/<study>/reliability/`: starting, reading and downloading a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify

from annotation.models import Study
from annotation.permissions import Access, Act
from annotation.selectors.questions.criterion_labels import criterion_labels
from annotation.selectors.questions.form_versions import forms_with_versions, has_several_versions
from annotation.views.base.downloads import file_response
from annotation.views.base.page import shown_page, study_page
from scoring.io.charts.canvas import FORMATS
from scoring.io.charts.forest_plots import forest_plot
from scoring.io.latex import latex_table, with_interval
from scoring.models import Report
from scoring.replication.hauser.table_2 import table_2
from scoring.selectors.agreement.before_after import before_after
from scoring.selectors.agreement.binary_sets import SET_COLUMNS, set_groups, set_lines
from scoring.selectors.agreement.differences import COLUMNS as DIFFERENCE_COLUMNS
from scoring.selectors.agreement.differences import difference_lines, difference_rows, stated_margin
from scoring.selectors.agreement.form_versions import SHOWN, version_lines, version_numbers, version_rows
from scoring.selectors.agreement.matrix import coefficient_matrices, has_few_groups, range_of_first
from scoring.selectors.agreement.new_raters import KIND as NEW_RATERS
from scoring.selectors.agreement.new_raters import are_of_same_ratings, both_intervals, latest_new_raters
from scoring.selectors.agreement.rater_tables import distributions, pair_matrices
from scoring.selectors.agreement.recommended import recommended, recommended_rows
from scoring.selectors.base import figures
from scoring.selectors.base.coefficient_words import TITLES
from scoring.selectors.base.method_words import method_words
from scoring.selectors.base.reports import unfinished_job
from scoring.selectors.choices import best_worst, choices, orders
from scoring.selectors.choices.choices import (
    SHARE_TICKS,
    accuracy_groups,
    has_single_choices,
    preference_groups,
)
from scoring.selectors.data.staleness import is_stale
from scoring.selectors.reports.paper_tables import RELIABILITY
from scoring.selectors.spans.pairs import ERRORS, TUPLES
from scoring.services.reports.reliability import KIND, request_report
from scoring.views.base.downloads import attachment, figure_file, figures_file
from scoring.views.base.page import page

TABLE_COLUMNS = (
    "criterion",
    "coefficient",
    "variant",
    "estimate",
    "low",
    "high",
    "confidence",
    "interval_method",
    "n_items",
    "n_raters",
    "n_ratings",
    "reason",
    "signature",
)
PUBLISHED_TABLES = {"published:hauser": table_2}


@dataclass(frozen=True)
class SideTable:
    """A further table: its columns, the source of its rows, and its caption."""

    name: str
    columns: tuple[str, ...]
    rows_of: Callable[[Report], list[dict[str, Any]]]
    caption: str


BEFORE_AND_AFTER = tuple(
    f"{part}_{key}"
    for part in ("before", "after")
    for key in ("estimate", "low", "high", "n_items", "n_ratings")
)
TABLES = {
    "before": SideTable(
        "before-after",
        ("criterion", "figure", *BEFORE_AND_AFTER),
        before_after,
        "before and after the exclusions",
    ),
    "versions": SideTable(
        "versions", ("criterion", "figure", "version", *SHOWN), version_lines, "form versions compared"
    ),
    "differences": SideTable(
        "differences", DIFFERENCE_COLUMNS, difference_lines, "differences of reliability"
    ),
    "tuple-pairs": SideTable(
        "tuple-pairs", TUPLES.columns, TUPLES.lines, "agreement on tuples between pairs of raters"
    ),
    "error-pairs": SideTable(
        *("error-pairs", ERRORS.columns, ERRORS.lines),
        "agreement on marked errors between pairs of raters",
    ),
    "sets": SideTable("sets", SET_COLUMNS, set_lines, "item analysis of sets of yes/no tests"),
    "accuracy": SideTable(
        "accuracy", choices.ACCURACY_COLUMNS, choices.accuracy_lines, "accuracy of the answers"
    ),
    "wins": SideTable("wins", choices.WIN_COLUMNS, choices.win_lines, "preference by competitor"),
    "grades": SideTable("grades", choices.GRADE_COLUMNS, choices.grade_lines, "how much was preferred"),
    "strengths": SideTable(
        "strengths", choices.STRENGTH_COLUMNS, choices.strength_lines, "Bradley–Terry strengths"
    ),
    "best-worst": SideTable(
        "best-worst", best_worst.SCORE_COLUMNS, best_worst.score_lines, "best–worst scores of the items"
    ),
    "split-halves": SideTable(
        *("split-halves", best_worst.HALVES_COLUMNS, best_worst.halves_lines),
        "split-half reliability of best–worst scores",
    ),
    "candidates": SideTable(
        "candidates", orders.CANDIDATE_COLUMNS, orders.candidate_lines, "ranks and strengths of candidates"
    ),
    "candidate-pairs": SideTable(
        "candidate-pairs", orders.PAIR_COLUMNS, orders.pair_lines, "pairs of candidates in order"
    ),
}
SIDE_FILES: Mapping[str, SideTable] = {
    f"{address}.{ending}": table for address, table in TABLES.items() for ending in ("csv", "tex")
}


def side_file(study: Study, report: Report, file_format: str) -> HttpResponseBase:
    """One of the side tables as CSV or LaTeX; `file_format` is a key of `SIDE_FILES`."""
    table = SIDE_FILES[file_format]
    name, rows = f"{study.slug}-{table.name}-{report.pk}", table.rows_of(report)
    if file_format.endswith(".csv"):
        return file_response((table.columns, rows), "csv", name)
    shown = with_interval([(key, key.replace("_", " ")) for key in table.columns], report.figures)
    text = latex_table(shown, rows, f"{study.title}: {table.caption}.")
    return attachment(text, "application/x-tex", f"{name}.tex")


@study_page(get=Act.READ, post=Act.VIEW)
def reliability(request: HttpRequest, access: Access) -> HttpResponse:
    study = access.study
    if request.method == "POST":
        request_report(study=study, actor=access.user, pool_versions=bool(request.POST.get("pool_versions")))
        return redirect("study-reliability", slug=access.slug)
    reports = list(Report.objects.filter(study=study, kind=KIND).order_by("-pk")[:20])
    shown = _shown_report(reports, request.GET.get("report"))
    context = {
        **page(access, "reliability"),
        "job": unfinished_job(study, KIND),
        "reports": reports,
        "report": shown,
        "stale": shown is not None and is_stale(study, shown),
        "several_versions": has_several_versions(study=study),
        **(report_context(request, study, shown) if shown else {}),
        **(_new_raters(study, shown) if shown else {}),
    }
    return render(request, "scoring/reports/reliability.html", context)


def _new_raters(study: Study, shown: Report) -> dict[str, Any]:
    """The intervals that hold for new raters, where they were computed."""
    report = latest_new_raters(study)
    if report is None:
        return {"offers_new_raters": study.identified}
    return {
        "offers_new_raters": True,
        "new_raters_groups": both_intervals(report, shown),
        "of_other_ratings": not are_of_same_ratings(report, shown),
        "new_raters_stale": is_stale(study, report),
    }


@study_page(get=Act.READ)
def download(request: HttpRequest, access: Access, pk: int, file_format: str) -> HttpResponseBase:
    """A report as a table (`csv`, `tex`), as a plot (`svg`, `pdf`), or whole (`json`)."""
    report = get_object_or_404(Report, study=access.study, pk=pk, kind__in=(KIND, NEW_RATERS))
    if file_format == "csv":
        return file_response((TABLE_COLUMNS, report.figures), "csv", f"{access.slug}-reliability-{pk}")
    if file_format in {"tex", "table"}:
        return _latex_file(request, access.study, report, is_chosen=file_format == "table")
    if file_format in SIDE_FILES:
        return side_file(access.study, report, file_format)
    if file_format in {"figure", *FORMATS}:
        return _chart_file(request, access.study, report, file_format)
    if file_format == "json":
        return figures_file(report, f"{access.slug}-reliability-{pk}")
    raise Http404("This format does not exist.")


def _chart_file(request: HttpRequest, study: Study, report: Report, file_format: str) -> HttpResponse:
    """The estimates of one or all criteria as a chart."""
    labels, chosen = criterion_labels(study), slugify(request.GET.get("criterion", ""))
    wanted = _wanted(request, report)
    drawn = [
        {**group, "rows": [row for row in group["rows"] if wanted(row)]}
        for group in _of_criterion(request, figures.figure_groups(report))
    ]
    criteria = {group["criterion"]: labels.get(group["criterion"], group["criterion"]) for group in drawn}
    groups = [{**group, "criterion": criteria[group["criterion"]]} for group in drawn]
    name = f"{study.slug}-reliability-{report.pk}{'-' if chosen else ''}{chosen}"
    others = criteria if len(criteria) > 1 else {}
    return figure_file(request, name, file_format, partial(forest_plot, groups), criteria=others)


def _latex_file(request: HttpRequest, study: Study, report: Report, *, is_chosen: bool) -> HttpResponse:
    """All statistics of a report; as a chosen table, those of one or all criteria that could be computed."""
    chosen, wanted = request.GET.get("criterion", ""), _wanted(request, report)
    names = criterion_labels(study)
    rows = [
        {**row, "figure": figures.figure_name(row), "criterion": names.get(key, key)}
        for row in report.figures
        for key in [row["criterion"]]
        if not str(row["variant"]).startswith("rater:")
        and (not is_chosen or row["estimate"] is not None)
        and chosen in {"", key}
        and wanted(row)
    ]
    if not rows:
        raise Http404("This table does not exist.")
    caption = f"{study.title}: reliability, computed by {report.software}."
    name = f"{study.slug}-reliability-{report.pk}{'-' if chosen else ''}{slugify(chosen)}.tex"
    return attachment(latex_table(with_interval(RELIABILITY, rows), rows, caption), "application/x-tex", name)


def _wanted(request: HttpRequest, report: Report) -> Callable[[Mapping[str, Any]], bool]:
    """Whether a statistic is among those asked for: all, or of each criterion those to report."""
    keys = ("criterion", "coefficient", "variant")
    if request.GET.get("coefficients") != "recommended":
        return lambda _row: True
    chosen = {tuple(row[key] for key in keys) for row in recommended_rows(report)}
    criteria = {criterion for criterion, _, _ in chosen}
    return lambda row: row["criterion"] not in criteria or tuple(row[key] for key in keys) in chosen


def _of_criterion(request: HttpRequest, groups: list[dict[str, Any]]) -> list[dict[str, Any]]:
    chosen = request.GET.get("criterion", "")
    found = [group for group in groups if not chosen or group["criterion"] == chosen]
    if not found:
        raise Http404("This report has no such criterion.")
    return found


def _shown_report(reports: list[Report], wanted: str | None) -> Report | None:
    if wanted is None:
        return next(iter(reports), None)
    chosen = next((report for report in reports if str(report.pk) == wanted), None)
    if chosen is None:
        raise Http404("This report is not among the latest reports of this study.")
    return chosen


def report_context(request: HttpRequest, study: Study, report: Report) -> dict[str, Any]:
    """What the page shows of a report."""
    cells = PUBLISHED_TABLES[study.source](report.figures) if study.source in PUBLISHED_TABLES else []
    by_criterion = coefficient_matrices(report)
    return {
        "recommended": recommended(report),
        "groups": figures.figure_groups(report),
        "by_criterion": by_criterion,
        "in_short": range_of_first(by_criterion),
        "few_groups": has_few_groups(by_criterion),
        "zero_line": figures.zero_line(report),
        **_by_rater(request, report),
        "before_after": before_after(report),
        **_differences(request, report),
        "sets": set_groups(report),
        "accuracy": accuracy_groups(report),
        "preferences": preference_groups(report),
        "classes_can_be_estimated": partial(has_single_choices, study),
        "orders": orders.order_groups(report),
        "best_worst": best_worst.best_worst_groups(report),
        "share_ticks": SHARE_TICKS,
        "version_numbers": version_numbers(report),
        "version_rows": version_rows(report),
        "forms_with_versions": forms_with_versions(study=study) if version_numbers(report) else [],
        "missing": figures.not_computable(report),
        "earlier_definitions": not figures.has_these_definitions(report),
        "not_yet_known": [TITLES[key] for key in figures.added_since(report)],
        "nothing": figures.nothing_computed(report),
        "ticks": figures.ticks(report),
        "paths": [method_words(code) for code in figures.icc_paths(report)],
        "has_simulated": figures.has_simulated(report),
        "resampled": figures.is_resampled(report),
        "methods": [method_words(code) for code in figures.interval_methods(report)],
        "cells": cells,
        "matrices": pair_matrices(report),
        "tuple_pairs": _pairs(request, "tuple-pairs", TUPLES.groups(report)),
        "error_pairs": _pairs(request, "error-pairs", ERRORS.groups(report)),
        "disconnected": figures.disconnected(report),
        "n_reproduced": sum(cell.status == "reproduces" for cell in cells),
    }


def _differences(request: HttpRequest, report: Report) -> dict[str, Any]:
    """What exclusions and versions changed, and whether it is within the margin that was typed."""
    typed = request.GET.get("margin", "")
    margin = stated_margin(typed)
    return {
        "margin": margin,
        "wrong_margin": bool(typed.strip()) and margin is None,
        "of_exclusions": difference_rows(report, "exclusions", margin),
        "of_versions": difference_rows(report, "versions", margin),
    }


def _by_rater(request: HttpRequest, report: Report) -> dict[str, Any]:
    """The tables with a row per rater: those of one page of raters, the same in every table."""
    groups, spread = figures.rater_groups(report), distributions(report)
    rows = [row for group in groups for row in group["raters"]]
    rows += [row for table in spread for row in table["rows"] if row["rater"]]
    shown = shown_page(request, list(dict.fromkeys(row["rater"] for row in rows)), "raters")
    chosen = {*shown, ""}
    return {
        "rater_page": shown,
        "rater_groups": [_rows_of(group, "raters", chosen) for group in groups],
        "distributions": [_rows_of(table, "rows", chosen) for table in spread],
    }


def _rows_of(table: dict[str, Any], key: str, raters: set[str]) -> dict[str, Any]:
    return {**table, key: [row for row in table[key] if row["rater"] in raters]}


def _pairs(request: HttpRequest, name: str, groups: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    named = {f"{name}-{number}": group for number, group in enumerate(groups, 1)}
    return [
        {**group, "name": name, "rows": shown_page(request, group["rows"], name)}
        for name, group in named.items()
    ]
