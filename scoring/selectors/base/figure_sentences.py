"""What each statistic supports, as one question that it answers, and what a value of it says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.domain.base.messages import Message, message

# By coefficient, or by coefficient and variant where the variants answer different questions.
QUESTIONS: Mapping[str, Message] = {
    "held_out_pearson mean": message(
        "Would one of these raters rate items like the mean of the others, except for severity?"
    ),
    "held_out_pearson max": message(
        "How closely does the rater nearest to the others follow their mean? More raters raise this maximum."
    ),
    "held_out_spearman mean": message("Would one of these raters order items like the mean of the others?"),
    "held_out_spearman max": message(
        "How closely does the rater nearest to the others share their order? More raters raise this maximum."
    ),
    "icc1": message("Would one rating by any other rater give an item the same value?"),
    "icc1k": message("Would as many ratings by any other raters give the items the same means?"),
    "icc2": message("Would one new rater of the same kind give an item the same value, severity included?"),
    "icc2k": message(
        "Would as many new raters of the same kind give the items the same means, severity included?"
    ),
    "icc3": message("Do two of these raters order and space the items alike, whatever their severity?"),
    "icc3k": message("How much of the differences between these means do the raters share?"),
    "alpha nominal": message("Do two raters choose the same option more often than by chance?"),
    "alpha ordinal": message(
        "Do two raters place an item closer together in the order of the points than by chance?"
    ),
    "alpha interval": message("Are two ratings of one item closer to each other than any two ratings?"),
    "alpha masi": message("Do two raters choose sets of options with more in common than by chance?"),
    "alpha nominal, characters": message("Do two raters mark the same characters more often than by chance?"),
    "fleiss": message("Do two raters choose exactly the same value more often than by chance?"),
    "ac1": message("Do two raters choose the same value beyond chance, even if one value is very common?"),
    "ac2": message("Do two raters rate closely beyond chance, even if one value is very common?"),
    "kappa_n": message("Do two raters rate more closely than if both chose points at random?"),
    "exact": message("How often do two raters give an item the same value, by chance or not?"),
    "within_one": message("How often do two ratings of an item differ by at most 1 point, by chance or not?"),
    "brennan_prediger": message("Do two raters choose the same option more often than at random?"),
    "kr20": message("Do responses that pass one test of the set pass its other tests too?"),
    "kendall_w": message(
        "How much of the possible agreement on the order of all options do the raters reach?"
    ),
    "kendall_tau": message(
        "Do two raters put pairs of options in the same order more often than in opposite order?"
    ),
    "pair_order": message("How often do two raters put two options in the same order, by chance or not?"),
    "precision": message("How much of what the second rater marked did the first rater mark too?"),
    "recall": message("How much of what the first rater marked did the second rater mark too?"),
    "f1": message("How much do the marks of two raters have in common?"),
}
OF_VARIANCE = message("Differences between items make up %(percent)d%% of the variance of one rating.")
OF_MEANS = message("Differences between items make up %(percent)d%% of the variance of the mean ratings.")
OF_MEANS_BY_OTHERS = message(
    "If each item had other raters, differences between items would make up %(percent)d%% of the variance of "
    "the mean ratings."
)
NONE_OF_VARIANCE = message("Ratings of one item differ at least as much as ratings of different items.")
OF_DISAGREEMENT = message("Two ratings of one item disagree %(percent)d%% less than by chance.")
NO_LESS_DISAGREEMENT = message("Two ratings of one item disagree at least as much as by chance.")
READINGS: Mapping[str, tuple[Message, Message]] = {
    "icc1": (OF_VARIANCE, NONE_OF_VARIANCE),
    "icc1k": (OF_MEANS, NONE_OF_VARIANCE),
    "icc2": (OF_VARIANCE, NONE_OF_VARIANCE),
    "icc2k": (OF_MEANS_BY_OTHERS, NONE_OF_VARIANCE),
    "alpha": (OF_DISAGREEMENT, NO_LESS_DISAGREEMENT),
    "brennan_prediger": (OF_DISAGREEMENT, NO_LESS_DISAGREEMENT),
}
REACHES_ZERO = message("The confidence interval includes 0.")


def question_of(row: Mapping[str, Any]) -> Message | None:
    """The question that a statistic answers; None for one that has no sentence.

    Parameters
    ----------
    row : mapping
        A row of a report.
    """
    key, variant = str(row["coefficient"]), str(row["variant"])
    first = variant.partition(",")[0]
    return next(
        (QUESTIONS[one] for one in (f"{key} {variant}", f"{key} {first}", key) if one in QUESTIONS), None
    )


def reading_of(row: Mapping[str, Any]) -> Message | None:
    """What the value of an ICC1, an ICC2, of α or of S says, without a judgement; None for others.

    Parameters
    ----------
    row : mapping
        A row of a report.
    """
    key, estimate = str(row["coefficient"]), row["estimate"]
    if estimate is None or key not in READINGS:
        return None
    share, none = READINGS[key]
    return message(share.singular, percent=round(100 * estimate)) if estimate > 0 else none


def holds_for_sentence(rows: Iterable[Mapping[str, Any]]) -> str:
    """What the intervals and p of correlations hold for, in English, for a caption.

    Parameters
    ----------
    rows : iterable of mapping
        Rows of one level of a report on metrics.

    Returns
    -------
    str
        With a space before it; empty where the rows differ, or an earlier version did not store it.
    """
    named = {str(row.get("holds_for", "")) for row in rows}
    return (
        f" CI and p hold for {named.pop()} with these raters." if len(named) == 1 and "" not in named else ""
    )
