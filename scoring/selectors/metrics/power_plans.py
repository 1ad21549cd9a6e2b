"""The power plans of a study, and what the study found of what was planned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Count, QuerySet, Value
from django.db.models.functions import Concat

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import KINDS
from annotation.models import Criterion, Study
from scoring.models import Report
from scoring.selectors.base.figures import figure_name
from scoring.selectors.base.metric_labels import metric_label
from scoring.selectors.base.reports import latest_report
from scoring.selectors.metrics.choice_pilots import OF_CHOICES
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


def pilots_of(study: Study, question: str) -> dict[str, Row]:
    """What a plan can take from the study's own answers, by criterion; empty without results.

    Parameters
    ----------
    study : Study
        The pilot.
    question : str
        Question of the plan.

    Returns
    -------
    dict
        For `pairs`, of criteria that compare two competitors, the shares `preferred` (the first), `ties` and
        `agreement` of the newest reliability report; for `best_worst` its `spread`, the variance of the
        strengths; else the newest ordinal mixed model, as `model_json` gives it.
    """
    if question in OF_CHOICES:
        report = latest_report(study, "reliability")
        return OF_CHOICES[question].pilots(report) if report else {}
    report = latest_models(study)
    return {model["criterion"]: model for model in report.tables["models"]} if report else {}


def opening_question(study: Study) -> str:
    """The question of a plan that fits what a study asks for.

    Parameters
    ----------
    study : Study
        The study that is planned, or that is a pilot.

    Returns
    -------
    str
        `pairs` or `best_worst` where its forms ask for such comparisons alone; `systems` where its items
        are of at least two, or where it has none yet; else `coefficient`.
    """
    asked = Criterion.objects.filter(version__form__study=study, version__form__planted=False)
    kinds = [KINDS[kind] for kind in asked.order_by().values_list("kind", flat=True).distinct()]
    if not any(kind.yields is Yields.NUMBER for kind in kinds):
        if any(kind.yields is Yields.PREFERENCE for kind in kinds):
            return "pairs"
        if any(kind.orders_ends for kind in kinds):
            return "best_worst"
    counts = study.items.aggregate(items=Count("pk"), systems=Count("system", distinct=True))
    return "systems" if counts["systems"] > 1 or not counts["items"] else "coefficient"


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
        Report of kind `power`.
    """
    enough = report.tables["enough"]
    return [
        {**row, "found": row["estimate"], "estimate": row["power"], "is_cheapest": row == enough}
        for row in report.tables["designs"]
    ]


def usual_group_size(study: Study) -> int:
    """The items of a group, per system, as the study has them on average; 0 without groups.

    Parameters
    ----------
    study : Study
        The study that is planned, or that is a pilot.
    """
    counts = study.items.exclude(group="").aggregate(
        items=Count("pk"), places=Count(Concat("group", Value("\x1f"), "system"), distinct=True)
    )
    return round(counts["items"] / counts["places"]) if counts["places"] else 0


def outcome_of(report: Report) -> dict[str, Any] | None:
    """What the study has found since a plan was made from it.

    Parameters
    ----------
    report : Report
        Report of kind `power`, with the criterion that it is about.

    Returns
    -------
    dict or None
        `report` (the newest results) and its `rows` with `name`, `estimate`, `low`, `high` and `p`; for a
        coefficient also `above`, whether its interval is above the bound, and for pairs `decided`, whether it
        excludes one half. None for a plan from typed
        variances, or without results that are newer than the plan.
    """
    method = report.method
    kind = "metrics" if method["question"] in {"systems", "metrics"} else "reliability"
    results = latest_report(report.study, kind) if method["criterion"] else None
    if results is None or results.created_at <= report.created_at:
        return None
    rows = FOUND[method["question"]](method, results)
    return {"report": results, "rows": rows} if rows else None


def _coefficient(method: Mapping[str, Any], results: Report) -> list[Row]:
    key, _, variant = method["coefficient"].partition(":")
    return [
        {
            "name": figure_name(figure),
            "estimate": figure["estimate"],
            "low": figure["low"],
            "high": figure["high"],
            "above": figure["low"] is not None and figure["low"] > method["bound"],
        }
        for figure in results.figures
        if (figure["criterion"], figure["coefficient"]) == (method["criterion"], key)
        and figure["variant"].startswith(variant)
    ]


def _systems(method: Mapping[str, Any], results: Report) -> list[Row]:
    differences = (results.tables.get("systems") or {}).get("differences", [])
    found = [difference for difference in differences if difference["criterion"] == method["criterion"]]
    ordered = sorted(found, key=lambda one: -abs(one["difference"] or 0))
    return [
        {**one, "name": f"{one['first']} − {one['second']}", "estimate": one["difference"]}
        for one in ordered[:MOST_NAMED]
    ]


def _metrics(method: Mapping[str, Any], results: Report) -> list[Row]:
    """The metrics that the results compare, whatever coefficient they are compared by."""
    compared = [
        one for one in results.tables.get("comparisons", []) if one["criterion"] == method["criterion"]
    ]
    return [
        {**one, "name": f"{metric_label(one['metric'])} − {metric_label(one['metric2'])}"}
        for one in compared[:MOST_NAMED]
    ]


FOUND: Mapping[str, Callable[[Mapping[str, Any], Report], list[Row]]] = {
    "coefficient": _coefficient,
    "systems": _systems,
    "metrics": _metrics,
    **{question: one.found for question, one in OF_CHOICES.items()},
}
