"""Chance-corrected agreement with Gwet's analytic intervals, as irrCAC reports them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray

CONFIDENCE = 0.95


@dataclass(frozen=True)
class LinearisedFigure:
    """A coefficient and its interval from the linearised variance over items."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Agreement:
    """Value counts of items under one set of agreement weights."""

    counts: FloatArray  # Ratings of each category, shape (items, categories)
    weights: FloatArray  # Shape (categories, categories), 1 on the diagonal

    @classmethod
    def of(cls, ratings: FloatArray, scale: tuple[float, float], weights: FloatArray) -> Agreement:
        """Counts of a complete matrix of ratings, shape (items, raters), on a declared scale."""
        categories = np.arange(scale[0], scale[1] + 1)
        return cls((ratings[:, :, None] == categories).sum(axis=1).astype(np.float64), weights)

    @property
    def _sizes(self) -> FloatArray:
        return np.asarray(self.counts.sum(axis=1), dtype=np.float64)

    @property
    def _agreeing(self) -> FloatArray:
        """Weighted agreeing ordered pairs of each item."""
        weighted = self.counts @ self.weights
        return np.asarray((self.counts * (weighted - 1)).sum(axis=1), dtype=np.float64)

    @property
    def _shares(self) -> FloatArray:
        return np.asarray((self.counts / self._sizes[:, None]).mean(axis=0), dtype=np.float64)

    def fleiss(self) -> LinearisedFigure:
        """Fleiss's κ (weighted where the weights are); Gwet (2014), section 5.3."""
        shares = self._shares
        expected = float(shares @ self.weights @ shares)
        of_item = self.counts @ ((self.weights + self.weights.T) @ shares / 2) / self._sizes
        observed = self._agreeing / (self._sizes * (self._sizes - 1))
        return _figure(observed, of_item, expected)

    def gwet(self) -> LinearisedFigure:
        """Gwet's AC1 or AC2; Gwet (2008), eq. 21."""
        shares = self._shares
        factor = self.weights.sum() / (len(shares) * (len(shares) - 1))
        expected = float(factor * (shares * (1 - shares)).sum())
        of_item = factor * (self.counts @ (1 - shares)) / self._sizes
        observed = self._agreeing / (self._sizes * (self._sizes - 1))
        return _figure(observed, of_item, expected)

    def alpha(self) -> LinearisedFigure:
        """Krippendorff's α from agreement weights, with its small-sample term."""
        sizes, mean_size = self._sizes, self._sizes.mean()
        shares = self.counts.mean(axis=0) / mean_size
        expected = float(shares @ self.weights @ shares)
        surplus = (sizes - mean_size) / mean_size
        pairs = self._agreeing / (mean_size * (sizes - 1))
        observed = float(pairs.mean())
        of_item = self.counts @ ((self.weights + self.weights.T) @ shares / 2) / mean_size
        figure = _figure(pairs - observed * surplus, of_item - expected * surplus, expected, observed)
        epsilon = 1 / sizes.sum()
        estimate = ((1 - epsilon) * observed + epsilon - expected) / (1 - expected)
        half = (figure.high - figure.low) / 2
        return LinearisedFigure(float(estimate), float(estimate - half), min(1.0, float(estimate + half)))


def _figure(
    observed: FloatArray, expected_of_item: FloatArray, expected: float, mean: float | None = None
) -> LinearisedFigure:
    n = len(observed)
    estimate = ((float(observed.mean()) if mean is None else mean) - expected) / (1 - expected)
    of_item = (observed - expected) / (1 - expected)
    corrected = of_item - 2 * (1 - estimate) * (expected_of_item - expected) / (1 - expected)
    error = np.sqrt(((corrected - estimate) ** 2).sum() / (n * (n - 1)))
    half = float(scipy.stats.t.ppf((1 + CONFIDENCE) / 2, n - 1) * error)
    return LinearisedFigure(float(estimate), float(estimate - half), min(1.0, float(estimate + half)))
