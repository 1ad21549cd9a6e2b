"""Correlation of each rater with the mean of the other raters of the same item."""

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy

from scoring.stats.base.parallel import THREADS
from scoring.stats.base.rank_correlation import Positions, pearson, spearman
from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray, Resampling, ignore_progress
from scoring.stats.base.result import (
    BIASED_REPLICATES,
    CONSTANT_RATINGS,
    TOO_FEW_ITEMS,
    Figure,
    Interval,
    Sample,
    estimated,
    refused,
)
from scoring.stats.data.bootstrap.units import Units
from scoring.stats.data.refusals import Needs, no_pairs_reason
from scoring.stats.data.table import Ratings

NEEDS = Needs(identified=True)

MINIMUM_SHARED = 10

# With fewer replicates than this at or below the estimate, half of them being right, there is no interval.
LEAST_BELOW = 0.2
# Within so many standard errors of that share, replicates of a fixed seed decide, so that having an interval
# depends on the data alone.
NEAR, DECIDING, DECIDING_SEED = 5, 1000, 0

# Replicates computed at once; with more their sums leave the processor's cache.
REPLICATES_PER_CHUNK = 16

COEFFICIENTS = {"held_out_pearson": pearson, "held_out_spearman": spearman}


def held_out_figures(
    ratings: Ratings,
    resampling: Resampling,
    minimum_shared: int = MINIMUM_SHARED,
    coefficients: Sequence[str] = tuple(COEFFICIENTS),
    each_rater: bool = True,
) -> list[Figure]:
    """Each rater against the mean of the others, and the mean and greatest of these correlations.

    Parameters
    ----------
    ratings
        Ratings of one criterion by identified raters.
    resampling
        Settings of the bootstrap over items, or over groups.
    minimum_shared
        Raters who share fewer items with others are listed with the reason and not averaged.
    coefficients
        `held_out_pearson`, `held_out_spearman` or both, from the same replicates.
    each_rater
        Give the figure of every rater as well.

    Returns
    -------
    list of Figure
        Of each coefficient the variants `mean`, `max`, then `rater:<label>` for every rater. The greatest
        correlation grows with the number of raters averaged, `n_raters`; with many raters it has no interval
        (`biased_replicates`).

    Raises
    ------
    ValueError
        When `minimum_shared` is below 3: a correlation of two items is ±1 whatever was rated.

    References
    ----------
    HAUSER (2023), section 4.1.2 and table 2.
    """
    if minimum_shared < 3:
        raise ValueError(f"minimum_shared is {minimum_shared}; a correlation needs at least 3 items")
    pairable = ratings.pairable().in_safe_unit
    reason = _reason(ratings, pairable)
    if reason:
        names = [(ratings.criterion, key, variant) for key in coefficients for variant in ("mean", "max")]
        return [refused(name, reason, pairable.sample, resampling.confidence) for name in names]
    pairs = _Pairs.of(pairable)
    replicates = _replicates(pairs, coefficients, resampling)
    figures: list[Figure] = []
    for key in coefficients:
        estimates = COEFFICIENTS[key](pairs.positions, pairs.times)[:, 0]
        estimates[pairs.shared < minimum_shared] = math.nan
        estimates[pairs.agreeing & np.isfinite(estimates)] = 1.0
        of_key = _Figures(key, pairs, minimum_shared, resampling, estimates, replicates[key])
        figures += [of_key.summary("mean"), of_key.summary("max")]
        if each_rater:
            figures += map(of_key.of_rater, range(pairs.n_raters))
    return figures


def _replicates(
    pairs: "_Pairs", coefficients: Sequence[str], resampling: Resampling
) -> dict[str, FloatArray]:
    """Replicates of each coefficient, shape (raters, replicates)."""
    sizes = resampling.sizes(REPLICATES_PER_CHUNK)
    in_unit = pairs.in_unit()

    def of_piece(piece: int) -> list[FloatArray]:
        generator = resampling.generator(pairs.ratings.criterion, "held_out", str(piece))
        taken = np.asarray(in_unit @ pairs.units.draw(generator, sizes[piece]), dtype=np.float64)
        return [COEFFICIENTS[key](pairs.positions, taken) for key in coefficients]

    pool = ThreadPoolExecutor(THREADS)
    try:
        found = pool.map(of_piece, range(len(sizes)))
        pieces = [next(found) for _ in resampling.pieces(REPLICATES_PER_CHUNK)]
    finally:
        # A tick that raises, as one does for a cancelled job, leaves what has not begun undone.
        pool.shutdown(cancel_futures=True)
    return {
        key: np.concatenate(of_key, axis=1)
        for key, of_key in zip(coefficients, zip(*pieces, strict=True), strict=True)
    }


def _reason(ratings: Ratings, pairable: Ratings) -> str:
    constant = CONSTANT_RATINGS if pairable.is_constant else ""
    return NEEDS.refusal(ratings) or no_pairs_reason(ratings, pairable) or constant


@dataclass(frozen=True)
class _Pairs:
    """Each rating with the mean of the others of its item."""

    ratings: Ratings
    positions: Positions
    agreeing: BoolArray
    units: Units

    @classmethod
    def of(cls, ratings: Ratings) -> "_Pairs":
        sums = np.bincount(ratings.item, ratings.value)
        others = (sums[ratings.item] - ratings.value) / (ratings.sizes[ratings.item] - 1)
        # Ratings are ordered by item.
        starts = np.cumsum(ratings.sizes) - ratings.sizes
        differs = np.minimum.reduceat(ratings.value, starts) < np.maximum.reduceat(ratings.value, starts)
        differing = np.bincount(ratings.rater, differs[ratings.item], len(ratings.raters))
        positions = Positions.of(ratings.rater, ratings.value, others)
        return cls(ratings, positions, differing == 0, Units.of(ratings))

    @property
    def times(self) -> FloatArray:
        """How often each distinct pair occurs, shape (pairs, 1)."""
        return np.bincount(self.positions.pair).astype(np.float64)[:, None]

    def in_unit(self) -> scipy.sparse.csc_array:
        """How often each distinct pair occurs in one of each unit, shape (pairs, units)."""
        pair = self.positions.pair[self.units.chosen]
        shape = (len(self.positions.x), len(self.units.frequency))
        # By units, for they are read in order and outgrow the processor's cache first.
        return scipy.sparse.coo_array((np.ones(len(pair)), (pair, self.units.unit)), shape=shape).tocsc()

    @property
    def n_units(self) -> int:
        return int(self.units.frequency.sum())

    @property
    def n_raters(self) -> int:
        return len(self.ratings.raters)

    @cached_property
    def shared(self) -> IntArray:
        return np.bincount(self.ratings.rater, minlength=self.n_raters)


@dataclass(frozen=True)
class _Figures:
    """The figures of one coefficient, from estimates (raters,) and replicates (raters, replicates)."""

    coefficient: str
    pairs: _Pairs
    minimum_shared: int
    resampling: Resampling
    estimates: FloatArray
    replicates: FloatArray

    def of_rater(self, rater: int) -> Figure:
        ratings, shared = self.pairs.ratings, int(self.pairs.shared[rater])
        name = (ratings.criterion, self.coefficient, f"rater:{ratings.raters[rater]}")
        sample = Sample(shared, 1, shared)
        if shared < self.minimum_shared:
            return refused(name, TOO_FEW_ITEMS, sample, self.resampling.confidence, self._how())
        if math.isnan(self.estimates[rater]):
            return refused(name, CONSTANT_RATINGS, sample, self.resampling.confidence, self._how())
        interval = self._interval(self.replicates[rater])
        estimate = float(self.estimates[rater])
        return estimated(name, estimate, interval, sample, self.resampling.confidence, how=self._how())

    def summary(self, variant: str) -> Figure:
        averaged = np.isfinite(self.estimates)
        ratings = self.pairs.ratings
        name = (ratings.criterion, self.coefficient, variant)
        chosen = averaged[ratings.rater]
        items = int(np.count_nonzero(np.bincount(ratings.item[chosen])))
        sample = Sample(items, int(averaged.sum()), int(chosen.sum()))
        confidence = self.resampling.confidence
        if not averaged.any():
            few = bool(np.all(self.pairs.shared < self.minimum_shared))
            reason = TOO_FEW_ITEMS if few else CONSTANT_RATINGS
            return refused(name, reason, sample, confidence, self._how())
        estimates = self.estimates[averaged]
        estimate = float(estimates.mean() if variant == "mean" else estimates.max())
        replicates = _over_raters(self.replicates[averaged], variant)
        interval = self._interval(replicates)
        # The greatest of many noisy correlations is greater still in a resample.
        if variant == "max" and not interval.reason and self._is_biased(estimate, replicates, averaged):
            interval = Interval.missing(BIASED_REPLICATES)
        return estimated(name, estimate, interval, sample, confidence, how=self._how())

    def _is_biased(self, estimate: float, replicates: FloatArray, averaged: BoolArray) -> bool:
        """Whether too few replicates are at or below the estimate, whatever the seed of the interval."""
        share = float(np.mean(replicates <= estimate))
        error = math.sqrt(LEAST_BELOW * (1 - LEAST_BELOW) / len(replicates))
        # None at all is far from that share, however few replicates there are.
        if abs(share - LEAST_BELOW) < min(NEAR * error, LEAST_BELOW):
            fixed = replace(self.resampling, replicates=DECIDING, seed=DECIDING_SEED, tick=ignore_progress)
            decisive = _replicates(self.pairs, [self.coefficient], fixed)[self.coefficient]
            share = float(np.mean(_over_raters(decisive[averaged], "max") <= estimate))
        return share < LEAST_BELOW

    def _interval(self, replicates: FloatArray) -> Interval:
        return self.resampling.interval(replicates, self.pairs.ratings.unit, self.pairs.n_units)

    def _how(self) -> str:
        return f"minimum-shared:{self.minimum_shared}"


def _over_raters(replicates: FloatArray, variant: str) -> FloatArray:
    """Mean or greatest over the raters whose correlation is defined in the replicate, shape (replicates,)."""
    defined = np.isfinite(replicates)
    number = defined.sum(axis=0)
    if variant == "mean":
        summary = np.where(defined, replicates, 0.0).sum(axis=0) / np.maximum(number, 1)
    else:
        summary = np.where(defined, replicates, -math.inf).max(axis=0)
    return np.asarray(np.where(number > 0, summary, math.nan), dtype=np.float64)
