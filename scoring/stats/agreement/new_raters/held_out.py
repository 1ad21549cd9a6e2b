"""Held-out correlations of resampled raters: each with the mean of the others, who are different persons."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.rank_correlation import ROUNDING
from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.data.table import Ratings

# Means nearer to each other than this share of the greatest value are the same, so that they share a rank.
SAME_DIGITS = 9


@dataclass(frozen=True)
class HeldOut:
    """Ratings in the order of their raters and, for each rater, of their values."""

    item: IntArray
    rater: IntArray
    value: FloatArray  # Less the mean of all, as a share of the greatest, shape (ratings,)
    first: IntArray  # First rating of each rater
    # Equal values of a rater make a run: the first rating, the rater and the value of each run, the first run
    # of each rater, and the run of each rating
    run_start: IntArray
    run_rater: IntArray
    run_value: FloatArray
    first_run: IntArray
    run: IntArray
    of_item: scipy.sparse.csr_array  # 1 where a rater rated the item, shape (items, raters)
    values: scipy.sparse.csr_array  # The same with the value in place of 1
    averaged: BoolArray  # Whether a rater shares enough items to be averaged

    @classmethod
    def of(cls, ratings: Ratings, minimum_shared: int) -> "HeldOut":
        """Ratings of one criterion, of items that have at least two."""
        order = np.lexsort((ratings.value, ratings.rater))
        item, rater = ratings.item[order], ratings.rater[order]
        centred = ratings.value[order] - ratings.value.mean()
        value = centred / (float(np.abs(centred).max()) or 1.0)
        new = np.ones(len(item), dtype=bool)
        new[1:] = (np.diff(rater) > 0) | (np.diff(ratings.value[order]) > 0)
        run_start = np.flatnonzero(new)
        shape = (ratings.n_items, len(ratings.raters))
        each = np.arange(shape[1])
        return cls(
            item=item,
            rater=rater,
            value=value,
            first=np.searchsorted(rater, each),
            run_start=run_start,
            run_rater=rater[run_start],
            run_value=value[run_start],
            first_run=np.searchsorted(rater[run_start], each),
            run=np.cumsum(new) - 1,
            of_item=scipy.sparse.coo_array((np.ones(len(item)), (item, rater)), shape=shape).tocsr(),
            values=scipy.sparse.coo_array((value, (item, rater)), shape=shape).tocsr(),
            averaged=np.bincount(rater, minlength=shape[1]) >= minimum_shared,
        )

    def under(self, raters: FloatArray) -> "Others":
        """Means of the others under multiplicities of raters, shape (raters, replicates).

        The mean of the others of an item weighs every other rater by how often they were drawn; a rater's own
        copies are not among the others.
        """
        own = raters.T[:, self.rater]
        others = np.asarray(self.of_item @ raters).T[:, self.item] - own
        sums = np.asarray(self.values @ raters).T[:, self.item] - own * self.value
        has_others = others > 0
        quotient = np.divide(sums, others, out=np.zeros_like(sums), where=has_others)
        mean = np.asarray(np.round(quotient, SAME_DIGITS), dtype=np.float64)
        return Others(self, raters, has_others, mean, _Ties.of(mean + 8.0 * self.rater))


@dataclass(frozen=True)
class _Ties:
    """The order of the means within each rater, and the ends of their ties, shape (replicates, ratings)."""

    order: IntArray
    start: IntArray  # First position of each tie
    end: IntArray  # The position after its last

    @classmethod
    def of(cls, key: FloatArray) -> "_Ties":
        """Ties of keys whose raters come one after the other: their means lie within 2 of 0."""
        order = np.argsort(key, axis=1, kind="stable")
        key = _along(key, order)
        position = np.arange(key.shape[1])
        new = np.ones(key.shape, dtype=bool)
        new[:, 1:] = np.diff(key, axis=1) > 0.5 * 10.0**-SAME_DIGITS
        last = np.ones(key.shape, dtype=bool)
        last[:, :-1] = new[:, 1:]
        start = np.maximum.accumulate(np.where(new, position, 0), axis=1)
        end = np.where(last, position + 1, key.shape[1])
        return cls(order, start, np.minimum.accumulate(end[:, ::-1], axis=1)[:, ::-1])


@dataclass(frozen=True)
class Others:
    """For each rating the mean of the others, under multiplicities of raters, shape (replicates, ratings)."""

    ratings: HeldOut
    raters: FloatArray  # The multiplicities, shape (raters, replicates)
    has_others: BoolArray
    mean: FloatArray
    ties: _Ties

    def means(self, items: FloatArray) -> dict[str, FloatArray]:
        """Mean over the raters drawn of Pearson's and of Spearman's correlation, shape (replicates,) each.

        Parameters
        ----------
        items
            How often each item is drawn, shape (items, replicates), or (items, 1) for all replicates.
        """
        taken = items.T[:, self.ratings.item] * self.has_others
        # Of the ratings in each run, and of all of a rater
        in_run = np.add.reduceat(taken, self.ratings.run_start, axis=1)
        total = self._of_raters(in_run)
        return {
            "held_out_pearson": self._over_raters(self._pearson(taken, in_run, total)),
            "held_out_spearman": self._over_raters(self._spearman(taken, in_run, total)),
        }

    def _of_raters(self, of_runs: FloatArray) -> FloatArray:
        return np.asarray(np.add.reduceat(of_runs, self.ratings.first_run, axis=1), dtype=np.float64)

    def _pearson(self, taken: FloatArray, in_run: FloatArray, total: FloatArray) -> FloatArray:
        """Pearson's r of each rater, shape (replicates, raters)."""
        of = self.ratings
        at_least_one = np.maximum(total, 1.0)
        x = of.run_value - (self._of_raters(in_run * of.run_value) / at_least_one)[:, of.run_rater]
        weighted = taken * self.mean
        middle = np.add.reduceat(weighted, of.first, axis=1) / at_least_one
        y_in_run = np.add.reduceat(weighted, of.run_start, axis=1)
        weighted *= self.mean
        of_y = np.add.reduceat(weighted, of.first, axis=1) - at_least_one * middle**2
        of_x, both = self._of_raters(in_run * x**2), self._of_raters(y_in_run * x)
        return _correlation(of_x, of_y, both, at_least_one)

    def _spearman(self, taken: FloatArray, in_run: FloatArray, total: FloatArray) -> FloatArray:
        """Spearman's ρ of each rater, shape (replicates, raters); ranks are shares of all of the rater."""
        of, at_least_one = self.ratings, np.maximum(total, 1.0)
        before = np.cumsum(total, axis=1) - total / 2
        middles = np.cumsum(in_run, axis=1) - in_run / 2
        x = (middles - before[:, of.run_rater]) / at_least_one[:, of.run_rater]
        ordered = _along(taken, self.ties.order)
        upto = np.zeros((len(taken), taken.shape[1] + 1))
        np.cumsum(ordered, axis=1, out=upto[:, 1:])
        # Raters come one after the other, so the ties of a rater have the positions of the rater's ratings.
        y = (_along(upto, self.ties.start) + _along(upto, self.ties.end)) / 2
        y -= before[:, of.rater]
        y /= at_least_one[:, of.rater]
        ordered *= y
        both = np.add.reduceat(ordered * _along(x, of.run[self.ties.order]), of.first, axis=1)
        ordered *= y
        of_x, of_y = self._of_raters(in_run * x**2), np.add.reduceat(ordered, of.first, axis=1)
        return _correlation(of_x, of_y, both, at_least_one)

    def _over_raters(self, correlations: FloatArray) -> FloatArray:
        """Mean over the raters drawn whose correlation is defined; NaN where none is."""
        weight = self.raters.T * self.ratings.averaged * np.isfinite(correlations)
        total = weight.sum(axis=1)
        sums = (weight * np.where(weight > 0, correlations, 0.0)).sum(axis=1)
        mean = np.divide(sums, total, out=np.full(total.shape, math.nan), where=total > 0)
        return np.asarray(mean, dtype=np.float64)


def _along(values: FloatArray, order: IntArray) -> FloatArray:
    """Values in an order, of each replicate or the same for all."""
    if len(order) == 1:
        return values[:, order[0]]
    if len(values) == 1:
        return np.asarray(values[0][order])
    rows = values.shape[1] * np.arange(len(values))[:, None]
    return np.asarray(np.take(values, order + rows, mode="clip"), dtype=np.float64)


def _correlation(of_x: FloatArray, of_y: FloatArray, both: FloatArray, total: FloatArray) -> FloatArray:
    """Correlations from sums of squares and products; NaN where a side does not vary."""
    least = ROUNDING * total
    defined = (of_x > least) & (of_y > least)
    scale = np.sqrt(np.where(defined, of_x, 1.0)) * np.sqrt(np.where(defined, of_y, 1.0))
    return np.where(defined, np.clip(both / scale, -1.0, 1.0), math.nan)
