"""Which coefficient of each criterion to report, by the rules for its design, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.domain.base.messages import Message, message
from scoring.models import Report
from scoring.selectors.base.figure_sentences import REACHES_ZERO, question_of, reading_of
from scoring.selectors.base.figures import MEANINGS, figure_name, help_page
from scoring.stats.agreement.choosing import (
    Level,
    Raters,
    RatingDesign,
    Rule,
    Use,
    choose_coefficient,
    uses_of,
)
from scoring.stats.base.result import CONTINUOUS_SCALE, OPTIONS_DIFFER

USES: Mapping[Use, Message] = {
    "mean": message("If you analyse the mean rating of each item"),
    "single": message("If you use single ratings"),
}
OF_OPTIONS = message("For the chosen options")
REASONS: Mapping[str, Message] = {
    "no_order": message("Options have no order, so ratings are equal or different."),
    "options_differ": message(
        "The options are texts of the item, so their overall frequencies have no meaning."
    ),
    "several_options": message("Several options can be chosen, so options in common count in part."),
    "order_counts": message(
        "Points have an order, but not necessarily equal distances, and ratings may be missing."
    ),
    "distances_count": message("The scale has no points, so distances between values count."),
    "same_raters": message(
        "Every rater rated every item, so differences in severity can be estimated. They count as error. If "
        "you only compare these items with each other, severity cancels out: ICC3k."
    ),
    "shared_items": message(
        "Raters differ between items but share some of them, so differences in severity can be estimated. "
        "They count as error."
    ),
    "separate_groups": message(
        "Some raters share no items with others. Severity is estimated among raters who share items; items "
        "of raters who share none cannot be compared."
    ),
    "unknown_raters": message(
        "The data do not say which ratings are by the same rater, so severity is part of the error."
    ),
}


def recommended(report: Report) -> list[dict[str, Any]]:
    """The coefficients to report, by criterion.

    Parameters
    ----------
    report : Report
        A stored report.

    Returns
    -------
    list of dict
        `criterion` and `choices`, each with `use`, `name`, `help`, `row`, `reason`, `question`, `reading`,
        `reaches_zero` and `meaning` (why there is no estimate or no interval). Criteria without a rule, such
        as marked tuples, and coefficients that an older report lacks are left out.
    """
    components: dict[str, int] = report.tables.get("components", {})
    found = []
    for criterion, rows in _by_criterion(report.figures).items():
        design = design_of(rows, components.get(criterion, 1))
        choices = _choices(rows, design) if design else []
        if choices:
            found.append({"criterion": criterion, "choices": choices})
    return found


def recommended_rows(report: Report, use: Use | None = None) -> list[Mapping[str, Any]]:
    """The statistics to report, in the order of their criteria.

    Parameters
    ----------
    report : Report
        A stored report.
    use : str or None
        Select those for the `mean` rating of an item or for `single` ratings; None for all.
    """
    return [
        choice["row"]
        for group in recommended(report)
        for choice in group["choices"]
        if use is None or choice["use"] == USES[use]
    ]


def design_of(rows: list[Mapping[str, Any]], components: int) -> RatingDesign | None:
    """The design of a criterion, from what its figures say of the data.

    Parameters
    ----------
    rows : list of mapping
        The figures of the criterion.
    components : int
        Number of groups of raters that share no items.

    Returns
    -------
    RatingDesign or None
        None for what is no rating, such as marked tuples.
    """
    level = _level(rows)
    of_all_ratings = next((row for row in rows if row["coefficient"] == "icc2k"), rows[0])
    return RatingDesign(level, _raters(of_all_ratings, components)) if level else None


def _by_criterion(figures: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Figures without those of single raters and of single options of a question with several."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in figures:
        if not str(row["variant"]).startswith("rater:"):
            groups.setdefault(row["criterion"], []).append(row)
    with_several = tuple(f"{name}:" for name, rows in groups.items() if _level(rows) == "sets")
    return {
        name: rows for name, rows in groups.items() if not (with_several and name.startswith(with_several))
    }


def _level(rows: list[Mapping[str, Any]]) -> Level | None:
    reasons = {(row["coefficient"], row["variant"]): row["reason"] for row in rows}
    if ("alpha", "ordinal") in reasons:
        continuous = any(row["reason"] == CONTINUOUS_SCALE for row in rows)
        return "interval" if continuous else "ordinal"
    if ("alpha", "masi") in reasons:
        return None if reasons["alpha", "masi"] == OPTIONS_DIFFER else "sets"
    if ("alpha", "nominal") in reasons:
        return "places" if reasons["alpha", "nominal"] == OPTIONS_DIFFER else "nominal"
    return None


def _raters(row: Mapping[str, Any], components: int) -> Raters:
    if row["n_raters"] is None:
        return "unknown"
    if components > 1:
        return "nested"
    return "crossed" if row["n_ratings"] == row["n_items"] * row["n_raters"] else "linked"


def _choices(rows: list[Mapping[str, Any]], design: RatingDesign) -> list[dict[str, Any]]:
    uses = uses_of(design.level)
    chosen = [(use, rule, _row_of(rows, rule)) for use in uses for rule in [choose_coefficient(design, use)]]
    return [
        {
            "use": USES[use] if len(uses) > 1 else OF_OPTIONS,
            "name": figure_name(row),
            "help": help_page(row),
            "row": row,
            "reason": REASONS[rule.name],
            "question": question_of(row),
            "reading": reading_of(row),
            "reaches_zero": REACHES_ZERO if _reaches_zero(row) else "",
            "meaning": MEANINGS.get(row["reason"] or row["interval_method"].removeprefix("none:"), ""),
        }
        for use, rule, row in chosen
        if row is not None
    ]


def _row_of(rows: list[Mapping[str, Any]], rule: Rule) -> Mapping[str, Any] | None:
    """The figure of a rule; the variants of the ICC and of S only say how they were computed."""
    of_key = [row for row in rows if row["coefficient"] == rule.coefficient]
    return next((row for row in of_key if rule.variant in {"", row["variant"]}), None)


def _reaches_zero(row: Mapping[str, Any]) -> bool:
    return row["low"] is not None and row["low"] <= 0 <= row["high"]
