"""Upper limits for a metric's correlation with the ratings: what raters reach among themselves."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from scoring.stats.agreement.held_out import MINIMUM_SHARED
from scoring.stats.agreement.variance.icc import one_way_figures, two_way_figures
from scoring.stats.base.resampling import FloatArray, IntArray, Resampling
from scoring.stats.base.result import (
    CONSTANT_RATINGS,
    NO_OVERLAP,
    TOO_FEW_ITEMS,
    TOO_FEW_RATERS,
    Figure,
    Interval,
    Sample,
)
from scoring.stats.data.bootstrap.bootstrap_draws import unit_draws
from scoring.stats.data.table import Ratings
from scoring.stats.metrics.meta_figure import CONSTANT_SCORES, MetaFigure
from scoring.stats.metrics.pooled import pooled

Coefficient = Literal["pearson", "spearman"]

NEGATIVE_RELIABILITY = "negative_reliability"
SPLITS = 50


def split_half(
    ratings: Ratings, coefficient: Coefficient, resampling: Resampling, splits: int = SPLITS
) -> MetaFigure:
    """Reliability of the mean rating: random halves of the ratings correlated, stepped up to all of them.

    Parameters
    ----------
    ratings
        Ratings of one criterion.
    coefficient
        `pearson` or `spearman`.
    resampling
        Settings of the bootstrap over items or groups, and the seed of the splits.
    splits
        Number of random splits; their mean correlation is stepped up.

    Returns
    -------
    MetaFigure
        The Spearman–Brown value for k, the mean number of ratings per item. Identified raters who all rated
        every item are split as persons, other ratings item by item. Of an odd number of ratings one is left
        out of each split, and the step is k over the size of a half.

    References
    ----------
    Spearman (1910); Brown (1910).
    """
    pairable = ratings.pairable()
    halves = _Halves(pairable, resampling.generator(ratings.criterion, "halves"))
    by = "raters" if halves.as_persons else "ratings"
    what = _What(pairable, coefficient, "", f"split-half of {by}, Spearman–Brown, k={halves.k:.4g}")
    if reason := _reason(ratings, pairable):
        return what.refused(reason, resampling)
    correlate = [pooled(*halves.draw(), what.unit, coefficient) for _ in range(splits)]

    def stepped_up(weights: FloatArray) -> FloatArray:
        return _spearman_brown(_mean([one(weights) for one in correlate]), halves.step)

    estimate = float(stepped_up(np.ones((1, what.n_units)))[0])
    if math.isnan(estimate):
        return what.refused(CONSTANT_RATINGS, resampling)
    draws = unit_draws(what.n_units, pairable.n_items, resampling)
    replicates = np.concatenate([stepped_up(weights) for weights in draws()])
    return what.figure(estimate, replicates, pairable.sample, resampling, f"splits:{splits}")


def leave_one_out(
    ratings: Ratings,
    scores: pd.DataFrame,
    coefficient: Coefficient,
    resampling: Resampling,
    minimum_shared: int = MINIMUM_SHARED,
) -> list[MetaFigure]:
    """One rater against the mean of the others, and every metric against the same means.

    Parameters
    ----------
    ratings
        Ratings of one criterion; anonymous slots count as raters.
    scores
        Index item, one column per metric.
    coefficient
        `pearson` or `spearman`.
    resampling
        Settings of the bootstrap over items or groups.
    minimum_shared
        Raters who share fewer items with others are left out.

    Returns
    -------
    list of MetaFigure
        First the raters' own (`metric` empty), then every metric: means over the raters left out, unadjusted,
        so that both are compared with k − 1 ratings.

    Raises
    ------
    ValueError
        When `minimum_shared` is below 3: a correlation of two items is ±1 whatever was rated.

    References
    ----------
    HAUSER (2023), section 4.1.2, for the raters; Resnik (1995) and Mitchell & Lapata (2008) for their
    correlation as the limit for a model. Comparing metrics with the same means is a choice of this program.
    """
    if minimum_shared < 3:
        raise ValueError(f"minimum_shared is {minimum_shared}; a correlation needs at least 3 items")
    pairable = ratings.pairable()
    who = "raters" if ratings.identified else "slots"
    how = f"leave-one-out over {who}, minimum-shared {minimum_shared}"
    matched = scores.reindex(list(pairable.items)).to_numpy(dtype=np.float64)[pairable.item]
    columns = {"": pairable.value, **dict(zip(map(str, scores.columns), matched.T, strict=True))}
    reason = _reason(ratings, pairable)
    if not reason and np.bincount(pairable.rater).max() < minimum_shared:
        reason = TOO_FEW_ITEMS
    parts = [(_What(pairable, coefficient, name, how), column) for name, column in columns.items()]
    return [
        what.refused(reason, resampling)
        if reason
        else _against_others(what, column, minimum_shared, resampling)
        for what, column in parts
    ]


def upper_bound(ratings: Ratings, resampling: Resampling) -> MetaFigure:
    """The correlation with the mean rating that a metric without error would reach.

    Parameters
    ----------
    ratings
        Ratings of one criterion.
    resampling
        Settings of the reliability's interval.

    Returns
    -------
    MetaFigure
        √ICC3k of identified raters who all rated every item, because constant differences between raters do
        not touch a correlation; √ICC1k otherwise. A lower limit below zero is zero.

    References
    ----------
    Spearman (1904): correction for attenuation; Lord & Novick (1968), section 3.9.
    """
    as_persons = ratings.identified and ratings.is_complete
    figures = (two_way_figures if as_persons else one_way_figures)(ratings, resampling)
    key = "icc3k" if as_persons else "icc1k"
    reliability = next(figure for figure in figures if figure.coefficient == key)
    what = _What(ratings, "pearson", "", f"upper bound, square root of {key} ({reliability.variant})")
    reason = reliability.reason or (NEGATIVE_RELIABILITY if reliability.estimate < 0 else "")
    if reason:
        return what.refused(reason, resampling)
    return what.made(math.sqrt(reliability.estimate), _root(reliability), ratings.sample, resampling, "")


def _reason(ratings: Ratings, pairable: Ratings) -> str:
    if ratings.n_ratings == 0:
        return TOO_FEW_ITEMS
    if len(ratings.raters) < 2:
        return TOO_FEW_RATERS
    if pairable.n_items < 2:
        return NO_OVERLAP
    return CONSTANT_RATINGS if pairable.is_constant else ""


def _root(reliability: Figure) -> Interval:
    if math.isnan(reliability.low):
        return Interval.missing(reliability.interval_method.removeprefix("none:"))
    low, high = (math.sqrt(max(limit, 0.0)) for limit in (reliability.low, reliability.high))
    return Interval(low, high, reliability.interval_method)


def _spearman_brown(r: FloatArray, step: float) -> FloatArray:
    below = 1 + (step - 1) * r
    stepped = np.divide(step * r, below, out=np.full(len(r), math.nan), where=below > 0)
    return np.asarray(stepped, dtype=np.float64)


def _mean(parts: list[FloatArray]) -> FloatArray:
    """Mean over the parts that are defined, replicate by replicate."""
    values = np.stack(parts)
    defined = np.isfinite(values)
    total = np.where(defined, values, 0.0).sum(axis=0)
    number = defined.sum(axis=0)
    mean = np.divide(total, number, out=np.full(len(total), math.nan), where=number > 0)
    return np.asarray(mean, dtype=np.float64)


def _against_others(
    what: "_What", column: FloatArray, minimum_shared: int, resampling: Resampling
) -> MetaFigure:
    """Mean over the raters left out of a column's correlation with the mean of the others."""
    ratings = what.ratings
    sums = np.bincount(ratings.item, ratings.value)
    others = (sums[ratings.item] - ratings.value) / (ratings.sizes[ratings.item] - 1)
    known = np.isfinite(column)
    shared = np.bincount(ratings.rater, known, minlength=len(ratings.raters))
    chosen = [known & (ratings.rater == code) for code in np.flatnonzero(shared >= minimum_shared)]
    if not chosen:
        return what.refused(TOO_FEW_ITEMS, resampling)
    units = what.unit[ratings.item]
    correlate = [pooled(column[own], others[own], units[own], what.coefficient) for own in chosen]

    def mean(weights: FloatArray) -> FloatArray:
        return _mean([one(weights) for one in correlate])

    estimate = float(mean(np.ones((1, what.n_units)))[0])
    if math.isnan(estimate):
        return what.refused(CONSTANT_SCORES if what.metric else CONSTANT_RATINGS, resampling)
    draws = unit_draws(what.n_units, ratings.n_ratings, resampling)
    replicates = np.concatenate([mean(weights) for weights in draws()])
    used = np.any(chosen, axis=0)
    sample = Sample(len(np.unique(ratings.item[used])), len(chosen), int(used.sum()))
    return what.figure(estimate, replicates, sample, resampling, "")


class _Halves:
    """Random halves of the ratings of each item."""

    def __init__(self, ratings: Ratings, generator: np.random.Generator) -> None:
        self._ratings = ratings
        self._generator = generator
        self._size = ratings.sizes // 2
        self.as_persons = ratings.identified and ratings.is_complete
        self.k = float(ratings.sizes.mean()) if ratings.n_items else math.nan

    @property
    def step(self) -> float:
        """The number of all ratings relative to the number in a half.

        The error of a mean falls with the number behind it, so halves of several sizes count by their
        harmonic mean.
        """
        return self.k * float(np.mean(1 / self._size))

    def draw(self) -> tuple[FloatArray, FloatArray]:
        """Mean of either half of each item, shape (items,) each."""
        item = self._ratings.item
        if self.as_persons:
            key = self._generator.random(len(self._ratings.raters))[self._ratings.rater]
        else:
            key = self._generator.random(len(item))
        order = np.lexsort((key, item))
        starts = np.cumsum(self._ratings.sizes) - self._ratings.sizes
        rank = np.empty(len(item), dtype=np.int64)
        rank[order] = np.arange(len(item)) - starts[item[order]]
        half = rank // self._size[item]
        one, other = (
            np.bincount(item[half == side], self._ratings.value[half == side]) / self._size for side in (0, 1)
        )
        return one, other


@dataclass(frozen=True)
class _What:
    """The ratings, coefficient, metric and variant that a figure is about."""

    ratings: Ratings
    coefficient: Coefficient
    metric: str
    variant: str

    @property
    def unit(self) -> IntArray:
        """Code of the resampled unit of each item."""
        return np.arange(self.ratings.n_items) if self.ratings.group is None else self.ratings.group

    @property
    def n_units(self) -> int:
        return int(self.unit.max()) + 1 if self.ratings.n_items else 0

    def figure(
        self, estimate: float, replicates: FloatArray, sample: Sample, resampling: Resampling, how: str
    ) -> MetaFigure:
        interval = resampling.interval(replicates, self.ratings.unit, self.n_units)
        return self.made(estimate, interval, sample, resampling, how)

    def refused(self, reason: str, resampling: Resampling) -> MetaFigure:
        interval = Interval.missing(reason)
        return self.made(math.nan, interval, self.ratings.sample, resampling, "", reason)

    def made(
        self,
        estimate: float,
        interval: Interval,
        sample: Sample,
        resampling: Resampling,
        how: str,
        reason: str = "",
    ) -> MetaFigure:
        return MetaFigure(
            criterion=self.ratings.criterion,
            metric=self.metric,
            metric2="",
            level="item",
            coefficient=self.coefficient,
            variant=self.variant,
            estimate=estimate,
            interval=interval,
            confidence=resampling.confidence,
            p=math.nan,
            n_items=sample.items,
            n_groups=0 if self.ratings.group is None else self.n_units,
            n_systems=0,
            n_dropped=0,
            sample=sample,
            reason=reason,
            how=how,
        )
