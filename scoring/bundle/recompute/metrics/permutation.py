"""Permutation test for two metrics."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from ..arrays import Array, Statistic
from ..coefficients.correlation import plain_correlation, settled
from ..drawing import Drawing
from .levels import group_correlations
from .measured import Measured
from .strength import strength


@dataclass(frozen=True)
class Contrast:
    """Two metrics, turned so that higher is better, on the items that have all three values."""

    pair: Measured
    level: str
    coefficient: str
    directions: tuple[str, str]
    drawing: Drawing

    def of(self, r: Array) -> Array:
        """Difference of the strengths, from shape (..., 2)."""
        first, second = self.directions
        return np.asarray(strength(r[..., 0], first) - strength(r[..., 1], second))

    def permutation_p(self) -> float:
        """The scores of both change places by units (Deutsch, Dror & Roth 2021)."""
        correlate = self.swapped()
        n_units = self.pair.n_units
        observed = abs(float(self.of(correlate(np.zeros((1, n_units), dtype=bool)))[0]))
        if math.isnan(observed):
            return math.nan
        generator, beyond, defined = self.drawing.stream("swaps"), 0, 0
        for size in self.drawing.chunks(2 * len(self.pair.items)):
            found = np.abs(self.of(correlate(generator.random((size, n_units)) < 0.5)))
            beyond += int((found >= observed * (1 - 1e-12)).sum())
            defined += int(np.isfinite(found).sum())
        return (1 + beyond) / (1 + defined)

    def swapped(self) -> Statistic:
        """From swaps of units to correlations of both metrics."""
        pair = self.pair
        if self.level == "group":
            by_group = group_correlations(pair, self.coefficient)[:, :, 0]
            return lambda swaps: exchanged(by_group, swaps).mean(axis=1)
        spread = pair.scores.std(axis=0)
        scores = (pair.scores - pair.scores.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        if self.level == "item":
            return lambda swaps: self.against(exchanged(scores, swaps[:, pair.units]), pair.human)
        means = added(pair, scores).sum(axis=0)
        gains, human = added(pair, scores[:, ::-1] - scores), added(pair, pair.human).sum(axis=0)
        return lambda swaps: self.against(means + np.tensordot(swaps.astype(float), gains, axes=1), human)

    def against(self, columns: Array, human: Array) -> Array:
        """Correlations of samples of both columns with the ratings."""
        if self.coefficient != "kendall" or len(human) <= 60:
            return plain_correlation(columns, human, self.coefficient)[:, :, 0]
        ratings, scores = settled(human[:, 0]), settled(columns)
        return np.array([[stats.kendalltau(side, ratings).statistic for side in one.T] for one in scores])


def exchanged(columns: Array, swaps: Array) -> Array:
    """Two columns, exchanged in the rows named."""
    return np.where(swaps[:, :, None], columns[None, :, ::-1], columns[None])


def added(items: Measured, values: Array) -> Array:
    """What each unit adds to each system's mean, shape (units, systems, columns)."""
    system = np.zeros(len(items.items), dtype=int) if items.system is None else items.system
    found = np.zeros((items.n_units, len(items.systems), values.shape[1]))
    np.add.at(found, (items.units, system), values / np.bincount(system)[system, None])
    return found
