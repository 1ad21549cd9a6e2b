"""Systems that a judge orders significantly against the ratings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from ..arrays import Array, Row
from ..metrics.significance import adjust_holm
from .judged import JudgedCriterion

LEVEL = 0.05


def list_reversed(criterion: JudgedCriterion, judge: str) -> Iterator[Row]:
    """Yield each pair of systems whose difference the judge reverses."""
    scores = criterion.scores[judge].dropna()
    systems = [name for name in criterion.places["system"].reindex(scores.index).unique() if name]
    pairs = list(combinations(systems, 2))
    found = [compare_systems(criterion, scores, pair) for pair in pairs]
    for pair, (difference, _), p in zip(pairs, found, adjust_holm([p for _, p in found]), strict=True):
        if not p < LEVEL:
            continue
        above, below = pair if difference > 0 else pair[::-1]
        of_people, people_p = compare_systems(criterion, criterion.means, (above, below))
        if of_people < 0:
            yield {
                "above": above,
                "below": below,
                "judge_difference": abs(difference),
                "adjusted_p": p,
                "people_difference": of_people,
                "people_p": people_p,
                "significant": people_p < LEVEL,
            }


def compare_systems(
    criterion: JudgedCriterion, values: pd.Series, pair: tuple[str, str]
) -> tuple[float, float]:
    """Compare two systems within the groups that they share, or as independent samples of groups or items."""
    placed = criterion.places.reindex(values.index)
    first, second = (values[(placed["system"] == name).to_numpy()] for name in pair)
    if criterion.has("group"):
        means = [part.groupby(placed.loc[part.index, "group"]).mean() for part in (first, second)]
        both = [group for group in means[0].index if group and group in means[1].index]
        if len(both) > 1:
            return compare_paired((means[0][both] - means[1][both]).to_numpy())
        if both:
            return math.nan, math.nan
        first, second = (list_units(part, placed["group"]) for part in (first, second))
    if min(len(first), len(second)) < 2:
        return math.nan, math.nan
    return compare_independent(first.to_numpy(), second.to_numpy())


def list_units(values: pd.Series, group: pd.Series) -> pd.Series:
    """List the mean of each group, and the values of items that are in none."""
    units = [name or ("item", label) for label, name in group.loc[values.index].items()]
    return values.groupby(pd.Series(units, index=values.index, dtype=object), sort=False).mean()


def compare_paired(differences: Array) -> tuple[float, float]:
    """Test a mean difference by Student's t test."""
    mean = float(differences.mean())
    if np.var(differences, ddof=1) / len(differences) <= np.finfo(float).eps:
        return mean, float(mean == 0)
    return mean, float(stats.ttest_1samp(differences, 0).pvalue)


def compare_independent(first: Array, second: Array) -> tuple[float, float]:
    """Test a difference of means by Welch's t test."""
    difference = float(first.mean() - second.mean())
    if sum(np.var(part, ddof=1) / len(part) for part in (first, second)) <= np.finfo(float).eps:
        return difference, float(difference == 0)
    return difference, float(stats.ttest_ind(first, second, equal_var=False).pvalue)
