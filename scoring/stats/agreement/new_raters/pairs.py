"""Coefficients of agreement from weighted pairs of distinct raters."""

import math
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from scoring.stats.agreement.gwet import agreement_weights
from scoring.stats.agreement.new_raters.cells import ItemPairs
from scoring.stats.base.resampling import FloatArray


class WeightedPairs:
    """The ratings under the multiplicities of a number of replicates, b.

    Item i is drawn wᵢ times and rater j vⱼ times. Two ratings of item i by different raters j ≠ k make a pair
    of weight wᵢ·vⱼ·vₖ; a rater drawn twice is not paired with their own copy, whose agreement says nothing.
    With every multiplicity 1 each coefficient is what it is of the ratings themselves.

    Parameters
    ----------
    of_items
        What each item shows under the multiplicities of the raters.
    items
        Multiplicities of the items, shape (items, b), or (items, 1) for all replicates.
    """

    def __init__(self, of_items: ItemPairs, items: FloatArray) -> None:
        self._of_items = of_items
        self._items = items
        self.categories = of_items.cells.categories
        self._weight = items * of_items.paired
        # Of items with a pair: how often each value comes, shape (categories, b), and all of them.
        self._marginals = self._by_category(self._weight)
        self._total = self._marginals.sum(axis=0)
        self._varied = np.count_nonzero(self._marginals, axis=0) >= 2

    def _by_category(self, weight: FloatArray) -> FloatArray:
        cells = self._of_items.cells
        return np.asarray(cells.cells_of_category @ (self._of_items.counts * weight[cells.item]))

    def _over_items(self, shares: FloatArray) -> FloatArray:
        """Mean of what items with a pair show, shape (b,); NaN without any.

        Σᵢ wᵢ · Σ_{j≠k} vⱼvₖ a(xᵢⱼ, xᵢₖ) / (Mᵢ² − Σⱼ vⱼ²) over Σᵢ wᵢ, with Mᵢ = Σⱼ vⱼ.
        """
        return _divided(_summed(self._weight, shares), self._weight.sum(axis=0))

    @cached_property
    def equal(self) -> FloatArray:
        """Share of pairs with equal values, shape (b,)."""
        return self._over_items(self._of_items.equal)

    @cached_property
    def within_one(self) -> FloatArray:
        """Share of pairs whose values differ by at most 1, shape (b,)."""
        return self._over_items(self._of_items.within_one)

    @cached_property
    def quadratic(self) -> FloatArray:
        """Agreement with the weights 1 − (difference / length of the scale)², shape (b,)."""
        length = float(np.ptp(self.categories)) or 1.0
        return 1 - self._over_items(self._of_items.squared) / length**2

    @cached_property
    def _mean_shares(self) -> FloatArray:
        """Mean over all items drawn of the shares of the values in each, shape (categories, b)."""
        size = self._of_items.size
        weight = self._items * (size > 0)
        sums = self._by_category(weight / np.where(size > 0, size, 1.0))
        return _divided(sums, weight.sum(axis=0))

    def alpha(self, positions: FloatArray | None = None) -> FloatArray:
        """Krippendorff's α with squared differences of positions of the values, shape (b,).

        Observed: each item's mean over its pairs, weighted by its number of ratings wᵢMᵢ. Expected: the mean
        over all pairs of different original ratings, n² − Σ (wᵢvⱼ)² of them.

        Parameters
        ----------
        positions
            Shape (categories, 1 or b); without them those of the values.
        """
        of_items = self._of_items
        if positions is None:
            positions, within = (self.categories - self.categories.mean())[:, None], of_items.squared
        else:
            within = of_items.squared_differences(positions)
        observed = _divided(_summed(self._weight, of_items.size * within), self._total)
        one, two = ((self._marginals * power).sum(axis=0) for power in (positions, positions**2))
        pairs = self._total**2 - _summed(self._weight**2, of_items.copies)
        expected = _divided(2 * (self._total * two - one**2), pairs)
        defined = self._varied & (expected > 0)
        return np.asarray(1 - _divided(observed, np.where(defined, expected, math.nan)), dtype=np.float64)

    def midranks(self) -> FloatArray:
        """Positions whose squared differences are the ordinal distances of these marginals."""
        middles = np.cumsum(self._marginals, axis=0) - self._marginals / 2
        return np.asarray(middles - self._total / 2, dtype=np.float64)

    def fleiss(self) -> FloatArray:
        """Fleiss' κ, shape (b,)."""
        shares = _divided(self._marginals, self._total)
        expected = np.where(self._varied, (shares**2).sum(axis=0), math.nan)
        return _corrected(self.equal, expected)

    def gwet(self, observed: FloatArray, weights: FloatArray) -> FloatArray:
        """Gwet's AC with these weights, shape (b,)."""
        length, shares = len(self.categories), self._mean_shares
        factor = weights.sum() / (length * (length - 1)) if length > 1 else 0.0
        return _corrected(observed, factor * (shares * (1 - shares)).sum(axis=0))

    def kappa_n(self) -> FloatArray:
        """Brennan and Prediger's coefficient with quadratic weights, shape (b,)."""
        return _corrected(self.quadratic, np.asarray(quadratic_weights(self.categories).mean()))


def quadratic_weights(categories: FloatArray) -> FloatArray:
    """Weights of AC2 and of Brennan and Prediger's coefficient."""
    return agreement_weights("quadratic", categories)


Coefficients = Mapping[tuple[str, str], Callable[[WeightedPairs], FloatArray]]
# By coefficient, and level where it has several; every report on scales has these.
COEFFICIENTS: Coefficients = {
    ("alpha", "ordinal"): lambda pairs: pairs.alpha(pairs.midranks()),
    ("alpha", "interval"): lambda pairs: pairs.alpha(),
    ("fleiss", ""): lambda pairs: pairs.fleiss(),
    ("ac1", ""): lambda pairs: pairs.gwet(pairs.equal, np.eye(len(pairs.categories))),
    ("ac2", ""): lambda pairs: pairs.gwet(pairs.quadratic, quadratic_weights(pairs.categories)),
    ("kappa_n", ""): lambda pairs: pairs.kappa_n(),
    ("exact", ""): lambda pairs: pairs.equal,
    ("within_one", ""): lambda pairs: pairs.within_one,
}


def _summed(weight: FloatArray, values: FloatArray) -> FloatArray:
    """Σᵢ of the products, shape (b,)."""
    return np.asarray(np.einsum("ib,ib->b", weight, values), dtype=np.float64)


def _corrected(observed: FloatArray, expected: FloatArray) -> FloatArray:
    return _divided(observed - expected, 1 - expected)


def _divided(above: FloatArray, below: FloatArray) -> FloatArray:
    """The quotient, NaN where there is nothing below."""
    shape = np.broadcast_shapes(above.shape, below.shape)
    found = np.divide(above, below, out=np.full(shape, math.nan), where=np.asarray(below) != 0)
    return np.asarray(found, dtype=np.float64)
