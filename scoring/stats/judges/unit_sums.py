"""Means and ratios of sums over items, with intervals over items or groups of items."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.proportions import SMALLEST_VARIANCE, STUDENT
from scoring.stats.base.resampling import (
    FEWEST_UNITS,
    FloatArray,
    IntArray,
    Resampling,
    draw_units,
    nothing_to_draw,
)
from scoring.stats.base.result import NO_ITEM_VARIANCE, Interval

# Items or groups below which intervals of means of skewed distances contain the true value too seldom.
FEWEST_FOR_MEANS = 30


@dataclass(frozen=True)
class Units:
    """What items are independent by.

    Parameters
    ----------
    codes
        Whole number of each item, shape (items,): its group, or a number of its own.
    kind
        `items` or `groups`.
    """

    codes: IntArray
    kind: str

    @classmethod
    def of(cls, group: IntArray | None, n_items: int) -> "Units":
        """The groups of items, or the items where they belong to none.

        Parameters
        ----------
        group
            Group code of each item, shape (items,), or None.
        n_items
            Number of items.
        """
        return cls(np.arange(n_items), "items") if group is None else cls(group, "groups")

    def take(self, chosen: IntArray) -> "Units":
        """The units of the items at these positions."""
        return Units(self.codes[chosen], self.kind)

    @property
    def n_units(self) -> int:
        """Number of different units."""
        return len(np.unique(self.codes))

    @property
    def n_groups(self) -> int:
        """Number of groups; 0 where items belong to none."""
        return self.n_units if self.kind == "groups" else 0


def bootstrap_intervals(
    values: FloatArray,
    units: Units,
    statistics: Callable[[FloatArray], FloatArray],
    resampling: Resampling,
    stream: tuple[str, ...],
) -> list[Interval]:
    """Percentile intervals of statistics that are functions of sums over items.

    Parameters
    ----------
    values : ndarray of float, shape (items, columns)
        What is summed.
    units : Units
        What is drawn with replacement.
    statistics : callable
        From sums, shape (replicates, columns), to statistics, shape (replicates, statistics); NaN where one
        is undefined.
    resampling : Resampling
        Replicates, seed and confidence.
    stream : tuple of str
        Names of the figure, which has random numbers of its own.

    Returns
    -------
    list of Interval
        One for each statistic; without limits for fewer than five units.

    References
    ----------
    Davison and Hinkley (1997), sections 2.4 and 3.8.
    """
    codes = np.unique(units.codes, return_inverse=True)[1]
    n_units = int(codes.max(initial=-1)) + 1
    sums = np.zeros((n_units, values.shape[1]))
    np.add.at(sums, codes, values)
    if n_units == 0:
        drawn = np.full((1, statistics(np.zeros((1, values.shape[1]))).shape[1]), np.nan)
        return [resampling.interval(column, units.kind, 0) for column in drawn.T]
    generator = resampling.generator(*stream)
    once = np.ones(n_units, dtype=np.int64)
    pieces = [statistics(draw_units(generator, once, size).T @ sums) for size in resampling.chunks(n_units)]
    return [resampling.interval(column, units.kind, n_units) for column in np.concatenate(pieces).T]


def interval_of_mean(
    values: FloatArray, units: Units, confidence: float, fewest: int = FEWEST_UNITS
) -> Interval:
    """The interval of Student’s t for a mean over items, with the variance of their groups.

    Parameters
    ----------
    values : ndarray of float, shape (items,)
        One value per item.
    units : Units
        What items are independent by.
    confidence : float
        Coverage that it aims at.
    fewest : int
        Items or groups below which there are no limits.
    """
    codes = np.unique(units.codes, return_inverse=True)[1]
    n, n_units = len(values), int(codes.max(initial=-1)) + 1
    if n_units < fewest:
        return nothing_to_draw(units.kind)
    residual = np.bincount(codes, weights=values - values.mean())
    variance = n_units / (n_units - 1) * float(residual @ residual) / n**2
    if variance < SMALLEST_VARIANCE:
        return Interval.missing(NO_ITEM_VARIANCE)
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, n_units - 1)) * math.sqrt(variance)
    mean = float(values.mean())
    return Interval(mean - half, mean + half, f"{STUDENT}:{units.kind}")
