"""Meta-evaluation reports as their pages show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from django.utils.translation import gettext_lazy as _

from scoring.models import Report
from scoring.selectors.base.axes import marks, placed, reach_of, tick
from scoring.stats.base.cautions import cautions_of
from scoring.stats.data.directions import Direction, direction_of, strength
from scoring.stats.metrics.meta_figure import split_rows
from scoring.stats.metrics.ranking import LEAST

LEVELS = {"item": _("items"), "group": _("groups"), "system": _("systems")}
COEFFICIENTS = {"pearson": "Pearson r", "spearman": "Spearman ρ", "kendall": "Kendall τ"}
# Steps of the shading by strength, and the lowest value of each.
STEPS = (0.15, 0.30, 0.45, 0.60, 0.75)
BEST = 3
# Differences with a lower adjusted p count as significant.
SIGNIFICANT = 0.05
MOST_RANKED = 10
# With fewer items or groups, intervals of differences of systems are too narrow, see
# `docs/statistics/coverage.md`.
FEW_FOR_DIFFERENCES = 96
# Coverage of the intervals of means, which reports do not store.
CONFIDENCE_OF_MEANS = 0.95
# Columns of the tables of pairwise accuracy for a paper.
PAIRWISE = (
    ("criterion", "Criterion"),
    ("metric", "Metric"),
    ("estimate", "Accuracy"),
    ("low", "Low"),
    ("high", "High"),
    ("held_out", "Held out"),
    ("epsilon", "Threshold"),
    ("n_pairs", "Pairs"),
)
THRESHOLDS = (
    "The threshold is fitted on the pairs that it is judged by; held-out accuracy has thresholds of others."
)
# Pairs that are compared on the page of each level.
GROUPINGS = {"item": "none", "group": "group", "system": "system"}


def levels_of(report: Report) -> list[tuple[str, str]]:
    """The levels a report has figures of, with their names."""
    found = dict.fromkeys(row["level"] for row in report.figures)
    return [(level, str(LEVELS[level])) for level in found]


def metric_matrix(report: Report, level: str, coefficient: str) -> dict[str, Any]:
    """Metrics against criteria at one level, by one coefficient.

    Returns
    -------
    dict
        `criteria`, and `rows` with `metric` and `cells` in the order of mean strength, the strongest first.
    """
    rows = metric_rows(report)
    return _matrix(report, report.tables["metrics"], rows, (level, coefficient), by_strength=True)


def criteria_matrix(report: Report, level: str, coefficient: str) -> dict[str, Any]:
    """Criteria against criteria at one level, by one coefficient; each pair once.

    Returns
    -------
    dict
        `criteria` and `rows`; a cell above the diagonal is None.
    """
    names = report.tables["criteria"]
    matrix = _matrix(report, names, criterion_rows(report), (level, coefficient), by_strength=False)
    for position, row in enumerate(matrix["rows"]):
        row["cells"] = [cell if column < position else None for column, cell in enumerate(row["cells"])]
    return {
        "criteria": names[:-1],
        "rows": [{**row, "cells": row["cells"][:-1]} for row in matrix["rows"][1:]],
    }


def metric_rows(report: Report) -> list[dict[str, Any]]:
    """The correlations of metrics with criteria."""
    return split_rows(report.figures, report.tables["criteria"])[1]


def criterion_rows(report: Report) -> list[dict[str, Any]]:
    """The correlations of criteria with one another."""
    return split_rows(report.figures, report.tables["criteria"])[0]


def has_few_units(report: Report) -> bool:
    """Whether the report's intervals come from resamples of few items or groups."""
    few = {"few_items", "few_groups"}
    return any(few.intersection(cautions_of(row.get("signature", ""))) for row in report.figures)


def has_few_for_differences(report: Report) -> bool:
    """Whether items or groups are so few that intervals of differences of systems are too narrow."""
    units = report.tables.get("systems", {}).get("units")
    return units is not None and units < FEW_FOR_DIFFERENCES


def has_few_for_ranks(report: Report, level: str, coefficient: str) -> bool:
    """Whether correlations shown rank more systems than so few items or groups can distinguish."""
    shown = (row for row in report.figures if (row["level"], row["coefficient"]) == (level, coefficient))
    return any("few_for_ranks" in cautions_of(row.get("signature", "")) for row in shown)


def _matrix(
    report: Report,
    metrics: list[str],
    figures: list[dict[str, Any]],
    which: tuple[str, str],
    *,
    by_strength: bool,
) -> dict[str, Any]:
    criteria = report.tables["criteria"]
    chosen = {
        (row["metric"], row["criterion"]): row
        for row in figures
        if (row["level"], row["coefficient"]) == which
    }
    rows: list[dict[str, Any]] = [
        {"metric": metric, "cells": [_cell(chosen.get((metric, criterion))) for criterion in criteria]}
        for metric in metrics
    ]
    if by_strength:
        directions = report.method.get("directions", {})
        rows.sort(key=lambda row: -_mean_strength(row["cells"], direction_of(row["metric"], directions)))
    return {"criteria": criteria, "rows": rows}


def _cell(row: Mapping[str, Any] | None) -> dict[str, Any]:
    if row is None:
        return {"estimate": None, "reason": "", "shade": 0}
    strength = abs(row["estimate"] or 0.0)
    return {**row, "shade": 1 + sum(strength >= step for step in STEPS)}


def _mean_strength(cells: list[dict[str, Any]], way: Direction) -> float:
    known = [cell["estimate"] for cell in cells if cell["estimate"] is not None]
    return float(strength(np.array(known), way).mean()) if known else LEAST


def best_of(report: Report, level: str, coefficient: str) -> list[dict[str, Any]]:
    """The three metrics that correlate best with each criterion.

    Returns
    -------
    list of dict
        `criterion` and `best`, rows of figures by strength in the declared direction, else by absolute value.
    """
    directions = report.method.get("directions", {})

    def strongest(row: Mapping[str, Any]) -> tuple[float, str]:
        way = direction_of(row["metric"], directions)
        return -float(strength(np.array(row["estimate"]), way)), row["metric"]

    figures, found = metric_rows(report), []
    for criterion in report.tables["criteria"]:
        rows = [
            row
            for row in figures
            if (row["level"], row["coefficient"], row["criterion"]) == (level, coefficient, criterion)
            and row["estimate"] is not None
        ]
        rows.sort(key=strongest)
        found.append({"criterion": criterion, "best": rows[:BEST]})
    return found


def borda_ranking(report: Report, level: str) -> list[dict[str, Any]]:
    """The metrics with the greatest Borda counts at a level."""
    counts = report.tables["borda"].get(level, {})
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [{"metric": metric, "count": count} for metric, count in ranked[:MOST_RANKED]]


def pairs_at(report: Report, level: str) -> list[dict[str, Any]]:
    """The pairwise accuracies whose pairs belong to a level; empty in reports from before there were any."""
    return [row for row in report.tables.get("pairwise", []) if row["grouping"] == GROUPINGS[level]]


def pairwise_rows(report: Report, level: str) -> list[dict[str, Any]]:
    """The ten metrics with the greatest pairwise accuracy for each criterion, the greatest first."""
    rows = pairs_at(report, level)
    return [
        row
        for criterion in report.tables["criteria"]
        for row in sorted(
            (one for one in rows if one["criterion"] == criterion),
            key=lambda one: (-(one["estimate"] or 0.0), one["metric"]),
        )[:MOST_RANKED]
    ]


def pairwise_matrix(report: Report, level: str, _coefficient: str) -> dict[str, Any]:
    """Pairwise accuracies of metrics against criteria, those of the greatest mean first.

    Returns
    -------
    dict
        `criteria`, and `rows` with `metric` and `cells`.
    """
    criteria = report.tables["criteria"]
    found = {(row["metric"], row["criterion"]): row for row in pairs_at(report, level)}
    rows = [
        {"metric": metric, "cells": [found.get((metric, criterion)) for criterion in criteria]}
        for metric in report.tables["metrics"]
    ]
    rows.sort(key=lambda row: -sum((cell and cell["estimate"]) or 0.0 for cell in row["cells"]))
    return {"criteria": criteria, "rows": rows}


def ceiling_rows(report: Report) -> list[dict[str, Any]]:
    """The human ceiling of each criterion: its three figures in the order of the page."""
    return [
        {
            "criterion": row["criterion"],
            "figures": [row["split_half"], row["leave_one_out"], row["upper_bound"]],
        }
        for row in report.tables.get("ceiling", [])
    ]


def system_rows(report: Report) -> dict[str, Any]:
    """Systems against criteria: mean, half-width, and whether the mean is the best or within its interval.

    Returns
    -------
    dict
        `criteria`, and `rows` with `system` and `cells`; empty without systems.
    """
    table = report.tables.get("systems") or {}
    if not table:
        return {}
    criteria = report.tables["criteria"]
    means = {(one["system"], one["criterion"]): one for one in table["means"]}
    equal = _equal_to_best(table, criteria, means)
    rows = [
        {
            "system": system,
            "cells": [
                {**means[system, criterion], "mark": equal.get((system, criterion), "")}
                for criterion in criteria
            ],
        }
        for system in table["names"]
    ]
    return {"criteria": criteria, "rows": rows}


def _equal_to_best(
    table: Mapping[str, Any], criteria: list[str], means: Mapping[tuple[str, str], Mapping[str, Any]]
) -> dict[tuple[str, str], str]:
    """`best`, or `even` where the paired bootstrap does not distinguish a system from the best one."""
    marks: dict[tuple[str, str], str] = {}
    for criterion in criteria:
        known = [name for name in table["names"] if means[name, criterion]["mean"] is not None]
        if not known:
            continue
        best = max(known, key=lambda name: means[name, criterion]["mean"])
        marks[best, criterion] = "best"
        for difference in table["differences"]:
            if difference["criterion"] == criterion and best in (difference["first"], difference["second"]):
                other = difference["second"] if difference["first"] == best else difference["first"]
                if difference["low"] is not None and difference["low"] <= 0 <= difference["high"]:
                    marks[other, criterion] = "even"
    return marks


def mean_rows(report: Report, criterion: str) -> list[dict[str, Any]]:
    """The mean of every system on a criterion with the ends of its interval, the highest first.

    Returns
    -------
    list of dict
        `system`, `mean`, `low`, `high` (None without an interval), `n` items and `confidence`; systems
        without a rating are left out.
    """
    means = (report.tables["systems"] or {}).get("means", [])
    known = [one for one in means if one["criterion"] == criterion and one["mean"] is not None]
    rows = [
        {
            **one,
            "confidence": CONFIDENCE_OF_MEANS,
            "low": None if one["half_width"] is None else one["mean"] - one["half_width"],
            "high": None if one["half_width"] is None else one["mean"] + one["half_width"],
        }
        for one in known
    ]
    return sorted(rows, key=lambda row: (-row["mean"], row["system"]))


def axis_of(rows: list[dict[str, Any]], scale: tuple[float, float] | None) -> tuple[float, float]:
    """The ends of the axis on which means are drawn: those of the scale, wider if a mean lies outside it."""
    means = [row["mean"] for row in rows]
    inside = scale is not None and all(scale[0] <= mean <= scale[1] for mean in means)
    return scale if scale is not None and inside else reach_of(means)


def mean_chart(report: Report, criterion: str, scale: tuple[float, float] | None) -> dict[str, Any]:
    """The chart of `mean_rows` on the scale of the criterion: `criterion`, `rows` with places, and `ticks`.

    Parameters
    ----------
    report : Report
        Report of kind `metrics`.
    criterion : str
        Name in the report.
    scale : tuple of float or None
        Ends of its scale.
    """
    rows = mean_rows(report, criterion)
    if not rows:
        return {}
    low, high = axis_of(rows, scale)
    return {
        "criterion": criterion,
        "rows": [{**placed(row, "mean", low, high), "x_mean": None} for row in rows],
        "ticks": [tick(value, low, high) for value in marks(low, high)],
    }


def significant_differences(report: Report) -> dict[str, int]:
    """Differences between systems: how many were tested (`tested`), and how many have adjusted p < 0.05."""
    rows = (report.tables["systems"] or {}).get("differences", [])
    adjusted = [row["p_adjusted"] for row in rows if row["p_adjusted"] is not None]
    return {"tested": len(adjusted), "n": sum(p < SIGNIFICANT for p in adjusted)}
