"""Limits of an interval for new items and new raters, from replicates and with each rater left out."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from scoring.stats.agreement.variance.ranges import within_range
from scoring.stats.base.cautions import FEW_GROUPS, FEW_ITEMS, FEW_RATERS
from scoring.stats.base.resampling import (
    FEWEST_UNITS,
    UNDEFINED_TOLERATED,
    FloatArray,
    Resampling,
    nothing_to_draw,
)
from scoring.stats.base.result import NO_LIMITS_IN_RANGE, TOO_FEW_RATERS, UNDEFINED_REPLICATES, Interval

METHOD = "pigeonhole-jackknife-t"
Kind = Literal["intraclass", "to_one", "disagreement", "share", "correlation"]
# Of three raters one replicate in nine draws one of them alone, who has no other to agree with.
FEWEST_RATERS = 4
# With fewer items intervals were not measured.
FEW_ITEMS_BELOW = 20
# Degrees of freedom are those of the raters' part without what the items' part has too.
OF_WHAT_IS_COUNTED = ("intraclass", "correlation")
# Beyond this an exponential is no number.
HUGE = 700.0


@dataclass(frozen=True)
class Replicates:
    """Replicates of one coefficient, NaN where it was undefined, shape (replicates,) each."""

    both: FloatArray  # Items (or groups) and raters drawn
    units: FloatArray  # The same draws of items (or groups), every rater once
    raters: FloatArray  # The same draws of raters, every item once
    # Everything once, but without each block of items (or groups), and without each rater, in turn
    without_units: FloatArray
    without_raters: FloatArray


@dataclass(frozen=True)
class Drawable:
    """What the replicates were drawn from."""

    unit: str  # `items` or `groups`
    n_units: int
    n_raters: int

    @property
    def refusal(self) -> Interval | None:
        """An interval without limits where there is too little to draw from; None where there is enough."""
        if self.n_units < FEWEST_UNITS:
            return nothing_to_draw(self.unit)
        return Interval.missing(TOO_FEW_RATERS) if self.n_raters < FEWEST_RATERS else None

    def cautions(self, of: "Limited") -> list[str]:
        """Cautions of a coefficient's interval, by measured coverage; see `docs/statistics/coverage.md`."""
        found = [FEW_ITEMS] if self.unit == "items" and self.n_units < FEW_ITEMS_BELOW else []
        found += [FEW_GROUPS] if self.unit == "groups" and self.n_units < of.fewest_groups else []
        return found + ([FEW_RATERS] if self.n_raters < of.fewest_raters else [])


@dataclass(frozen=True)
class Limited:
    """A coefficient that needs limits."""

    estimate: float
    scale: "Transform"
    least: float  # The lower end of its range
    # fewest_groups, fewest_raters: Of fewer its interval has a caution
    fewest_groups: int = FEWEST_UNITS
    fewest_raters: int = FEWEST_RATERS


def limits_for_new_raters(
    of: Limited, replicates: Replicates, drawable: Drawable, resampling: Resampling
) -> Interval:
    """The interval, symmetric on the scale of the transform.

    Parameters
    ----------
    of
        The coefficient.
    replicates
        Of the four kinds.
    drawable
        What they were drawn from.
    resampling
        Replicates, seed and confidence.

    Returns
    -------
    Interval
        With the variances V_I, V_R and V of the replicates of items, of raters and of both, the part of the
        error that has both in it is E = V − V_I − V_R. The parts of the items and of the raters are the
        jackknife's J_I and J_R, from the coefficient without each of them. E is in both, and counted once it
        leaves J_I + (J_R − E). Degrees of freedom by Satterthwaite, of these two parts for α, κ and
        held-out correlations, of J_I and J_R for the others. On the scale of α and κ the middle is
        the estimate less the jackknife's bias of items (or groups). The lower limit keeps to the
        coefficient's range. No limits where more than 5 % of the values of one kind were undefined, or
        where the estimate is outside the range of its scale, or less its bias outside the limits.

    References
    ----------
    Owen (2007), equation 9 for E; Efron & Stein (1981) for the jackknife variance; Quenouille (1956) for its
    bias; Satterthwaite (1946); Fisher (1925), section 39, for the scale of α and κ.
    """
    method = f"{METHOD}:{drawable.unit}+raters"
    undefined = int(np.count_nonzero(~np.isfinite(replicates.both)))
    settings = f"replicates:{resampling.replicates}|undefined:{undefined}|seed:{resampling.seed}"
    without_units, without_raters = replicates.without_units, replicates.without_raters
    if any(_too_many_undefined(values) for values in (replicates.both, without_units, without_raters)):
        return Interval(math.nan, math.nan, method, UNDEFINED_REPLICATES, settings)
    both, units, raters = map(_variance, (replicates.both, replicates.units, replicates.raters))
    of_units, of_raters = _jackknife(without_units), _jackknife(without_raters)
    of_raters_alone = max(of_raters - max(both - units - raters, 0.0), 0.0)
    variance = of_units + of_raters_alone
    cautions = drawable.cautions(of)
    slope = of.scale.slope(of.estimate)
    if math.isnan(slope):
        return Interval.missing(NO_LIMITS_IN_RANGE, method)
    if variance <= 0 or not math.isfinite(slope):
        return Interval(of.estimate, of.estimate, method, "", "|".join([settings, *cautions]))
    counted = of_raters_alone if of.scale.kind in OF_WHAT_IS_COUNTED else of_raters
    df = (of_units + counted) ** 2 / (
        of_units**2 / (len(without_units) - 1) + counted**2 / (len(without_raters) - 1)
    )
    half = float(scipy.stats.t.ppf(resampling.tails()[1], df)) * math.sqrt(variance)
    bias = _bias(without_units, of.estimate) if of.scale.kind == "intraclass" else 0.0
    middle = of.scale.forth(of.estimate) - bias * slope
    low, high = (of.scale.back(middle + side * half * slope) for side in (-1, 1))
    limits = Interval(low, high, method, "", "|".join([settings, f"df:{df:.1f}", *cautions]))
    found = within_range(limits, of.estimate, min(of.least, of.estimate))
    if found.low <= of.estimate <= found.high:
        return found
    return Interval.missing(NO_LIMITS_IN_RANGE, method)


def _too_many_undefined(values: FloatArray) -> bool:
    return bool(np.count_nonzero(~np.isfinite(values)) > UNDEFINED_TOLERATED * len(values))


def _variance(values: FloatArray) -> float:
    defined = values[np.isfinite(values)]
    return float(defined.var(ddof=1)) if len(defined) > 1 else 0.0


def _jackknife(values: FloatArray) -> float:
    """Variance from a value without each part."""
    return _variance(values) * (len(values) - 1) ** 2 / len(values)


def _bias(values: FloatArray, estimate: float) -> float:
    """Bias from a value without each part."""
    return (len(values) - 1) * (float(np.nanmean(values)) - estimate)


@dataclass(frozen=True)
class Transform:
    """A scale for limits, on which the error hardly depends on the value."""

    # `intraclass`: log((1 + (m − 1)θ)/(1 − θ)) of m ratings per item; `to_one`: −log(1 − θ); `disagreement`:
    # 1/(1 − θ); `share`: log(θ/(1 − θ)); `correlation`: artanh θ
    kind: Kind
    m: float = 2.0  # Mean number of ratings per item, for `intraclass`
    # Items of a group are alike: above 0 as many times m. Below 0, where no coefficient may be as low as with
    # so many ratings, m itself with the scale stretched as much, so that both have the same slope at 0.
    alike: float = 1.0

    def forth(self, value: float) -> float:
        """The value on that scale."""
        if self.kind == "share":
            return math.log(value / (1 - value))
        if self.kind == "correlation":
            return math.atanh(value)
        if self.kind == "disagreement":
            return 1 / (1 - value)
        if self.kind == "to_one":
            return -math.log(1 - value)
        m, stretch = self._at(value)
        return stretch * math.log((1 + (m - 1) * value) / (1 - value))

    def back(self, value: float) -> float:
        """The coefficient of a value on that scale; −∞ where no coefficient is so low."""
        if self.kind == "share":
            return float(scipy.special.expit(value))
        if self.kind == "correlation":
            return math.tanh(value)
        if self.kind == "disagreement":
            return 1 - 1 / value if value > 0 else -math.inf
        if self.kind == "to_one":
            return 1 - math.exp(min(-value, HUGE))
        m, stretch = self._at(value)
        return 1 - m / (math.exp(min(value / stretch, HUGE)) + m - 1)

    def slope(self, value: float) -> float:
        """Derivative of `forth`; infinite at the ends of the coefficient's range, NaN outside."""
        m, stretch = self._at(value)
        below = {
            "intraclass": (1 + (m - 1) * value) * (1 - value) / (m * stretch),
            "to_one": 1 - value,
            "disagreement": (1 - value) ** 2,
            "share": value * (1 - value),
            "correlation": 1 - value**2,
        }[self.kind]
        if below > 0:
            return 1 / below
        return math.inf if value == 1 or self.kind != "intraclass" else math.nan

    def _at(self, value: float) -> tuple[float, float]:
        """Ratings that are alike, and how far the scale is stretched, on the side of 0 of a value."""
        return (self.m, self.alike) if value < 0 else (self.m * self.alike, 1.0)
