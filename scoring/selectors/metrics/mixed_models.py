"""The ordinal mixed models of a report, for pages and files."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any

from django.db.models import QuerySet

from annotation.models import Study
from scoring.models import Report
from scoring.selectors.base.axes import placed, tick

KIND = "mixed_model"
# Raised when the same ratings get other figures, or more of them.
DEFINITIONS = 4
MOST_NAMED = 5
# Charts for papers are in English.
ALL_ITEMS = "All items"
# With fewer, intervals hold the truth clearly less often than they say (docs/statistics/ordinal-model.md).
ENOUGH_RATERS, ENOUGH_ITEMS, ENOUGH_OF_A_SYSTEM = 12, 100, 25
Row = dict[str, Any]
SYSTEM_COLUMNS = (
    ("criterion", "Criterion"),
    ("system", "System"),
    ("ratings", "Ratings"),
    ("mean", "Mean"),
    ("adjusted", "Adjusted mean"),
    ("low", "Low"),
    ("high", "High"),
    ("confidence", "Confidence"),
)
DIFFERENCE_COLUMNS = (
    ("criterion", "Criterion"),
    ("first", "First system"),
    ("second", "Second system"),
    ("difference", "Difference"),
    ("low", "Low"),
    ("high", "High"),
    ("confidence", "Confidence"),
    ("p_adjusted", "Adjusted p"),
)
RATER_COLUMNS = (
    ("criterion", "Criterion"),
    ("rater", "Rater"),
    ("ratings", "Ratings"),
    ("severity", "Severity"),
    ("low", "Low"),
    ("high", "High"),
    ("confidence", "Confidence"),
    ("fair_average", "Fair average"),
    ("infit", "Infit"),
    ("outfit", "Outfit"),
    ("reason", "Reason"),
)
VARIANCE_COLUMNS = (
    ("criterion", "Criterion"),
    ("factor", "Factor"),
    ("variance", "Variance"),
    ("share", "Share"),
)
THRESHOLD_COLUMNS = (
    ("criterion", "Criterion"),
    ("rater", "Rater"),
    ("below", "Value below"),
    ("above", "Value above"),
    ("threshold", "Threshold"),
    ("error", "Standard error"),
)
TABLES = {
    "adjusted-means": SYSTEM_COLUMNS,
    "differences": DIFFERENCE_COLUMNS,
    "severity": RATER_COLUMNS,
    "variance": VARIANCE_COLUMNS,
    "rater-thresholds": THRESHOLD_COLUMNS,
}


def models_of(study: Study) -> QuerySet[Report]:
    """The reports of a study that have the present figures, the newest first."""
    return Report.objects.filter(study=study, kind=KIND, method__definitions=DEFINITIONS).order_by("-pk")


def latest_models(study: Study) -> Report | None:
    """The newest report of a study; None before the first."""
    return models_of(study).first()


def criteria_of(report: Report) -> list[str]:
    """Criteria of a report with a model, then those without one."""
    return [one["criterion"] for part in ("models", "refused") for one in report.tables[part]]


def file_rows(report: Report, what: str) -> list[Row]:
    """Rows of one of `TABLES`, over all criteria.

    Parameters
    ----------
    report : Report
        Report of kind `mixed_model`.
    what : str
        A key of `TABLES`.
    """
    rows_of = {
        "adjusted-means": _systems,
        "differences": _differences,
        "severity": _raters,
        "variance": _variances,
        "rater-thresholds": _thresholds,
    }[what]
    given = {"confidence": report.method["confidence"]}
    return [
        {"criterion": model["criterion"], **given, **row}
        for model in report.tables["models"]
        for row in rows_of(model)
    ]


def model_of(report: Report, criterion: str) -> Row | None:
    """The model of a criterion as the report has it; None where there is none."""
    return next((model for model in report.tables["models"] if model["criterion"] == criterion), None)


def shown_model(report: Report, criterion: str) -> Row | None:
    """One criterion's model as its page shows it; None without a model of this criterion.

    Parameters
    ----------
    report : Report
        Report of kind `mixed_model`.
    criterion : str
        Name of the criterion.

    Returns
    -------
    dict or None
        `systems` (the highest first), `differences` (the largest first), `raters` and `variances`, each row
        with its places on an axis in per cent; `ticks`, `difference_ticks` and `severity_ticks`; `found`, the
        differences whose interval excludes 0, and `open`, the smallest and the largest half width of the
        others; `is_small`, whether intervals are known to be too narrow.
    """
    model = model_of(report, criterion)
    if model is None:
        return None
    values = model["values"]
    systems = sorted(_systems(model), key=lambda row: -row["adjusted"])
    differences = sorted(map(_positive, _differences(model)), key=lambda row: -row["difference"])
    raters = _raters(model)
    reach = _reach([*differences, {"low": 0.5, "high": 0.5}])
    severe = _reach([*(row for row in raters if row["low"] is not None), {"low": 0.25, "high": 0.25}])
    return {
        "criterion": criterion,
        "n_ratings": sum(row["ratings"] for row in systems),
        "systems": [placed(row, "adjusted", values[0], values[-1]) for row in systems],
        "differences": [_around_zero(placed(row, "difference", -reach, reach)) for row in differences],
        "raters": [_around_zero(placed(row, "severity", -severe, severe)) for row in raters],
        "variances": [{**row, "percent": f"{row['share']:.0%}"} for row in _variances(model)],
        "ticks": [tick(value, values[0], values[-1]) for value in values],
        "difference_ticks": [tick(value, -reach, reach) for value in (-reach, 0.0, reach)],
        "severity_ticks": [tick(value, -severe, severe) for value in (-severe, 0.0, severe)],
        "found": [row for row in differences if row["low"] > 0],
        "open": _half_widths([row for row in differences if row["low"] <= 0]),
        "n_raters": model["n_raters"],
        "critical_value": model["critical_value"],
        "at_zero": model["estimated_as_0"],
        "separations": [one for one in model["separations"] if one["reliability"] is not None],
        "is_small": _is_small(model),
        "own_thresholds": _own_thresholds(model),
        "no_severity": bool(raters) and raters[0]["severity"] is None,
    }


def mean_panel(report: Report, model: Mapping[str, Any]) -> Row:
    """The adjusted means of a model as a panel of a forest plot on its scale, the highest first.

    Parameters
    ----------
    report : Report
        Report of kind `mixed_model`.
    model : mapping
        From `model_of`.
    """
    rows = sorted(_systems(model), key=lambda row: -row["adjusted"])
    given = {"confidence": report.method["confidence"]}
    return {
        "criterion": model["criterion"],
        "rows": [
            {**row, **given, "name": row["system"] or ALL_ITEMS, "estimate": row["adjusted"]} for row in rows
        ],
        "axis": (model["values"][0], model["values"][-1]),
    }


def publishable_text(report: Report, model: Mapping[str, Any]) -> str:
    """How the adjusted means of a criterion were made and what they show, in words for a paper.

    Parameters
    ----------
    report : Report
        Report of kind `mixed_model`.
    model : mapping
        From `shown_model`.
    """
    random = [row["factor"] for row in model["variances"] if row["factor"] != "rest"]
    differences, found = model["differences"], model["found"]
    begin = (
        "Adjusted means are expected ratings of new items by new raters under a cumulative logit mixed model "
        "with fixed systems and"
        if differences
        else "Ratings were analysed by a cumulative logit mixed model with"
    )
    text = (
        f"{begin} random {', '.join(random[:-1])} and {random[-1]} (Laplace approximation), fitted to "
        f"{model['n_ratings']} ratings by {model['n_raters']} raters."
    )
    if not differences:
        return text
    level = f"{100 * report.method['confidence']:g}%"
    named = "; ".join(
        f"{row['first']} − {row['second']}: {row['difference']:.2f}, {row['low']:.2f} to {row['high']:.2f}"
        for row in found[:MOST_NAMED]
    )
    examples = f" ({'the largest: ' if len(found) > MOST_NAMED else ''}{named})" if found else ""
    verb = "excludes" if len(found) == 1 else "exclude"
    return (
        f"{text} Of {len(differences)} differences between systems, {len(found)} {verb} 0 in simultaneous "
        f"{level} intervals{examples}."
    )


def _systems(model: Mapping[str, Any]) -> list[Row]:
    return [
        {
            "system": row["system"],
            "ratings": row["ratings"],
            "mean": row["mean"],
            "adjusted": row["adjusted"]["value"],
            "low": row["adjusted"]["low"],
            "high": row["adjusted"]["high"],
            "change": row["adjusted"]["value"] - row["mean"],
        }
        for row in model["systems"]
    ]


def _differences(model: Mapping[str, Any]) -> list[Row]:
    return [
        {
            "first": row["first"],
            "second": row["second"],
            "difference": row["value"],
            "low": row["low"],
            "high": row["high"],
            "p_adjusted": row["p_adjusted"],
        }
        for row in model["differences"]
    ]


def _raters(model: Mapping[str, Any]) -> list[Row]:
    found = []
    for row in model["raters"]:
        severity = row["severity"] or {"value": None, "low": None, "high": None}
        found.append(
            {
                "rater": row["rater"],
                "ratings": row["ratings"],
                "severity": severity["value"],
                "low": severity["low"],
                "high": severity["high"],
                **{name: row[name] for name in ("fair_average", "infit", "outfit", "reason")},
            }
        )
    return found


def _variances(model: Mapping[str, Any]) -> list[Row]:
    return [dict(row) for row in model["variances"]]


def _thresholds(model: Mapping[str, Any]) -> list[Row]:
    return [
        {"rater": row["rater"], "below": below, "above": above, "threshold": threshold, "error": error}
        for row in model["rater_thresholds"]["raters"]
        for (below, above), threshold, error in zip(
            pairwise(model["values"]), row["thresholds"], row["errors"], strict=True
        )
    ]


def _own_thresholds(model: Mapping[str, Any]) -> Row:
    """Thresholds of raters, those who distinguish the fewest logits first, with the values on either side."""
    own = model["rater_thresholds"]
    sides = [f"{below:g} | {above:g}" for below, above in pairwise(model["values"])]
    return {**own, "sides": sides, "raters": sorted(own["raters"], key=itemgetter("range"))}


def _positive(row: Row) -> Row:
    """The higher system first."""
    if row["difference"] >= 0:
        return row
    return {
        **row,
        "first": row["second"],
        "second": row["first"],
        "difference": -row["difference"],
        "low": -row["high"],
        "high": -row["low"],
    }


def _half_widths(rows: Sequence[Row]) -> Row | None:
    """The smallest and the largest half width of intervals."""
    found = [row["high"] - row["difference"] for row in rows]
    return {"n": len(found), "low": min(found), "high": max(found)} if found else None


def _is_small(model: Mapping[str, Any]) -> bool:
    """Whether raters, items or the items of a system are so few that intervals are too narrow."""
    items: list[int] = [row["items"] for row in model["systems"]]
    raters: int = model["n_raters"]
    return raters < ENOUGH_RATERS or sum(items) < ENOUGH_ITEMS or min(items) < ENOUGH_OF_A_SYSTEM


def _reach(rows: Sequence[Mapping[str, Any]]) -> float:
    """How far an axis around 0 goes: the next half point beyond all intervals."""
    longest: float = max(max(abs(row["low"]), abs(row["high"])) for row in rows)
    return math.ceil(2 * longest) / 2


def _around_zero(row: Row) -> Row:
    """The row with a hollow mark if its interval includes 0."""
    if row["low"] is not None and row["low"] <= 0 <= row["high"]:
        return {**row, "shape": "hollow"}
    return row
