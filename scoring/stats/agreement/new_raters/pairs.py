"""Coefficients of agreement from weighted pairs of distinct raters."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.gwet import agreement_weights
from scoring.stats.agreement.new_raters.draws import Drawn
from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.data.table import Ratings


@dataclass(frozen=True)
class Cells:
    """Which raters gave which item which value."""

    ratings: Ratings
    of_value: scipy.sparse.csr_array  # 1 where a rater gave it, shape (categories · items, raters)
    of_item: scipy.sparse.csr_array  # 1 where a rater rated the item, shape (items, raters)

    @classmethod
    def of(cls, ratings: Ratings) -> "Cells":
        """Cells of one criterion's ratings."""
        code = np.searchsorted(ratings.categories, ratings.value)
        rows: IntArray = code * ratings.n_items + ratings.item
        n_rows, n_raters = len(ratings.categories) * ratings.n_items, len(ratings.raters)
        return cls(
            ratings,
            _indicator(rows, ratings.rater, (n_rows, n_raters)),
            _indicator(ratings.item, ratings.rater, (ratings.n_items, n_raters)),
        )


def _indicator(rows: IntArray, columns: IntArray, shape: tuple[int, int]) -> scipy.sparse.csr_array:
    return scipy.sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=shape).tocsr()


class WeightedPairs:
    """The ratings under the multiplicities of a number of replicates, b.

    Item i is drawn wᵢ times and rater j vⱼ times. Two ratings of item i by different raters j ≠ k make a pair
    of weight wᵢ·vⱼ·vₖ; a rater drawn twice is not paired with their own copy, whose agreement says nothing.
    With every multiplicity 1 each coefficient is what it is of the ratings themselves.
    """

    def __init__(self, cells: Cells, drawn: Drawn) -> None:
        ratings = cells.ratings
        self.categories = ratings.categories
        shape = (len(ratings.categories), ratings.n_items, drawn.raters.shape[1])
        # How often each item has each value, shape (categories, items, b), and how often a value, (items, b).
        self._counts = np.asarray(cells.of_value @ drawn.raters).reshape(shape)
        self._size = self._counts.sum(axis=0)
        self._copies = np.asarray(cells.of_item @ drawn.raters**2)
        pairs = self._size**2 - self._copies
        self._paired = pairs > 0
        self._drawn = drawn.items
        self._weight = drawn.items * self._paired
        self._a_pair = np.divide(1.0, pairs, out=np.zeros_like(pairs), where=self._paired)
        # Of items with a pair: how often each value comes, shape (categories, b), and all of them.
        self._marginals = np.einsum("cib,ib->cb", self._counts, self._weight)
        self._total = self._marginals.sum(axis=0)
        self._varied = np.count_nonzero(self._marginals, axis=0) >= 2

    def agreement(self, weights: FloatArray) -> FloatArray:
        """Mean over items of the weighted agreement of their pairs, shape (b,); NaN without a pair.

        Σᵢ wᵢ · Σ_{j≠k} vⱼvₖ a(xᵢⱼ, xᵢₖ) / (Mᵢ² − Σⱼ vⱼ²) over Σᵢ wᵢ, with Mᵢ = Σⱼ vⱼ.
        """
        agreeing = np.einsum("cib,cd,dib->ib", self._counts, weights, self._counts, optimize=True)
        items = (self._weight * self._a_pair * (agreeing - self._copies)).sum(axis=0)
        return _divided(items, self._weight.sum(axis=0))

    def pooled_shares(self) -> FloatArray:
        """Share of each value among the ratings of items with a pair, shape (categories, b)."""
        return _divided(self._marginals, self._total)

    def mean_shares(self) -> FloatArray:
        """Mean over all items drawn of the shares of the values in each, shape (categories, b)."""
        rated = self._size > 0
        weight = self._drawn * rated
        sums = np.einsum("cib,ib->cb", self._counts, weight / np.where(rated, self._size, 1.0))
        return _divided(sums, weight.sum(axis=0))

    def alpha(self, positions: FloatArray) -> FloatArray:
        """Krippendorff's α with squared differences of positions of the values, shape (categories, 1 or b).

        Observed: each item's mean over its pairs, weighted by its number of ratings wᵢMᵢ. Expected: the mean
        over all pairs of different original ratings, n² − Σ (wᵢvⱼ)² of them.
        """
        first, second = (
            np.einsum("cib,cb->ib", self._counts, np.broadcast_to(power, self._marginals.shape))
            for power in (positions, positions**2)
        )
        within = 2 * (self._size * second - first**2) * self._a_pair
        observed = _divided((self._weight * self._size * within).sum(axis=0), self._total)
        one, two = ((self._marginals * power).sum(axis=0) for power in (positions, positions**2))
        pairs = self._total**2 - (self._weight**2 * self._copies).sum(axis=0)
        expected = _divided(2 * (self._total * two - one**2), pairs)
        defined = self._varied & (expected > 0)
        return np.asarray(1 - _divided(observed, np.where(defined, expected, math.nan)), dtype=np.float64)

    def midranks(self) -> FloatArray:
        """Positions whose squared differences are the ordinal distances of these marginals."""
        return np.asarray(np.cumsum(self._marginals, axis=0) - self._marginals / 2, dtype=np.float64)

    def fleiss(self) -> FloatArray:
        """Fleiss' κ, shape (b,)."""
        observed, shares = self.agreement(np.eye(len(self.categories))), self.pooled_shares()
        expected = np.where(self._varied, (shares**2).sum(axis=0), math.nan)
        return _corrected(observed, expected)

    def gwet(self, weights: FloatArray) -> FloatArray:
        """Gwet's AC with these weights, shape (b,)."""
        length, shares = len(self.categories), self.mean_shares()
        factor = weights.sum() / (length * (length - 1)) if length > 1 else 0.0
        return _corrected(self.agreement(weights), factor * (shares * (1 - shares)).sum(axis=0))

    def beyond_uniform(self, weights: FloatArray) -> FloatArray:
        """Brennan and Prediger's coefficient with these weights, shape (b,)."""
        return _corrected(self.agreement(weights), np.asarray(weights.mean()))


Coefficients = Mapping[tuple[str, str], Callable[[WeightedPairs], FloatArray]]


def _interval_alpha(pairs: WeightedPairs) -> FloatArray:
    return pairs.alpha((pairs.categories - pairs.categories.mean())[:, None])


def _within(pairs: WeightedPairs, most: float) -> FloatArray:
    distances = np.abs(np.subtract.outer(pairs.categories, pairs.categories))
    return pairs.agreement((distances <= most).astype(np.float64))


def _quadratic(pairs: WeightedPairs) -> FloatArray:
    return agreement_weights("quadratic", pairs.categories)


# By coefficient, and level where it has several; every report on scales has these.
COEFFICIENTS: Coefficients = {
    ("alpha", "ordinal"): lambda pairs: pairs.alpha(pairs.midranks()),
    ("alpha", "interval"): _interval_alpha,
    ("fleiss", ""): lambda pairs: pairs.fleiss(),
    ("ac1", ""): lambda pairs: pairs.gwet(np.eye(len(pairs.categories))),
    ("ac2", ""): lambda pairs: pairs.gwet(_quadratic(pairs)),
    ("kappa_n", ""): lambda pairs: pairs.beyond_uniform(_quadratic(pairs)),
    ("exact", ""): lambda pairs: _within(pairs, 0),
    ("within_one", ""): lambda pairs: _within(pairs, 1),
}


def _corrected(observed: FloatArray, expected: FloatArray) -> FloatArray:
    return _divided(observed - expected, 1 - expected)


def _divided(above: FloatArray, below: FloatArray) -> FloatArray:
    """The quotient, NaN where there is nothing below."""
    shape = np.broadcast_shapes(above.shape, below.shape)
    found = np.divide(above, below, out=np.full(shape, math.nan), where=np.asarray(below) != 0)
    return np.asarray(found, dtype=np.float64)
