"""Weighted Pearson and Spearman correlations of many raters at once."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import scipy

from scoring.stats.base.resampling import FloatArray, IntArray

# Relative difference below which two means differ by rounding only, and a variance is zero.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Positions:
    """Distinct pairs (x, y) of each rater, ordered by rater, x and y."""

    rater: IntArray  # Code of each pair's rater
    # x, y: The pairs, each less its rater's mean
    x: FloatArray
    y: FloatArray
    pair: IntArray  # Position among these of each of the pairs given, shape (pairs given,)

    @classmethod
    def of(cls, rater: IntArray, x: FloatArray, y: FloatArray) -> "Positions":
        """Pairs of each rater; every rater code 0, 1, ... has at least one."""
        scale = float(np.abs(x).max()) or 1.0
        code_x, distinct_x = _distinct(x / scale)
        code_y, distinct_y = _distinct(y / scale)
        both, of_both = pd.factorize(code_x * len(distinct_y) + code_y, sort=True)
        cells, pair = np.unique(rater * len(of_both) + both, return_inverse=True)
        own, both = np.divmod(cells, len(of_both))
        times = np.bincount(pair)
        sizes = np.bincount(own, times)
        code_x, code_y = np.divmod(of_both[both], len(distinct_y))

        def centred(values: FloatArray) -> FloatArray:
            differences = values - (np.bincount(own, values * times) / sizes)[own]
            return np.asarray(np.where(np.abs(differences) > ROUNDING, differences, 0.0), dtype=np.float64)

        return cls(own, centred(distinct_x[code_x]), centred(distinct_y[code_y]), pair)

    @cached_property
    def ties_of_x(self) -> "Ties":
        """Runs of equal x within each rater."""
        return Ties.of(self.rater, self.x)

    @cached_property
    def ties_of_y(self) -> "Ties":
        """Runs of equal y within each rater."""
        return Ties.of(self.rater, self.y)


def _distinct(values: FloatArray) -> tuple[IntArray, FloatArray]:
    code, distinct = pd.factorize(np.round(values / ROUNDING), sort=True)
    return code, np.asarray(distinct * ROUNDING, dtype=np.float64)


@dataclass(frozen=True)
class Ties:
    """Runs of equal values within a rater, ordered by rater and value."""

    value: FloatArray  # Value of each run, shape (runs, 1)
    rater: IntArray  # Rater of each run
    first: IntArray  # First run of each rater
    of_pair: IntArray  # Run of each pair

    @classmethod
    def of(cls, rater: IntArray, values: FloatArray) -> "Ties":
        """The runs of equal values; values closer than rounding are equal."""
        order = np.lexsort((values, rater))
        new = np.ones(len(order), dtype=bool)
        new[1:] = (np.diff(values[order]) > ROUNDING) | (np.diff(rater[order]) > 0)
        of_pair = np.empty(len(order), dtype=np.int64)
        of_pair[order] = np.cumsum(new) - 1
        starts = order[np.flatnonzero(new)]
        of_run = rater[starts]
        first = np.searchsorted(of_run, np.arange(int(of_run[-1]) + 1))
        return cls(values[starts][:, None], of_run, first, of_pair)

    @cached_property
    def _pairs(self) -> scipy.sparse.csr_array:
        return _members(self.of_pair)

    @cached_property
    def _runs(self) -> scipy.sparse.csr_array:
        return _members(self.rater)

    def in_runs(self, values: FloatArray) -> FloatArray:
        """Sums over the pairs of each run, shape (runs, replicates)."""
        return np.asarray(self._pairs @ values, dtype=np.float64)

    def by_rater(self, values: FloatArray) -> FloatArray:
        """Sums over the runs of each rater, shape (raters, replicates)."""
        return np.asarray(self._runs @ values, dtype=np.float64)

    def ranks(self, number: FloatArray) -> FloatArray:
        """Average ranks less their mean, from how often the values of each run occur."""
        below = np.zeros((len(number) + 1, number.shape[1]))
        np.cumsum(number, axis=0, out=below[1:])
        ends = np.append(self.first[1:], len(number))
        middle = (below[self.first] + below[ends]) / 2
        return np.asarray(below[1:] - number / 2 - middle[self.rater], dtype=np.float64)


def _members(whole: IntArray) -> scipy.sparse.csr_array:
    """1 where a part belongs to a whole, shape (wholes, parts)."""
    parts = np.arange(len(whole))
    return scipy.sparse.coo_array((np.ones(len(whole)), (whole, parts))).tocsr()


def pearson(pairs: Positions, taken: FloatArray) -> FloatArray:
    """Pearson's r of each rater under each set of weights.

    Parameters
    ----------
    pairs
        The pairs of all raters.
    taken
        Weight of each pair, shape (pairs, replicates).

    Returns
    -------
    ndarray, shape (raters, replicates)
        NaN where x or y does not vary.
    """
    by_x, by_y = pairs.ties_of_x, pairs.ties_of_y
    number_x, number_y = by_x.in_runs(taken), by_y.in_runs(taken)
    weighted_x, weighted_y = number_x * by_x.value, number_y * by_y.value
    sum_x, sum_y = by_x.by_rater(weighted_x), by_y.by_rater(weighted_y)
    total = np.maximum(by_x.by_rater(number_x), 1.0)
    products = by_x.by_rater(by_x.in_runs(taken * by_y.value[by_y.of_pair]) * by_x.value)
    return _ratio(
        products - sum_x * sum_y / total,
        _variance(by_x.by_rater(weighted_x * by_x.value), sum_x, total),
        _variance(by_y.by_rater(weighted_y * by_y.value), sum_y, total),
    )


def spearman(pairs: Positions, taken: FloatArray) -> FloatArray:
    """Spearman's ρ (average ranks) of each rater under each set of weights.

    Parameters
    ----------
    pairs
        The pairs of all raters.
    taken
        Weight of each pair, shape (pairs, replicates); ranks are those of the pairs so repeated.

    Returns
    -------
    ndarray, shape (raters, replicates)
        NaN where x or y does not vary.
    """
    by_x, by_y = pairs.ties_of_x, pairs.ties_of_y
    number_x, number_y = by_x.in_runs(taken), by_y.in_runs(taken)
    rank_x, rank_y = by_x.ranks(number_x), by_y.ranks(number_y)
    return _ratio(
        by_x.by_rater(by_x.in_runs(taken * rank_y[by_y.of_pair]) * rank_x),
        by_x.by_rater(number_x * rank_x**2),
        by_y.by_rater(number_y * rank_y**2),
    )


def _variance(squares: FloatArray, sums: FloatArray, total: FloatArray) -> FloatArray:
    variance = squares - sums**2 / total
    return np.where(variance > ROUNDING * squares, variance, 0.0)


def _ratio(covariance: FloatArray, variance_x: FloatArray, variance_y: FloatArray) -> FloatArray:
    scale = np.sqrt(variance_x) * np.sqrt(variance_y)
    ratio = np.divide(covariance, scale, out=np.full(covariance.shape, math.nan), where=scale > 0)
    return np.asarray(np.clip(ratio, -1.0, 1.0), dtype=np.float64)
