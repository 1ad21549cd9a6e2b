"""Agreement of raters and judges on options, and the alternative annotator test of options."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..arrays import Array, Row
from ..drawing import CONFIDENCE, Drawing
from ..ratings import Ratings
from .options import JudgedOptions
from .replacement import assess_replacement
from .resampled import NO_LIMITS, limit_statistics, number_units

# An expected agreement this close to 1 is 1.
ROUNDING = 1e-12


def count_options(ratings: Ratings) -> Array:
    """Count how many raters of each item chose each option or point."""
    counts = np.zeros((ratings.n_items, len(ratings.categories)))
    np.add.at(counts, (ratings.item, ratings.code), 1)
    return counts


def list_option_agreement(question: JudgedOptions, drawing: Drawing) -> Iterator[Row]:
    """Yield how often a rater, and how often each judge, chooses the option of a rater of the item."""
    counts = count_options(question.ratings)
    sizes = counts.sum(axis=1)
    shares = counts / sizes[:, None]
    several = np.flatnonzero(sizes >= 2)
    own, n = counts[several], sizes[several]
    pairs = (own * (own - 1)).sum(axis=1) / (n * (n - 1))
    found = agree(question, several, np.column_stack([pairs, shares[several], shares[several]]), "", drawing)
    yield from ({**row, "judge": "", "n_answers": len(question.ratings.value)} for row in found)
    for judge in question.judge_names:
        answered = np.flatnonzero(np.isfinite(question.of_judge(judge)))
        place = question.of_judge(judge)[answered].astype(int)
        chosen = np.eye(counts.shape[1])[place]
        alike = shares[answered, place]
        found = agree(question, answered, np.column_stack([alike, shares[answered], chosen]), judge, drawing)
        n_answers = int(question.judges[judge].notna().sum())
        yield from ({**row, "judge": judge, "n_answers": n_answers} for row in found)


def agree(
    question: JudgedOptions, items: Array, values: Array, judge: str, drawing: Drawing
) -> Iterator[Row]:
    """Yield observed agreement and agreement corrected for chance, from a row of values an item."""
    n_options = len(question.ratings.categories)

    def compute(sums: Array) -> Array:
        means = sums[:, :-1] / sums[:, -1:]
        observed, sides = means[:, 0], means[:, 1:].reshape(len(sums), 2, n_options)
        expected = (
            np.full(len(sums), 1 / n_options) if question.is_uniform else sides.prod(axis=1).sum(axis=1)
        )
        varies = expected < 1 - ROUNDING
        corrected = (observed - expected) / np.where(varies, 1 - expected, 1)
        return np.column_stack([observed, np.where(varies, corrected, math.nan)])

    values = np.column_stack([values, np.ones(len(items))])
    units = number_units(question.ratings.group, items)
    estimates, limits = [math.nan] * 2, [NO_LIMITS] * 2
    if len(items):
        estimates = compute(values.sum(axis=0)[None, :])[0].tolist()
        limits = limit_statistics(values, units, compute, drawing, (question.name, judge, "options"))
    names = "exact", "s" if question.is_uniform else "kappa"
    for name, estimate, (low, high) in zip(names, estimates, limits, strict=True):
        known = math.isfinite(estimate)
        yield {
            "coefficient": name,
            "estimate": estimate,
            "low": low if known else math.nan,
            "high": high if known else math.nan,
            "confidence": CONFIDENCE,
            "n_items": len(items),
            "n_groups": 0 if question.ratings.group is None else len(np.unique(units)),
            "reason": "" if known else "constant_ratings" if len(items) else "no_overlap",
        }


def list_option_tests(question: JudgedOptions, epsilon: float, drawing: Drawing) -> Iterator[Row]:
    """Yield the test of each judge, and that of the most frequent option for each item that it answered."""
    values, counts = np.unique(question.ratings.value, return_counts=True)
    for judge in question.judge_names:
        own = question.of_judge(judge)
        throughout = np.where(np.isfinite(own), values[counts.argmax()], np.nan)
        for answers, constant in ((own, False), (throughout, True)):
            tested = assess_replacement(question.ratings, answers, epsilon, drawing)
            yield {"judge": judge, "constant": constant, "n_off_scale": 0, **tested}
