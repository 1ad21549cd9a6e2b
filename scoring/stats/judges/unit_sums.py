"""Ratios of sums over items, resampled by items or by groups of items."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import FloatArray, IntArray, Resampling, draw_units
from scoring.stats.base.result import Interval


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


def means_of_items(
    values: FloatArray, units: Units, resampling: Resampling, stream: tuple[str, ...]
) -> list[Interval]:
    """Percentile intervals of means over items.

    Parameters
    ----------
    values : ndarray of float, shape (items, figures)
        One value an item.
    units, resampling, stream
        As of `bootstrap_intervals`.
    """
    with_count = np.column_stack([values, np.ones(len(values))])
    return bootstrap_intervals(with_count, units, _means, resampling, stream)


def _means(sums: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore"):
        return np.asarray(sums[:, :-1] / sums[:, -1:], dtype=np.float64)
