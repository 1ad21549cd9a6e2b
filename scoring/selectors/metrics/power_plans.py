"""The power plans of a study, and what the study found of what was planned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from annotation.models import Study
from scoring.models import Report
from scoring.selectors.base.figures import figure_name
from scoring.selectors.base.reports import latest_report
from scoring.selectors.metrics.mixed_models import latest_models

KIND = "power"
COLUMNS = (
    ("items", "Items"),
    ("raters", "Ratings per item"),
    ("pool", "Raters"),
    ("ratings", "Ratings"),
    ("power", "Power"),
    ("low", "Low"),
    ("high", "High"),
    ("estimate", "Median estimate"),
    ("width", "Median width of the 95 % CI"),
    ("undecided", "Undecided studies"),
)
MOST_NAMED = 10
Row = dict[str, Any]


def plans_of(study: Study) -> QuerySet[Report]:
    """The plans of a study, the newest first."""
    return Report.objects.filter(study=study, kind=KIND).order_by("-pk")


def models_by_criterion(study: Study) -> dict[str, Row]:
    """The newest ordinal mixed model of each criterion; empty before the first."""
    report = latest_models(study)
    return {model["criterion"]: model for model in report.tables["models"]} if report else {}


def coefficient_name(key: str) -> str:
    """The name of a coefficient that a plan is about.

    Parameters
    ----------
    key : str
        With its variant after a colon.
    """
    coefficient, _, variant = key.partition(":")
    return figure_name({"coefficient": coefficient, "variant": variant})


def plan_rows(report: Report) -> list[Row]:
    """The designs of a plan as its page shows them, each with its power as `estimate` of a chart.

    Parameters
    ----------
    report : Report
        Of kind `power`.
    """
    enough = report.tables["enough"]
    return [
        {**row, "found": row["estimate"], "estimate": row["power"], "is_cheapest": row == enough}
        for row in report.tables["designs"]
    ]


def outcome_of(report: Report) -> dict[str, Any] | None:
    """What the study has found of what was planned.

    Parameters
    ----------
    report : Report
        Of kind `power`, with the criterion that it is about.

    Returns
    -------
    dict or None
        `items` and `ratings` of the newest results, and `rows` with `name`, `estimate`, `low`, `high` and
        `found`; None for a plan from typed variances, or before there are results.
    """
    method = report.method
    kind = {"coefficient": "reliability", "systems": "metrics", "metrics": "metrics"}[method["question"]]
    results = latest_report(report.study, kind) if method["criterion"] else None
    if results is None:
        return None
    find = {"coefficient": _coefficient, "systems": _systems, "metrics": _metrics}[method["question"]]
    rows = find(method, results)
    return {"report": results, "rows": rows} if rows else None


def _coefficient(method: Mapping[str, Any], results: Report) -> list[Row]:
    key, _, variant = method["coefficient"].partition(":")
    return [
        {
            "name": figure_name(figure),
            "estimate": figure["estimate"],
            "low": figure["low"],
            "high": figure["high"],
            "found": figure["low"] is not None and figure["low"] > method["bound"],
        }
        for figure in results.figures
        if (figure["criterion"], figure["coefficient"]) == (method["criterion"], key)
        and figure["variant"].startswith(variant)
    ]


def _systems(method: Mapping[str, Any], results: Report) -> list[Row]:
    differences = (results.tables.get("systems") or {}).get("differences", [])
    found = [one for one in differences if one["criterion"] == method["criterion"]]
    ordered = sorted(found, key=lambda one: -abs(one["difference"] or 0))
    return [
        _compared(f"{one['first']} − {one['second']}", one["difference"], one["low"], one["high"])
        for one in ordered[:MOST_NAMED]
    ]


def _metrics(method: Mapping[str, Any], results: Report) -> list[Row]:
    return [
        _compared(f"{one['metric']} − {one['metric2']}", one["estimate"], one["low"], one["high"])
        for one in results.tables.get("comparisons", [])
        if (one["criterion"], one["level"], one["coefficient"])
        == (method["criterion"], "item", method["correlation"])
    ][:MOST_NAMED]


def _compared(name: str, estimate: float | None, low: float | None, high: float | None) -> Row:
    found = low is not None and high is not None and not low <= 0 <= high
    return {"name": name, "estimate": estimate, "low": low, "high": high, "found": found}
