"""Figures of a report as rows of its page: names, places on the axis, reasons in words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.models import Report
from scoring.stats.agreement.coefficients import BY_DEFAULT, COEFFICIENTS

MEANINGS = {
    "constant_ratings": "The ratings do not vary: every one is the same, or, in a held-out correlation, all "
    "of one rater’s or all means of the others.",
    "no_item_variance": "The items do not differ in their means, so the ratio is undefined.",
    "no_overlap": "No item has two ratings.",
    "too_few_raters": "The coefficient needs more raters.",
    "too_few_items": "Fewer items are shared than the figure needs: agreement corrected for chance needs "
    "two, a held-out correlation ten.",
    "not_connected": "Somebody won or lost everything, or the pairs fall into parts that never meet, so no "
    "finite strengths exist.",
    "too_many_items": "There are too many competitors for a bootstrap.",
    "not_converged": "The strengths were not found in as many steps as are taken.",
    "too_few_groups": "The items come in fewer than five groups, which is too few to draw from.",
    "anonymous_raters": "The file says rating 1, 2, 3, but not who gave them.",
    "undefined_replicates": "Too many bootstrap replicates are undefined for an interval.",
    "continuous_scale": "The scale is a slider, has more than 20 points, or has values that are not whole "
    "numbers, so equal ratings are no fair measure. Read α, the ICC and the held-out correlation instead.",
    "incomplete_design": "Some raters have not rated every item, and the coefficient needs that.",
    "negative_values": "The ratio level needs values of zero or more, and some ratings are below zero.",
    "options_differ": "The options differ by item, so how often a value was chosen says nothing.",
    "not_located": "Fewer than two annotators of an item located all that they marked.",
    "nothing_marked": "Nobody marked this part of a tuple.",
    "too_many_raters": "More than 30 raters make no readable mean of pairs.",
    "biased_replicates": "The greatest of several correlations lies outside what resampling can bound.",
    "no_limits_in_range": "The method gives no finite limits around the estimate within the range of the "
    "ICC. This happens with few items, and where the ICC is far below 0.",
}
# Every report on scales has it, and no other.
ON_SCALES = "icc1"
# Steps of the axis: the wide one where it goes further below 0 than one narrow step, so that labels fit.
NARROW_STEP, WIDE_STEP = 0.2, 0.5


def figure_groups(report: Report) -> list[dict[str, Any]]:
    """The figures by criterion, single raters left to their own table."""
    low = axis_start(report)
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in _of_all_raters(report):
        groups.setdefault(row["criterion"], []).append(_shown(row, low))
    return [{"criterion": name, "rows": rows} for name, rows in groups.items()]


def _of_all_raters(report: Report) -> list[dict[str, Any]]:
    return [row for row in report.figures if not row["variant"].startswith("rater:")]


def rater_groups(report: Report) -> list[dict[str, Any]]:
    """Each rater against the mean of the others, Pearson and Spearman side by side, by criterion."""
    groups: dict[str, dict[str, dict[str, Any]]] = {}
    means = {
        (criterion, row["rater"]): row["mean"]
        for criterion, table in report.tables.get("distributions", {}).items()
        for row in table["raters"]
    }
    for row in report.figures:
        if row["variant"].startswith("rater:"):
            rater = row["variant"].removeprefix("rater:")
            cells = groups.setdefault(row["criterion"], {}).setdefault(rater, {"rater": rater})
            cells[row["coefficient"]] = row["estimate"]
            cells["n_items"] = row["n_items"]
            cells["mean"] = means.get((row["criterion"], rater))
            cells[f"{row['coefficient']}_reason"] = row["reason"]
    return [{"criterion": name, "raters": list(raters.values())} for name, raters in groups.items()]


def not_computable(report: Report) -> list[dict[str, Any]]:
    """The reasons for which figures or intervals are missing, each with what it concerns."""
    missing: dict[str, dict[str, list[str]]] = {}
    for row in report.figures:
        reason, what = row["reason"], ""
        if not reason and row["interval_method"].startswith("none:"):
            reason, what = row["interval_method"].removeprefix("none:"), " (interval)"
        if reason:
            figures = missing.setdefault(reason, {}).setdefault(row["criterion"], [])
            figures.append(f"{figure_name(row)}{what}")
    return [
        {
            "reason": reason,
            "meaning": MEANINGS.get(reason, ""),
            "figures": [{"criterion": name, "names": names} for name, names in by_criterion.items()],
        }
        for reason, by_criterion in missing.items()
    ]


def added_since(report: Report) -> list[str]:
    """Keys of the coefficients that were added after a report on scales was stored."""
    found = {row.get("coefficient") for row in report.figures}
    return [key for key in BY_DEFAULT if key not in found] if ON_SCALES in found else []


def nothing_computed(report: Report) -> bool:
    """Whether no figure at all could be computed."""
    return all(row["estimate"] is None for row in report.figures)


def disconnected(report: Report) -> dict[str, int]:
    """Criteria whose raters fall into groups that never meet on an item, and how many groups."""
    components: dict[str, int] = report.tables.get("components", {})
    return {criterion: number for criterion, number in components.items() if number > 1}


def icc_paths(report: Report) -> list[str]:
    """How the ICCs were estimated, each way once."""
    found = (row["variant"].split(",")[0] for row in report.figures if row["coefficient"].startswith("icc"))
    return list(dict.fromkeys(found))


def axis_start(report: Report) -> float:
    """Where the axis begins: at 0 or the step below the lowest figure, within the coefficients' axes."""
    rows = _of_all_raters(report)
    numbers = [float(row[key]) for row in rows for key in ("estimate", "low") if row[key] is not None]
    lowest = min([0.0, *numbers])
    step = _step(lowest)
    return max(_least(report), round(math.floor(lowest / step) * step, 1))


def _step(lowest: float) -> float:
    return NARROW_STEP if lowest >= -NARROW_STEP else WIDE_STEP


def _least(report: Report) -> float:
    """The lowest end of the axes of the report's coefficients."""
    known = {row["coefficient"] for row in report.figures} & COEFFICIENTS.keys()
    return min([COEFFICIENTS[key].axis[0] for key in known], default=-1.0)


def ticks(report: Report) -> list[dict[str, Any]]:
    """Marks of the axis with their places in per cent."""
    low = axis_start(report)
    step = _step(low)
    count = round((1 - low) / step)
    return [
        {
            "label": f"{low + step * place:.1f}".removesuffix(".0").replace("-", "−"),
            "x": round(100 * place / count, 2),
        }
        for place in range(count + 1)
    ]


def figure_name(row: Mapping[str, Any]) -> str:
    """The name of a figure; its signature says how it was computed."""
    coefficient, variant = COEFFICIENTS.get(row["coefficient"]), str(row["variant"])
    name = coefficient.title if coefficient else str(row["coefficient"])
    if row["coefficient"].startswith("icc"):
        _, _, k = variant.partition("k=")
        return name.replace("of ratings", f"of {float(k):.3g}") if k else name
    if coefficient and coefficient.plain:
        return name
    return f"{name}, {variant.split(', q=', maxsplit=1)[0].replace('rater:', 'rater ')}"


def _shown(row: Mapping[str, Any], low: float) -> dict[str, Any]:
    coefficient = row["coefficient"]
    shape = "diamond" if coefficient.startswith("held_out") else "circle"
    return {
        **row,
        "name": figure_name(row),
        "shape": "hollow" if coefficient.endswith("k") else shape,
        "x": _place(row["estimate"], low),
        "x_low": _place(row["low"], low),
        "x_high": _place(row["high"], low),
        "cut": row["low"] is not None and row["low"] < low,
        "meaning": MEANINGS.get(row["reason"], ""),
        "no_interval": row["interval_method"].removeprefix("none:")
        if row["interval_method"].startswith("none:")
        else "",
    }


def _place(value: float | None, low: float) -> float | None:
    """The place on the axis in per cent; what lies below the axis is at its beginning."""
    return None if value is None else round(100 * max(0.0, value - low) / (1 - low), 2)


def interval_methods(report: Report) -> Sequence[str]:
    """The methods that gave the report's intervals, each once."""
    methods = dict.fromkeys(row["interval_method"] for row in report.figures)
    return [method for method in methods if method and not method.startswith("none")]
