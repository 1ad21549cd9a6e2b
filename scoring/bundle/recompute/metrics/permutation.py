"""Permutation test for two metrics."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from ..arrays import Array, Statistic
from ..coefficients.correlation import correlate_columns, round_significant
from ..drawing import Drawing
from .levels import correlate_in_groups
from .rated_items import RatedItems
from .strength import get_strength


@dataclass(frozen=True)
class Contrast:
    """Two metrics, turned so that higher is better, on the items that have all three values."""

    pair: RatedItems
    level: str
    coefficient: str
    directions: tuple[str, str]
    drawing: Drawing

    def of(self, r: Array) -> Array:
        """Compute the difference of the strengths, from shape (..., 2)."""
        first, second = self.directions
        return np.asarray(get_strength(r[..., 0], first) - get_strength(r[..., 1], second))

    def permutation_p(self) -> float:
        """Exchange the scores of both metrics by units or systems (Deutsch, Dror & Roth 2021)."""
        correlate = self.swapped()
        n_units = len(self.pair.systems) if self.level == "system" else self.pair.n_units
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
        """Return the correlations of both metrics as a function of swapped units, or of swapped systems."""
        pair = self.pair
        if self.level == "group":
            by_group = correlate_in_groups(pair, self.coefficient)[:, :, 0]
            return lambda swaps: exchange_columns(by_group, swaps).mean(axis=1)
        if self.level == "item":
            scores = put_on_one_scale(pair.scores, self.coefficient)
            return lambda swaps: self.against(exchange_columns(scores, swaps[:, pair.units]), pair.human)
        means = put_on_one_scale(average_by_system(pair, pair.scores), self.coefficient)
        human = average_by_system(pair, pair.human)
        return lambda swaps: self.against(exchange_columns(means, swaps), human)

    def against(self, columns: Array, human: Array) -> Array:
        """Correlate samples of both columns with the ratings."""
        if self.coefficient != "kendall" or len(human) <= 60:
            return correlate_columns(columns, human, self.coefficient)[:, :, 0]
        ratings, scores = round_significant(human[:, 0]), round_significant(columns)
        return np.array([[stats.kendalltau(side, ratings).statistic for side in score.T] for score in scores])


def exchange_columns(columns: Array, swaps: Array) -> Array:
    """Exchange two columns in the given rows."""
    return np.where(swaps[:, :, None], columns[None, :, ::-1], columns[None])


def put_on_one_scale(scores: Array, coefficient: str) -> Array:
    """Standardise columns, or their ranks where the coefficient depends on ranks alone."""
    if coefficient == "pearson":
        values = np.ldexp(scores, -np.frexp(np.abs(scores).max(axis=0))[1])
    else:
        values = stats.rankdata(round_significant(scores), axis=0)
    spread = values.std(axis=0)
    return np.asarray((values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def average_by_system(items: RatedItems, values: Array) -> Array:
    """Compute the mean of each column over the items of each system, shape (systems, columns)."""
    system = np.zeros(len(items.items), dtype=int) if items.system is None else items.system
    sums = np.zeros((len(items.systems), values.shape[1]))
    np.add.at(sums, system, values)
    return sums / np.bincount(system)[:, None]
