"""Limits of an interval for new items and new raters, from three sets of replicates."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.cautions import FEW_GROUPS, FEW_ITEMS, FEW_RATERS, FEW_RATERS_BELOW
from scoring.stats.base.resampling import (
    FEW_TO_RESAMPLE,
    FEWEST_UNITS,
    UNDEFINED_TOLERATED,
    FloatArray,
    Resampling,
    nothing_to_draw,
)
from scoring.stats.base.result import NO_LIMITS_IN_RANGE, TOO_FEW_RATERS, UNDEFINED_REPLICATES, Interval

METHOD = "pigeonhole-bootstrap-t"
# Of three raters one replicate in nine draws one of them alone, who has no other to agree with.
FEWEST_RATERS = 4
# On a scale with equal steps no coefficient is below: with quadratic weights and all points equally frequent,
# total disagreement has (0 − 5/6)/(1 − 5/6) on very many points.
LEAST = -5.0
# Beyond this an exponential is no number; any limit from it is out of range.
HUGE = 700.0


@dataclass(frozen=True)
class Replicates:
    """Replicates of one coefficient, NaN where it was undefined, shape (replicates,) each."""

    both: FloatArray  # Items (or groups) and raters drawn
    units: FloatArray  # The same draws of items (or groups), every rater once
    raters: FloatArray  # The same draws of raters, every item once


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

    @property
    def cautions(self) -> list[str]:
        few_units = [FEW_GROUPS if self.unit == "groups" else FEW_ITEMS]
        few_raters = [FEW_RATERS] if self.n_raters < FEW_RATERS_BELOW else []
        return (few_units if self.n_units < FEW_TO_RESAMPLE else []) + few_raters


def limits_for_new_raters(
    estimate: float, transform: "Transform", replicates: Replicates, of: Drawable, resampling: Resampling
) -> Interval:
    """The interval, symmetric on the scale of the transform.

    Parameters
    ----------
    estimate
        The coefficient.
    transform
        Scale on which its error is nearly the same for every value.
    replicates
        Of the three kinds.
    of
        What they were drawn from.
    resampling
        Replicates, seed and confidence.

    Returns
    -------
    Interval
        With the variances V_I, V_R and V of the replicates of items, of raters and of both, the part of the
        error that has both in it is E = V − V_I − V_R, and counted once instead of three times it leaves
        V_I + (V_R − E); each part is enlarged by n/(n − 1) of its own number. Degrees of freedom by
        Satterthwaite. No limits where more than 5 % of the replicates of both were undefined, or where the
        lower one is below −5, which no coefficient of a scale with equal steps can be: then a few items
        decide, and replicates without them are far from the estimate.

    References
    ----------
    Owen (2007), equation 9 for the variances; Satterthwaite (1946).
    """
    method = f"{METHOD}:{of.unit}+raters"
    undefined = int(np.count_nonzero(~np.isfinite(replicates.both)))
    settings = f"replicates:{resampling.replicates}|undefined:{undefined}|seed:{resampling.seed}"
    if undefined > UNDEFINED_TOLERATED * len(replicates.both):
        return Interval(math.nan, math.nan, method, UNDEFINED_REPLICATES, settings)
    both, units, raters = map(_variance, (replicates.both, replicates.units, replicates.raters))
    shared = max(both - units - raters, 0.0)
    of_units = units * of.n_units / (of.n_units - 1)
    enlarged = of.n_raters / (of.n_raters - 1)
    variance = of_units + max(raters - shared, 0.0) * enlarged
    slope = transform.slope(estimate)
    if variance <= 0 or not math.isfinite(slope):
        return Interval(estimate, estimate, method, "", "|".join([settings, *of.cautions]))
    df = _degrees_of_freedom(of_units, raters * enlarged, of)
    half = float(scipy.stats.t.ppf(resampling.tails()[1], df)) * math.sqrt(variance) * slope
    low, high = (transform.back(transform.forth(estimate) + side * half) for side in (-1, 1))
    if low < LEAST:
        return Interval.missing(NO_LIMITS_IN_RANGE, method)
    return Interval(low, high, method, "", "|".join([settings, f"df:{df:.1f}", *of.cautions]))


def _variance(replicates: FloatArray) -> float:
    defined = replicates[np.isfinite(replicates)]
    return float(defined.var(ddof=1)) if len(defined) > 1 else 0.0


def _degrees_of_freedom(units: float, raters: float, of: Drawable) -> float:
    return (units + raters) ** 2 / (units**2 / (of.n_units - 1) + raters**2 / (of.n_raters - 1))


@dataclass(frozen=True)
class Transform:
    """A scale for limits: of a coefficient that is at most 1, of a share, or of a correlation."""

    kind: str  # `to_one`: −log(1 − θ); `share`: log(θ/(1 − θ)); `correlation`: artanh θ

    def forth(self, value: float) -> float:
        """The value on that scale."""
        if self.kind == "to_one":
            return -math.log(1 - value)
        return math.log(value / (1 - value)) if self.kind == "share" else math.atanh(value)

    def back(self, value: float) -> float:
        """The coefficient of a value on that scale."""
        if self.kind == "to_one":
            return 1 - math.exp(min(-value, HUGE))
        return float(scipy.special.expit(value)) if self.kind == "share" else math.tanh(value)

    def slope(self, value: float) -> float:
        """Derivative of `forth`; infinite at the ends of the coefficient's range."""
        below = {"to_one": 1 - value, "share": value * (1 - value), "correlation": 1 - value**2}[self.kind]
        return 1 / below if below > 0 else math.inf
