"""Held-out correlations of resampled raters: each with the mean of the others, who are different persons."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.new_raters.draws import Drawn
from scoring.stats.base.rank_correlation import ROUNDING
from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.data.table import Ratings

# Means nearer to each other than this share of the greatest value are the same, so that they share a rank.
SAME_DIGITS = 9


@dataclass(frozen=True)
class HeldOut:
    """Ratings in the order of their raters."""

    item: IntArray
    rater: IntArray
    value: FloatArray  # Less the mean of all, as a share of the greatest, shape (ratings, 1)
    first: IntArray  # First rating of each rater
    of_item: scipy.sparse.csr_array  # 1 where a rater rated the item, shape (items, raters)
    values: scipy.sparse.csr_array  # The same with the value in place of 1
    averaged: BoolArray  # Whether a rater shares enough items to be averaged

    @classmethod
    def of(cls, ratings: Ratings, minimum_shared: int) -> "HeldOut":
        """Ratings of one criterion, of items that have at least two."""
        order = np.lexsort((ratings.item, ratings.rater))
        item, rater = ratings.item[order], ratings.rater[order]
        centred = ratings.value[order] - ratings.value.mean()
        value = centred / (float(np.abs(centred).max()) or 1.0)
        shape = (ratings.n_items, len(ratings.raters))
        of_item = scipy.sparse.coo_array((np.ones(len(item)), (item, rater)), shape=shape).tocsr()
        values = scipy.sparse.coo_array((value, (item, rater)), shape=shape).tocsr()
        first = np.searchsorted(rater, np.arange(shape[1]))
        averaged = np.bincount(rater, minlength=shape[1]) >= minimum_shared
        return cls(item, rater, value[:, None], first, of_item, values, averaged)

    def means(self, drawn: Drawn) -> dict[str, FloatArray]:
        """Mean over the raters drawn of Pearson's and of Spearman's correlation, shape (replicates,) each.

        The mean of the others of an item weighs every other rater by how often they were drawn; a rater's own
        copies are not among the others.
        """
        own = drawn.raters[self.rater]
        others = np.asarray(self.of_item @ drawn.raters)[self.item] - own
        has_others = others > 0
        sums = np.asarray(self.values @ drawn.raters)[self.item] - own * self.value
        quotient = np.divide(sums, others, out=np.zeros_like(sums), where=has_others)
        mean = np.asarray(np.round(quotient, SAME_DIGITS), dtype=np.float64)
        taken = drawn.items[self.item] * has_others
        of_value, of_mean = self._ranks(self.value, taken), self._ranks(mean, taken)
        return {
            "held_out_pearson": self._over_raters(self._correlations(self.value, mean, taken), drawn),
            "held_out_spearman": self._over_raters(self._correlations(of_value, of_mean, taken), drawn),
        }

    def _by_rater(self, values: FloatArray) -> FloatArray:
        return np.asarray(np.add.reduceat(values, self.first, axis=0), dtype=np.float64)

    def _correlations(self, x: FloatArray, y: FloatArray, taken: FloatArray) -> FloatArray:
        """Pearson's r of each rater, shape (raters, replicates)."""
        total = np.maximum(self._by_rater(taken), 1.0)
        x = x - (self._by_rater(taken * x) / total)[self.rater]
        y = y - (self._by_rater(taken * y) / total)[self.rater]
        of_x, of_y = self._by_rater(taken * x**2), self._by_rater(taken * y**2)
        least = ROUNDING * total
        defined = (of_x > least) & (of_y > least)
        scale = np.sqrt(np.where(defined, of_x, 1.0)) * np.sqrt(np.where(defined, of_y, 1.0))
        found = np.clip(self._by_rater(taken * x * y) / scale, -1.0, 1.0)
        return np.where(defined, found, math.nan)

    def _ranks(self, values: FloatArray, taken: FloatArray) -> FloatArray:
        """Average ranks within each rater, as shares of all taken, but for a constant of the rater."""
        # Raters come one after the other: their values lie within 2 of 0.
        key = values + 8.0 * self.rater[:, None]
        order = np.argsort(key, axis=0, kind="stable")
        key = np.take_along_axis(key, order, 0)
        new, last = np.ones(key.shape, dtype=bool), np.ones(key.shape, dtype=bool)
        new[1:] = np.diff(key, axis=0) > 0.5 * 10.0**-SAME_DIGITS
        last[:-1] = new[1:]
        order = np.broadcast_to(order, taken.shape)
        number = np.take_along_axis(taken, order, 0)
        after = np.cumsum(number, axis=0)
        before = np.maximum.accumulate(np.where(new, after - number, 0.0), axis=0)
        upto = np.minimum.accumulate(np.where(last, after, np.inf)[::-1], axis=0)[::-1]
        ranks = np.empty(taken.shape)
        np.put_along_axis(ranks, order, (before + upto) / 2, 0)
        return np.asarray(ranks / np.maximum(after[-1], 1.0), dtype=np.float64)

    def _over_raters(self, correlations: FloatArray, drawn: Drawn) -> FloatArray:
        """Mean over the raters drawn whose correlation is defined; NaN where none is."""
        weight = drawn.raters * self.averaged[:, None] * np.isfinite(correlations)
        total = weight.sum(axis=0)
        sums = (weight * np.where(weight > 0, correlations, 0.0)).sum(axis=0)
        mean = np.divide(sums, total, out=np.full(total.shape, math.nan), where=total > 0)
        return np.asarray(mean, dtype=np.float64)
