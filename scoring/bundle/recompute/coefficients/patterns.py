"""Distinct ways in which items were rated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse, stats

from ..arrays import Array, Row, Statistic
from ..drawing import Drawing, draw_units, get_tail_probabilities
from ..ratings import Ratings, make_figure
from .correlation import round_significant

# Fewest and most units for limits that are corrected.
CORRECTED = (20, 2_000)
# The estimate is no further outside its limits than by this; else there are none.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Patterns:
    """Distinct ways in which items were rated, by number of ratings, then by sorted values."""

    counts: Array
    frequency: Array
    by_group: sparse.csr_array | None

    @classmethod
    def of(cls, ratings: Ratings) -> Patterns:
        """Find the patterns of a criterion's items."""
        code, starts = ratings.code, np.cumsum(ratings.sizes) - ratings.sizes
        of_item = np.empty(ratings.n_items, dtype=int)
        counts: list[Array] = []
        found = 0
        for size in np.unique(ratings.sizes):
            items = np.flatnonzero(ratings.sizes == size)
            rows = np.sort(code[starts[items][:, None] + np.arange(size)], axis=1)
            distinct, inverse = np.unique(rows, axis=0, return_inverse=True)
            of_item[items] = found + inverse.ravel()
            found += len(distinct)
            counts += [np.bincount(row, minlength=len(ratings.categories)) for row in distinct]
        by_group = None
        if ratings.group is not None:
            ones, shape = np.ones(ratings.n_items), (int(ratings.group.max()) + 1, found)
            by_group = sparse.coo_array((ones, (ratings.group, of_item)), shape=shape).tocsr()
        return cls(np.array(counts, dtype=float), np.bincount(of_item).astype(float), by_group)

    @property
    def n_units(self) -> int:
        """Number of items or groups to draw from."""
        return int(self.frequency.sum()) if self.by_group is None else int(self.by_group.shape[0])

    @property
    def sizes(self) -> Array:
        """Number of ratings of an item with each pattern."""
        return np.asarray(self.counts.sum(axis=1))

    def replicates(self, drawing: Drawing, stream: Sequence[str], compute: Statistic) -> Array | None:
        """Compute the statistic in every replicate; None with a single unit."""
        if self.n_units < 2:
            return None
        generator = drawing.stream(*stream)
        width = max(*self.counts.shape, 0 if self.by_group is None else self.n_units)
        return np.concatenate([compute(self.draw(generator, size)) for size in drawing.chunks(width)])

    def draw(self, generator: np.random.Generator, size: int) -> Array:
        """Draw how often each pattern occurs in each replicate, shape (size, patterns)."""
        if self.by_group is None:
            return draw_units(generator, self.frequency.astype(int), size).T
        groups = draw_units(generator, np.ones(self.n_units, dtype=int), size)
        return np.asarray((self.by_group.T @ groups).T)

    def figure(
        self, ratings: Ratings, drawing: Drawing, name: tuple[str, str], stream: Sequence[str], how: Statistic
    ) -> Row:
        """Compute the estimate and the limits of a statistic."""
        replicates, estimate = self.replicates(drawing, stream, how), float(how(self.frequency[None, :])[0])
        limits = drawing.limits(replicates, self.n_units)
        if drawing.corrects and replicates is not None and math.isfinite(limits[0]):
            limits = self.correct(limits, replicates, estimate, how)
        if not limits[0] - ROUNDING <= estimate <= limits[1] + ROUNDING:
            limits = math.nan, math.nan
        return make_figure(ratings, *name, estimate, limits)

    def correct(
        self, limits: tuple[float, float], replicates: Array, estimate: float, how: Statistic
    ) -> tuple[float, float]:
        """Correct percentile limits for bias and acceleration (Efron 1987), where that is possible."""
        if not CORRECTED[0] <= self.n_units <= CORRECTED[1]:
            return limits
        defined = replicates[np.isfinite(replicates)]
        sides = np.sign(round_significant(defined) - round_significant(np.array(estimate)))
        below = float(np.mean(sides < 0) + np.mean(sides == 0) / 2)
        units = np.eye(len(self.frequency)) if self.by_group is None else self.by_group.toarray()
        times = self.frequency if self.by_group is None else np.ones(self.n_units)
        without = np.concatenate([how(self.frequency - part) for part in np.array_split(units, len(units))])
        if not 0 < below < 1 or not np.isfinite(without).all():
            return limits
        away = np.average(without, weights=times) - without
        spread = float((times * away**2).sum())
        acceleration = float((times * away**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
        bias = float(stats.norm.ppf(below))
        shifted = bias + stats.norm.ppf(get_tail_probabilities())
        low, high = np.quantile(defined, stats.norm.cdf(bias + shifted / (1 - acceleration * shifted)))
        return float(low), float(high)


def is_not_comparable(ratings: Ratings, pairable: Ratings) -> bool:
    """Whether agreement cannot be corrected for chance: one rater, under two items, or one value only."""
    return len(ratings.raters) < 2 or pairable.n_items < 2 or pairable.constant
