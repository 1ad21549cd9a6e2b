"""Weighted Pearson and Spearman correlations of many raters at once."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from scoring.stats.resampling import FloatArray, IntArray

# Relative difference below which two means differ by rounding only, and a variance is zero.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Positions:
    """Distinct pairs (x, y) of each rater, ordered by rater.

    Parameters
    ----------
    starts, ends
        First pair of each rater, and the one after the last, shape (raters,).
    rater
        Code of each pair's rater.
    x, y
        The pairs, each less its rater's mean.
    pair
        Position among these of each of the pairs given, shape (pairs given,).
    """

    starts: IntArray
    ends: IntArray
    rater: IntArray
    x: FloatArray
    y: FloatArray
    pair: IntArray

    @classmethod
    def of(cls, rater: IntArray, x: FloatArray, y: FloatArray) -> "Positions":
        """Pairs of each rater; every rater code 0, 1, ... has at least one."""
        scale = float(np.abs(x).max()) or 1.0
        code_x, distinct_x = _distinct(x / scale)
        code_y, distinct_y = _distinct(y / scale)
        both, of_both = pd.factorize(code_x * len(distinct_y) + code_y)
        cells, pair = np.unique(rater * len(of_both) + both, return_inverse=True)
        own, both = np.divmod(cells, len(of_both))
        times = np.bincount(pair)
        sizes = np.bincount(own, times)
        code_x, code_y = np.divmod(of_both[both], len(distinct_y))

        def centred(values: FloatArray) -> FloatArray:
            differences = values - (np.bincount(own, values * times) / sizes)[own]
            return np.asarray(np.where(np.abs(differences) > ROUNDING, differences, 0.0), dtype=np.float64)

        ends = np.cumsum(np.bincount(own))
        starts = np.concatenate([[0], ends[:-1]])
        return cls(starts, ends, own, centred(distinct_x[code_x]), centred(distinct_y[code_y]), pair)

    def by_rater(self, values: FloatArray) -> FloatArray:
        """Sums over the pairs of each rater, shape (raters, replicates)."""
        return np.add.reduceat(values, self.starts, axis=0)

    @cached_property
    def ties_of_x(self) -> "Ties":
        """Runs of equal x within each rater."""
        return Ties.of(self.rater, self.x)

    @cached_property
    def ties_of_y(self) -> "Ties":
        """Runs of equal y within each rater."""
        return Ties.of(self.rater, self.y)


def _distinct(values: FloatArray) -> tuple[IntArray, FloatArray]:
    code, distinct = pd.factorize(np.round(values / ROUNDING))
    return code, np.asarray(distinct * ROUNDING, dtype=np.float64)


@dataclass(frozen=True)
class Ties:
    """Runs of equal values within a rater, in order of value.

    Parameters
    ----------
    order
        Positions of the pairs, by rater, then value.
    starts, ends
        First pair of each run in that order, and the one after the last.
    rater
        Rater of each run.
    of_pair
        Run of each pair.
    """

    order: IntArray
    starts: IntArray
    ends: IntArray
    rater: IntArray
    of_pair: IntArray

    @classmethod
    def of(cls, rater: IntArray, values: FloatArray) -> "Ties":
        """The runs of equal values; values closer than rounding are equal."""
        order = np.lexsort((values, rater))
        new = np.ones(len(order), dtype=bool)
        new[1:] = (np.diff(values[order]) > ROUNDING) | (np.diff(rater[order]) > 0)
        starts = np.flatnonzero(new)
        of_pair = np.empty(len(order), dtype=np.int64)
        of_pair[order] = np.cumsum(new) - 1
        return cls(order, starts, np.append(starts[1:], len(order)), rater[order][starts], of_pair)


def pearson(pairs: Positions, taken: FloatArray) -> FloatArray:
    """Pearson's r of each rater under each set of weights.

    Parameters
    ----------
    pairs
        The pairs of all raters.
    taken
        How often each pair counts, shape (pairs, replicates).

    Returns
    -------
    ndarray, shape (raters, replicates)
        NaN where x or y does not vary.
    """
    total = pairs.by_rater(taken)
    x, y = pairs.x[:, None], pairs.y[:, None]
    by_x, by_y = taken * x, taken * y
    sum_x, sum_y = pairs.by_rater(by_x), pairs.by_rater(by_y)
    safe = np.where(total > 0, total, 1.0)
    square_x, square_y = pairs.by_rater(by_x * x), pairs.by_rater(by_y * y)
    return _ratio(
        pairs.by_rater(by_x * y) - sum_x * sum_y / safe,
        _variance(square_x, sum_x, safe),
        _variance(square_y, sum_y, safe),
    )


def spearman(pairs: Positions, taken: FloatArray) -> FloatArray:
    """Spearman's ρ (average ranks) of each rater under each set of weights.

    Parameters
    ----------
    pairs
        The pairs of all raters.
    taken
        How often each pair counts, shape (pairs, replicates); ranks are those of the pairs so repeated.

    Returns
    -------
    ndarray, shape (raters, replicates)
        NaN where x or y does not vary.
    """
    rank_x, square_x = _ranks(pairs, pairs.ties_of_x, taken)
    rank_y, square_y = _ranks(pairs, pairs.ties_of_y, taken)
    rank_x *= taken
    rank_x *= rank_y
    return _ratio(pairs.by_rater(rank_x), square_x, square_y)


def _ranks(pairs: Positions, ties: Ties, taken: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Average ranks less their mean for each pair, and their weighted sum of squares for each rater."""
    below = np.zeros((len(taken) + 1, taken.shape[1]))
    np.cumsum(taken[ties.order], axis=0, out=below[1:])
    first, last = below[ties.starts], below[ties.ends]
    middle = (below[pairs.starts] + below[pairs.ends]) / 2
    ranks = (first + last) / 2 - middle[ties.rater]
    runs_of_rater = np.searchsorted(ties.starts, pairs.starts)
    squares = np.add.reduceat((last - first) * ranks**2, runs_of_rater, axis=0)
    return ranks[ties.of_pair], squares


def _variance(squares: FloatArray, sums: FloatArray, total: FloatArray) -> FloatArray:
    variance = squares - sums**2 / total
    return np.where(variance > ROUNDING * squares, variance, 0.0)


def _ratio(covariance: FloatArray, variance_x: FloatArray, variance_y: FloatArray) -> FloatArray:
    scale = np.sqrt(variance_x) * np.sqrt(variance_y)
    ratio = np.divide(covariance, scale, out=np.full(covariance.shape, math.nan), where=scale > 0)
    return np.asarray(np.clip(ratio, -1.0, 1.0), dtype=np.float64)
