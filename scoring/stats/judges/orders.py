"""Systems that a judge alone puts in another order than people do."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
import scipy

from scoring.stats.base.multiple_testing import adjusted
from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.result import finite_or_none

FALSE_POSITIVES = 0.05
FEWEST_VALUES = 2


@dataclass(frozen=True)
class Difference:
    """A difference of two means, with p of a two-sided t test that it is 0; NaN where there is none."""

    estimate: float
    p: float
    n: int  # Groups that have both systems; else groups of either, or items where they are in none


@dataclass(frozen=True)
class ReversedOrder:
    """Two systems of which a judge puts `above` significantly over `below`, and people do not."""

    above: str
    below: str
    judge: Difference
    people: Difference  # Of the ratings, `above` less `below`: negative
    adjusted_p: float  # Of the judge's difference, after Holm, over all pairs of systems

    @property
    def significant(self) -> bool:
        """Whether the ratings alone put the two in the other order as well."""
        return self.people.p < FALSE_POSITIVES

    def to_row(self) -> dict[str, object]:
        """The pair as a JSON object."""
        return {
            "above": self.above,
            "below": self.below,
            "judge_difference": finite_or_none(self.judge.estimate),
            "adjusted_p": finite_or_none(self.adjusted_p),
            "people_difference": finite_or_none(self.people.estimate),
            "people_p": finite_or_none(self.people.p),
            "significant": self.significant,
        }


def reversed_orders(people: pd.Series, judge: pd.Series, places: pd.DataFrame) -> list[ReversedOrder]:
    """Find the pairs of systems that a judge orders against the ratings.

    Parameters
    ----------
    people : Series of float
        Mean rating by item label, of rated items.
    judge : Series of float
        The judge's score by item label, of rated and unrated items.
    places : DataFrame
        By item label, `system`, and `group` if items have groups.

    Returns
    -------
    list of ReversedOrder
        Pairs whose difference has one sign in the ratings and the other in the judge's scores, the latter
        with an adjusted p below 0.05. Where two systems share two groups, differences within groups are
        tested; where they share none, two independent samples of groups, or of items that are in none.

    References
    ----------
    Welch (1947) for independent samples; Holm (1979) for the number of pairs.
    """
    by_system = places.reindex(judge.index)
    own = by_system["system"] if "system" in by_system else pd.Series("", index=judge.index)
    names = [str(name) for name in pd.unique(own.dropna()) if name != ""]
    pairs = list(combinations(names, 2))
    of_judge = [difference(judge, places, *pair) for pair in pairs]
    p = adjusted(np.array([one.p for one in of_judge], dtype=np.float64), "holm") if pairs else ()
    found = zip(pairs, of_judge, map(float, p), strict=True)
    return [order for pair, one, own_p in found for order in _reversed(people, places, pair, one, own_p)]


def _reversed(
    people: pd.Series, places: pd.DataFrame, pair: tuple[str, str], judge: Difference, p: float
) -> Iterator[ReversedOrder]:
    if not p < FALSE_POSITIVES:
        return
    above, below = pair if judge.estimate > 0 else pair[::-1]
    rated = difference(people, places, above, below)
    if rated.estimate < 0:
        own = Difference(abs(judge.estimate), judge.p, judge.n)
        yield ReversedOrder(above, below, own, rated, p)


def difference(values: pd.Series, places: pd.DataFrame, first: str, second: str) -> Difference:
    """Test the difference of two systems: within groups where they share two, else between groups or items.

    Two systems that share one group are not compared: the samples are neither paired nor independent.

    Parameters
    ----------
    values : Series of float
        One value per item; missing ones are left out.
    places : DataFrame
        By item label, `system`, and `group` if items have groups.
    first, second : str
        Systems.
    """
    known = values.dropna()
    placed = places.reindex(known.index)
    one, other = (known[placed["system"].eq(name).to_numpy()] for name in (first, second))
    if "group" not in placed:
        return _between(one.to_numpy(dtype=np.float64), other.to_numpy(dtype=np.float64))
    means = [_group_means(part, placed["group"]) for part in (one, other)]
    paired = (means[0] - means[1]).dropna()
    if len(paired) >= FEWEST_VALUES:
        return _within(paired.to_numpy(dtype=np.float64))
    if len(paired):
        return Difference(math.nan, math.nan, len(paired))
    alone = [part[placed.loc[part.index, "group"].eq("")] for part in (one, other)]
    first_units, other_units = (
        pd.concat([mean, items]).to_numpy(dtype=np.float64) for mean, items in zip(means, alone, strict=True)
    )
    return _between(first_units, other_units)


def _group_means(values: pd.Series, group: pd.Series) -> pd.Series:
    """Items of one group are alike: they are one value, however many they are."""
    own = group.loc[values.index]
    return values[own.ne("")].groupby(own[own.ne("")]).mean()


def _within(differences: FloatArray) -> Difference:
    mean, n = float(differences.mean()), len(differences)
    return Difference(mean, _p(mean, float(np.var(differences, ddof=1)) / n, n - 1), n)


def _between(one: FloatArray, other: FloatArray) -> Difference:
    n = len(one) + len(other)
    if min(len(one), len(other)) < FEWEST_VALUES:
        return Difference(math.nan, math.nan, n)
    mean = float(one.mean() - other.mean())
    parts = [float(np.var(part, ddof=1)) / len(part) for part in (one, other)]
    variance = sum(parts)
    spread = sum(part**2 / (len(own) - 1) for part, own in zip(parts, (one, other), strict=True))
    return Difference(mean, _p(mean, variance, variance**2 / spread if spread else 1), n)


def _p(mean: float, variance: float, degrees: float) -> float:
    """p of a two-sided t test; where nothing varies, 0 if there is a difference and 1 if there is none."""
    if variance <= np.finfo(np.float64).eps:
        return float(mean == 0)
    return float(2 * scipy.stats.t.sf(abs(mean) / math.sqrt(variance), degrees))
