"""Statistics of a report as rows of its page, with names, positions on the axis and reasons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.base.messages import Message, message
from scoring.models import Report
from scoring.selectors.base.coefficient_words import MEANS_OF, TITLES, variant_words
from scoring.selectors.base.figure_sentences import question_of
from scoring.stats.agreement.coefficients import BY_DEFAULT, COEFFICIENTS
from scoring.stats.base.cautions import at_mean_k, cautions_of
from scoring.stats.base.result import DEFINITIONS_VERSION

# Counted up when figures of the same data would differ, for kinds of reports whose rows have no signatures.
DEFINITIONS: Mapping[str, int] = {"judges": 6}
MEANINGS: Mapping[str, Message] = {
    "constant_ratings": message(
        "The ratings do not vary. All are the same or, in a held-out correlation, all ratings by one "
        "rater or all means of the other raters."
    ),
    "no_item_variance": message("The item means do not differ, so the ratio is undefined."),
    "no_overlap": message("No item has two ratings."),
    "too_few_raters": message("The coefficient needs more raters."),
    "too_few_items": message(
        "Too few items are shared. Chance-corrected agreement needs 2 items, a bootstrap confidence "
        "interval 5 and a held-out correlation 10."
    ),
    "too_few_sets": message(
        "The item is in fewer than 3 sets. A confidence interval of a best–worst score needs 3."
    ),
    "not_connected": message(
        "A competitor won or lost every comparison, or the pairs form groups that are never compared with "
        "each other. The strengths have no finite estimates."
    ),
    "too_many_items": message("There are too many competitors for a bootstrap."),
    "not_converged": message("The estimation of the strengths did not converge."),
    "tied_ranks": message(
        "Raters put options above the last on the same rank. Strengths require that one option is chosen at "
        "each rank."
    ),
    "too_few_groups": message("The items belong to fewer than 5 groups, which is too few for a bootstrap."),
    "anonymous_raters": message(
        "The file does not identify the raters. It only numbers the ratings of an item."
    ),
    "undefined_replicates": message(
        "The coefficient is undefined in too many bootstrap samples for a confidence interval."
    ),
    "continuous_scale": message(
        "The scale has no points or more than 20, or has values that are not in whole or half steps. "
        "Use α, the ICC or the held-out correlation instead."
    ),
    "incomplete_design": message("Some raters have not rated every item, and the coefficient requires that."),
    "too_few_tests": message("The set has only one test, so there is nothing to compare it with."),
    "other_scale": message("The scales of the two studies differ, so that their values cannot be compared."),
    "negative_values": message(
        "Some ratings are below 0, and the ratio level requires values of at least 0."
    ),
    "options_differ": message(
        "The options differ between items, so the overall frequency of an option has no meaning."
    ),
    "not_located": message("Fewer than 2 raters of an item located all spans that they marked in the text."),
    "nothing_marked": message("No rater marked this."),
    "too_many_raters": message("With more than 30 raters, the mean over pairs is hard to interpret."),
    "biased_replicates": message(
        "The maximum of several correlations lies outside the range that resampling can estimate."
    ),
    "no_limits_in_range": message(
        "The method gives no finite limits around the estimate within the range of the coefficient. This "
        "happens with few items, when the coefficient is far below 0, or when a few items decide its value."
    ),
    "few_raters": message(
        "Fewer than 20 raters rated more than 200 items. In simulated studies with 400 or 1,000 items and 3 "
        "to 15 raters, 91 to 94 of 100 intervals of ICC2 contained the true value for new raters."
    ),
    "skewed_ratings": message(
        "More than half of the ratings have the lowest or the highest value given. In simulated studies with "
        "such ratings, 83 to 91 of 100 intervals by the F distribution contained the true value of ICC2 and "
        "ICC3, and with 20 to 30 items 89 to 95 of 100 by the jackknife."
    ),
}
# Every report on scales has it, and no other.
ON_SCALES = "icc1"
# Steps of the axis: the wide one where it goes further below 0 than one narrow step, so that labels fit.
NARROW_STEP, WIDE_STEP = 0.2, 0.5


def figure_groups(report: Report) -> list[dict[str, Any]]:
    """The statistics by criterion, without those of single raters."""
    low = axis_start(report)
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in _of_all_raters(report):
        groups.setdefault(row["criterion"], []).append(_shown(row, low))
    return [{"criterion": name, "rows": rows} for name, rows in groups.items()]


def _of_all_raters(report: Report) -> list[dict[str, Any]]:
    return [row for row in report.figures if not row["variant"].startswith("rater:")]


def is_logarithmic(report: Report, criterion: str) -> bool:
    """Whether the numbers of a criterion are logarithms of what was answered, as of magnitude estimates."""
    table = report.tables.get("distributions", {}).get(criterion, {})
    return bool(table.get("logarithmic"))


def as_answered(report: Report, criterion: str, number: float) -> float:
    """A number of a report on the scale of the answers; the mean of logarithms becomes the geometric mean."""
    return math.exp(number) if is_logarithmic(report, criterion) else number


def rater_groups(report: Report) -> list[dict[str, Any]]:
    """Each rater against the mean of the others, Pearson and Spearman side by side, by criterion."""
    groups: dict[str, dict[str, dict[str, Any]]] = {}
    means = {
        (criterion, row["rater"]): as_answered(report, criterion, row["mean"])
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
    return [
        {"criterion": name, "raters": list(raters.values()), "logarithmic": is_logarithmic(report, name)}
        for name, raters in groups.items()
    ]


def not_computable(report: Report) -> list[dict[str, Any]]:
    """The reasons for missing estimates and intervals, each with the coefficients it concerns."""
    missing: dict[str, dict[str, list[str]]] = {}
    for row in report.figures:
        reason, name = row["reason"], figure_name(row)
        if not reason and row["interval_method"].startswith("none:"):
            reason = row["interval_method"].removeprefix("none:")
            name = message("%(coefficient)s (confidence interval)", coefficient=name)
        if reason:
            missing.setdefault(reason, {}).setdefault(row["criterion"], []).append(name)
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


def has_these_definitions(report: Report) -> bool:
    """Whether all statistics of a report were computed by the definitions of this version."""
    if report.kind in DEFINITIONS and report.method.get("definitions") != DEFINITIONS[report.kind]:
        return False
    signatures = (str(row["signature"]) for row in report.figures if "signature" in row)
    return all(f"definitions:{DEFINITIONS_VERSION}" in signature.split("|") for signature in signatures)


def nothing_computed(report: Report) -> bool:
    """Whether no coefficient could be computed."""
    return all(row["estimate"] is None for row in report.figures)


def disconnected(report: Report) -> dict[str, int]:
    """Criteria whose raters fall into groups that never meet on an item, and how many groups."""
    components: dict[str, int] = report.tables.get("components", {})
    return {criterion: number for criterion, number in components.items() if number > 1}


def icc_paths(report: Report) -> list[str]:
    """How the ICCs were estimated, each way once."""
    found = (row["variant"].split(",")[0] for row in report.figures if row["coefficient"].startswith("icc"))
    return [path for path in dict.fromkeys(found) if path]


def has_simulated(report: Report) -> bool:
    """Whether the report counts simulated responses, to any kind of question."""
    parts = report.data.get("by_kind", {}).values() or [report.data]
    return any(part.get("n_simulated") for part in parts)


def is_resampled(report: Report) -> bool:
    """Whether an interval of the report comes from a bootstrap."""
    return any("bootstrap" in method for method in interval_methods(report))


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
    """Ticks of the axis with their positions in per cent."""
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


def zero_line(report: Report) -> list[dict[str, Any]]:
    """The tick at 0 alone, for small charts."""
    return [{"label": "0", "x": _place(0.0, axis_start(report))}]


def figure_name(row: Mapping[str, Any]) -> str:
    """The name of a coefficient with its variant; its signature says how it was computed."""
    key, variant = row["coefficient"], str(row["variant"])
    coefficient, title = COEFFICIENTS.get(key), TITLES.get(key, str(key))
    if key.startswith("icc"):
        _, _, k = variant.partition("k=")
        return message(MEANS_OF[key], k=f"{float(k):.3g}") if k and key in MEANS_OF else title
    if coefficient and coefficient.plain:
        return title
    words = variant_words(variant.split(", q=", maxsplit=1)[0])
    return message("%(coefficient)s, %(variant)s", coefficient=title, variant=words)


def compared_name(row: Mapping[str, Any]) -> str:
    """The name of a coefficient in a table of several sets of ratings, each with its own number of them."""
    return TITLES[row["coefficient"]] if row["coefficient"] in MEANS_OF else figure_name(row)


def help_page(row: Mapping[str, Any]) -> str:
    """The page of the documentation about a statistic; empty where there is none."""
    coefficient = COEFFICIENTS.get(row["coefficient"])
    return f"statistics/{coefficient.page}" if coefficient else ""


def _shown(row: Mapping[str, Any], low: float) -> dict[str, Any]:
    coefficient = row["coefficient"]
    shape = "diamond" if coefficient.startswith("held_out") else "circle"
    return {
        **row,
        "name": figure_name(row),
        "help": help_page(row),
        "question": question_of(row) if row["estimate"] is not None else None,
        "shape": "hollow" if coefficient.endswith("k") else shape,
        "x": _place(row["estimate"], low),
        "x_low": _place(row["low"], low),
        "x_high": _place(row["high"], low),
        "cut": row["low"] is not None and row["low"] < low,
        "meaning": MEANINGS.get(row["reason"], ""),
        "no_interval": row["interval_method"].removeprefix("none:")
        if row["interval_method"].startswith("none:")
        else "",
        "cautions": cautions_of(row.get("signature", "")),
        "at_mean_k": at_mean_k(row.get("signature", "")),
    }


def _place(value: float | None, low: float) -> float | None:
    """The position on the axis in per cent; a value below the axis is at its start."""
    return None if value is None else round(100 * max(0.0, value - low) / (1 - low), 2)


def interval_methods(report: Report) -> Sequence[str]:
    """The methods that gave the report's intervals, each once."""
    methods = dict.fromkeys(row["interval_method"] for row in report.figures)
    return [method for method in methods if method and not method.startswith("none")]
