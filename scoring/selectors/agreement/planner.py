"""Plans of a study: from its pilot or from typed variances; and means of two crossed factors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.domain.base.messages import Message, message
from scoring.models import Report
from scoring.selectors.base.figures import as_answered
from scoring.selectors.base.stored_sentences import as_message
from scoring.stats.agreement.variance.planning import (
    ComponentRanges,
    Plan,
    PlanRow,
    Prices,
    Range,
    plan,
    raters_needed,
)

RATERS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
# A design with more raters per item is named, but has no row.
MOST_RATERS = 50
SEED = 1
SIMULATIONS = 100
VARIANCES = ("item", "rater", "residual")
DEFAULTS = {
    "item": 0.5,
    "rater": 0.1,
    "residual": 0.5,
    "target": 0.8,
    "items": 100,
    "price": 0,
    "seconds": 30,
}
LIMITS = {"items": (2, 1_000_000), "target": (0.01, 0.99)}
SHADES = 6
FIELDS = {
    "item": message("Variance between items"),
    "rater": message("Variance between raters"),
    "residual": message("Residual variance"),
    "target": message("Target reliability"),
    "items": message("Number of items"),
    "price": message("Price per rating"),
    "seconds": message("Seconds per rating"),
}
ANALYSES = {"one-way": message("one-way"), "two-way": message("two-way")}
PROBLEMS = (
    message("A range needs two finite numbers, the lower one first, not %(low)s and %(high)s."),
    message("A variance is below 0. Enter 0 if an estimate is negative."),
    message("All variances may be 0. Enter at least one variance above 0."),
    message("The target reliability is %(target)s. It must be between 0 and 1."),
    message("A design needs at least 2 items and 1 rater per item."),
)
ASSUMPTIONS = (
    message(
        "Variances from a %(path)s analysis of %(items)s items and %(ratings)s ratings of %(criterion)s "
        "(%(variant)s)."
    ),
    message(
        "The item variance covers the CI of %(coefficient)s (%(low)s to %(high)s, confidence "
        "%(confidence)s). The other variances are fixed at their estimates."
    ),
    message("A negative variance is replaced by 0."),
    message("Variance between items %(item)s, between raters %(rater)s, residual %(residual)s."),
    message(
        "Items, raters and residuals are normal and independent. "
        "New raters are like those behind the variances."
    ),
    message(
        "CI widths are medians over %(studies)s simulated studies (confidence %(confidence)s, seed %(seed)s)."
    ),
    message(
        "ICC1k (different raters for every item) and ICC2k (the same raters for all items) have the "
        "same reliability here. Only the widths of their CIs differ."
    ),
    message("A rating costs %(price)s and takes %(seconds)s s. Other costs are not included."),
)


class UnusableNumber(ValueError):
    """A number of the form cannot be used; `problem` says why."""

    def __init__(self, problem: Message) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True)
class PlanPage:
    """What the planner shows."""

    values: dict[str, Any]  # Content of the form
    pilots: list[str]  # Criteria of the latest report that variances can be taken from
    criterion: str  # The one they were taken from; empty for typed ones
    plan: Plan | None  # The designs; None where a number cannot be used
    problem: str = ""  # Why there is no plan
    rows: list[dict[str, Any]] = field(default_factory=list)  # The designs with their numbers as text
    enough: dict[str, Any] | None = None  # The smallest design that reaches the target even in the worst case
    assumptions: list[str] = field(default_factory=list)  # Those of the plan


def plan_page(report: Report | None, given: Mapping[str, str], names: Mapping[str, str]) -> PlanPage:
    """Read the planner's form and compute the plan.

    Parameters
    ----------
    report : Report or None
        The latest reliability report.
    given : mapping
        `criterion` (of the report), or `item`, `rater`, `residual`; `target`, `items`, `price`, `seconds`.
    names : mapping of str to str
        Names of the criteria, for the assumptions; read only where they come from a report.
    """
    pilots: dict[str, Any] = report.tables.get("pilots", {}) if report else {}
    criterion = given.get("criterion", "")
    typed = {key: given[key] for key in DEFAULTS if key in given}
    if criterion not in pilots:
        criterion = "" if typed or not pilots else next(iter(pilots))
    values = {**DEFAULTS, **typed}
    try:
        numbers = {key: _number(key, values[key]) for key in DEFAULTS}
    except UnusableNumber as refusal:
        return PlanPage(values, list(pilots), criterion, None, refusal.problem)
    found = pilots.get(criterion)
    if found:
        values |= {key: round(sum(found[key]) / 2, 4) for key in VARIANCES}
    try:
        plan = _planned(_ranges(found, numbers), numbers, tuple(found["assumptions"]) if found else ())
    except ValueError as problem:
        return PlanPage(values, list(pilots), criterion, None, as_message(str(problem), PROBLEMS))
    rows = [_shown(row) for row in plan.rows]
    most = plan.raters_needed[1] if plan.raters_needed else None
    return PlanPage(
        values,
        list(pilots),
        criterion,
        plan,
        rows=rows,
        enough=next((row for row in rows if row["raters"] == most), None),
        assumptions=[_assumption(sentence, names) for sentence in plan.assumptions],
    )


def _assumption(sentence: str, names: Mapping[str, str]) -> str:
    """An assumption with its ranges and the analysis as messages, and with the name of the criterion."""
    stored = as_message(sentence, ASSUMPTIONS)
    if not isinstance(stored, Message):
        return stored
    values = {key: _readable(str(value)) for key, value in stored.values.items()}
    if "criterion" in values:
        values["criterion"] = names.get(values["criterion"], values["criterion"])
    return message(stored.singular, **values)


def _readable(text: str) -> str:
    low, to, high = text.partition(" to ")
    return message("%(low)s to %(high)s", low=low, high=high) if to else ANALYSES.get(text, text)


def _ranges(found: Mapping[str, Any] | None, numbers: Mapping[str, float]) -> ComponentRanges:
    """The variances of a pilot, or without one those that were typed."""
    if found:
        return ComponentRanges(*(Range(*found[key]) for key in VARIANCES))
    return ComponentRanges(*(Range.at(numbers[key]) for key in VARIANCES))


def _planned(ranges: ComponentRanges, numbers: Mapping[str, float], assumptions: tuple[str, ...]) -> Plan:
    needed = (raters_needed(one, numbers["target"]) for one in (ranges.best, ranges.worst))
    return plan(
        ranges,
        items=[int(numbers["items"])],
        raters=sorted({*RATERS, *(n for n in needed if n is not None and n <= MOST_RATERS)}),
        target=numbers["target"],
        prices=Prices(Range.at(numbers["price"]), Range.at(numbers["seconds"])),
        seed=SEED,
        simulations=SIMULATIONS,
        assumptions=assumptions,
    )


def _shown(row: PlanRow) -> dict[str, Any]:
    def text(number: Range | None, spec: str) -> str:
        return "–" if number is None else _readable(format(number, spec))

    return {
        "raters": row.raters,
        "reliability": text(row.reliability, ".3f"),
        "width_different_raters": text(row.width_different_raters, ".3f"),
        "width_same_raters": text(row.width_same_raters, ".3f"),
        "ratings": f"{row.ratings:,}",
        "cost": text(row.cost if row.cost and row.cost.high else None, ",.2f"),
        "hours": text(row.hours, ",.1f"),
    }


def _number(key: str, text: Any) -> float:
    try:
        number = float(text)
    except ValueError:
        raise UnusableNumber(
            message("%(field)s: %(text)s is not a number.", field=FIELDS[key], text=repr(text))
        ) from None
    low, high = LIMITS.get(key, (0.0, 1e9))
    if not low <= number <= high:
        limits = {"number": f"{number:g}", "low": f"{low:g}", "high": f"{high:g}"}
        raise UnusableNumber(
            message("%(field)s: %(number)s is not between %(low)s and %(high)s.", field=FIELDS[key], **limits)
        )
    return number


def crossed_table(report: Report, criterion: str) -> dict[str, Any]:
    """Mean ratings of every combination, shaded from the least to the greatest.

    Parameters
    ----------
    report : Report
        A reliability report.
    criterion : str
        Criterion of the means; an unknown one means the first.

    Returns
    -------
    dict
        `factors`, `criteria`, `criterion`, `columns`, and `rows` with `label` and `cells` (`mean`, `shade`);
        empty where the items cross no factors.
    """
    crossed = report.tables.get("crossed") or {}
    if not crossed:
        return {}
    names = list(crossed["criteria"])
    chosen = criterion if criterion in names else names[0]
    table = dict(crossed["criteria"][chosen])
    table["means"] = [
        [None if mean is None else as_answered(report, chosen, mean) for mean in row]
        for row in table["means"]
    ]
    return {
        "factors": crossed["factors"],
        "criteria": names,
        "criterion": chosen,
        "columns": table["columns"],
        "rows": _shaded(table),
    }


def _shaded(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    known = [mean for row in table["means"] for mean in row if mean is not None]
    low, high = min(known), max(known)
    width = (high - low) / SHADES or 1.0
    return [
        {
            "label": label,
            "cells": [
                {"mean": mean, "shade": None if mean is None else min(SHADES, 1 + int((mean - low) / width))}
                for mean in means
            ],
        }
        for label, means in zip(table["rows"], table["means"], strict=True)
    ]
