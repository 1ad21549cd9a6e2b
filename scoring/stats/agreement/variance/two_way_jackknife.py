"""Intervals of the ICC of complete ratings with any distribution: items and raters are left out in turn."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.variance.anova import SINGLE_OF_AVERAGE
from scoring.stats.base.cautions import FEW_GROUPS, SKEWED
from scoring.stats.base.resampling import FEW_TO_RESAMPLE, FEWEST_UNITS, FloatArray
from scoring.stats.base.result import Interval
from scoring.stats.data.table import Ratings

METHOD = "two-way-jackknife"
# What is less than this part of the squares is an error of rounding: raters who agree fully have no noise.
ROUNDING = 1e-12
# Without one of them there are still two raters.
FEWEST_RATERS = 3
# Of fewer items or groups with most ratings at one end, intervals contain the true value clearly less often.
FEW_WITH_SKEW = 50
# Beyond this an exponential is no number.
HUGE = 700.0


@dataclass(frozen=True)
class _Sums:
    """Sums over ratings of n items by k raters, or arrays of them."""

    n: int | FloatArray
    k: int
    squares: FloatArray  # Of the ratings
    of_items: FloatArray  # Squares of the items' sums
    of_raters: FloatArray  # Squares of the raters' sums
    total: FloatArray

    def on_scale(self, key: str, averaged: int) -> FloatArray:
        """−log(1 − ρ) of ICC2k or ICC3k for an average of so many ratings; NaN where there is none."""
        n, k = self.n, self.k
        middle = self.total**2 / (n * k)
        items, raters = self.of_items / k - middle, self.of_raters / n - middle
        error = (self.squares - middle - items - raters) / ((n - 1) * (k - 1))
        between = (items / (n - 1) - error) / k
        severity = (raters / (k - 1) - error) / n if key == "icc2k" else 0.0
        noise = np.asarray((severity + error) / averaged)
        least = ROUNDING * self.squares
        defined = (noise > least) & (between + noise > least)
        ratio = np.divide(between + noise, noise, out=np.ones_like(noise), where=defined)
        return np.where(defined, np.log(ratio), math.nan)


@dataclass(frozen=True)
class _UnitSums:
    """Sums of complete ratings over the items of each unit."""

    n: int
    size: FloatArray  # Items of each unit, shape (units, 1)
    columns: FloatArray  # Of each rater's ratings, shape (units, raters)
    squares: FloatArray  # Of their squares, shape (units, raters)
    of_items: FloatArray  # Of the squares of the items' sums, shape (units, 1)
    of_others: FloatArray  # The same without each rater, shape (units, raters)

    @classmethod
    def of(cls, ratings: Ratings) -> "_UnitSums":
        # Ratings are ordered by item, then rater.
        values = ratings.value.reshape(ratings.n_items, len(ratings.raters)) - ratings.value.mean()
        rows = values.sum(axis=1, keepdims=True)
        of_items = (np.ones_like(rows), values, values**2, rows**2, (rows - values) ** 2)
        return cls(ratings.n_items, *(_by_unit(ratings, one) for one in of_items))

    def everything(self) -> _Sums:
        columns = self.columns.sum(axis=0)
        of_raters, k = (columns**2).sum(), len(columns)
        return _Sums(self.n, k, self.squares.sum(), self.of_items.sum(), of_raters, columns.sum())

    def without_units(self) -> _Sums:
        rest, k = self.columns.sum(axis=0) - self.columns, self.columns.shape[1]
        squares = _over_raters(self.squares.sum(axis=0) - self.squares)
        of_items = self.of_items.sum() - self.of_items
        return _Sums(self.n - self.size, k, squares, of_items, _over_raters(rest**2), _over_raters(rest))

    def without_raters(self) -> _Sums:
        whole = self.everything()
        columns, squares, of_others = (
            one.sum(axis=0, keepdims=True) for one in (self.columns, self.squares, self.of_others)
        )
        of_raters, total = whole.of_raters - columns**2, whole.total - columns
        return _Sums(self.n, whole.k - 1, whole.squares - squares, of_others, of_raters, total)

    def without_both(self) -> _Sums:
        units, rest = self.without_units(), self.columns.sum(axis=0) - self.columns
        squares = units.squares - (self.squares.sum(axis=0) - self.squares)
        of_items = self.of_others.sum(axis=0) - self.of_others
        return _Sums(units.n, units.k - 1, squares, of_items, units.of_raters - rest**2, units.total - rest)


@dataclass(frozen=True)
class LeftOut:
    """Sums of complete ratings, and with items (or groups) and raters left out in turn."""

    unit: str  # `items` or `groups`
    n_units: int
    everything: _Sums
    units: _Sums  # Without each unit, shape (units, 1)
    raters: _Sums  # Without each rater, shape (1, raters)
    both: _Sums  # Without each unit and each rater, shape (units, raters)

    @classmethod
    def of(cls, ratings: Ratings) -> "LeftOut | None":
        """Sums of complete ratings; None for fewer than three raters or five items or groups."""
        n_units = ratings.n_items if ratings.group is None else int(ratings.group.max()) + 1
        if n_units < FEWEST_UNITS or len(ratings.raters) < FEWEST_RATERS:
            return None
        sums = _UnitSums.of(ratings)
        left_out = (sums.everything(), sums.without_units(), sums.without_raters(), sums.without_both())
        return cls(ratings.unit, n_units, *left_out)

    def interval(self, key: str, tails: tuple[float, float]) -> Interval | None:
        """The interval of ICC2, ICC2k, ICC3 or ICC3k of ratings with any distribution.

        Parameters
        ----------
        key
            Coefficient key.
        tails
            Probabilities below the lower and below the upper limit.

        Returns
        -------
        Interval or None
            On Fisher's scale log((1 + (k − 1)ρ)/(1 − ρ)) of single ratings, which is −log(1 − ρ) of averages
            but for a constant. V_I and V_R are the jackknife variances of items (or groups) and of raters,
            and E is that of both left out at once, which is in each of them: the variance is
            V_I + max(V_R − E, 0), with Satterthwaite's degrees of freedom of V_I and V_R. None where a value
            is undefined.

        References
        ----------
        Fisher (1925), Statistical Methods for Research Workers, section 39 for the scale; Efron & Stein
        (1981), The jackknife estimate of variance.
        """
        n, k = self.n_units, self.everything.k
        averaged = key if key in SINGLE_OF_AVERAGE else f"{key}k"
        estimate, units, raters, both = (
            one.on_scale(averaged, k) for one in (self.everything, self.units, self.raters, self.both)
        )
        of_units, of_raters = _jackknife(units), _jackknife(raters)
        shared = float(((both - units - raters + estimate) ** 2).mean()) * (n - 1) * (k - 1)
        variance = of_units + max(of_raters - shared, 0.0)
        if not (math.isfinite(variance) and variance > 0):
            return None
        df = (of_units + of_raters) ** 2 / (of_units**2 / (n - 1) + of_raters**2 / (k - 1))
        half = float(scipy.stats.t.ppf(tails[1], df)) * math.sqrt(variance)
        low, high = (_coefficient(key, float(estimate) + side * half, k) for side in (-1, 1))
        settings = "|".join([f"df:{df:.1f}", *_cautions(self.unit, n)])
        return Interval(low, high, f"{METHOD}:{self.unit}+raters", "", settings)


def _by_unit(ratings: Ratings, of_items: FloatArray) -> FloatArray:
    """Sums over the items of each group; the items themselves without groups."""
    if ratings.group is None:
        return of_items
    found = np.zeros((int(ratings.group.max()) + 1, of_items.shape[1]))
    np.add.at(found, ratings.group, of_items)
    return found


def _over_raters(values: FloatArray) -> FloatArray:
    return np.asarray(values.sum(axis=1, keepdims=True))


def _jackknife(values: FloatArray) -> float:
    """Variance from a value without each unit."""
    return float(values.var()) * (values.size - 1)


def _coefficient(key: str, on_scale: float, k: int) -> float:
    average = 1 - math.exp(min(-on_scale, HUGE))
    return average if key in SINGLE_OF_AVERAGE else average / (k - (k - 1) * average)


def _cautions(unit: str, n_units: int) -> list[str]:
    few_groups = unit == "groups" and n_units < FEW_TO_RESAMPLE
    return ([FEW_GROUPS] if few_groups else []) + ([SKEWED] if n_units < FEW_WITH_SKEW else [])
