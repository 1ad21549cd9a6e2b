"""Bias-corrected and accelerated limits of a bootstrap."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy

from scoring.stats.base.resampling import CHUNK_CELLS, FloatArray, Resampling
from scoring.stats.base.result import BIASED_REPLICATES, Interval
from scoring.stats.base.rounding import round_significant
from scoring.stats.data.bootstrap.count_patterns import Patterns

# From so many units on, BCa limits of α and Fleiss' κ contain the true value more often than percentiles, see
# docs/statistics/coverage.md. With very many both are the same, and BCa takes the time of as many replicates.
FEWEST_FOR_BCA, MOST_FOR_BCA = 20, 2_000

# Coefficients are of the order of 1: what is less than this away is rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class JackknifeValues:
    """A coefficient without each unit in turn."""

    values: FloatArray  # The coefficient, one entry for each kind of unit
    times: FloatArray  # How many units are of that kind

    @property
    def acceleration(self) -> float:
        """Σ(θ̄ − θᵢ)³ / 6(Σ(θ̄ − θᵢ)²)^1.5 over the units; 0 where leaving one out changes nothing."""
        mean = float(self.values @ self.times / self.times.sum())
        away = mean - self.values
        spread = float(self.times @ away**2)
        return float(self.times @ away**3) / (6 * spread**1.5) if spread > 0 else 0.0


def jackknife(patterns: Patterns, compute: Callable[[FloatArray], FloatArray]) -> JackknifeValues:
    """Compute a coefficient without each item, or without each group where there are groups.

    Parameters
    ----------
    patterns
        Items without one differ only by the pattern of the one left out.
    compute
        From weights of patterns, shape (rows, patterns), to the coefficient, shape (rows,).

    Returns
    -------
    JackknifeValues
        One value per pattern or group.
    """
    if patterns.by_group is None:
        units, times = np.eye(len(patterns.frequency)), patterns.frequency
    else:
        units, times = patterns.by_group.toarray(), np.ones(patterns.n_units)
    at_once = max(1, CHUNK_CELLS // units.shape[1])
    values = [
        compute(patterns.frequency - units[start : start + at_once])
        for start in range(0, len(units), at_once)
    ]
    return JackknifeValues(np.concatenate(values), times)


def bootstrap_interval(
    resampling: Resampling,
    replicates: FloatArray,
    unit: str,
    estimate: float,
    patterns: Patterns,
    compute: Callable[[FloatArray], FloatArray],
) -> Interval:
    """The interval that the settings ask for.

    Parameters
    ----------
    resampling
        Settings, with percentile limits, bias-corrected and accelerated ones, or `measured`: BCa limits from
        20 to 2,000 units if there are any, else percentiles.
    replicates
        One value per replicate, NaN where the coefficient was undefined.
    unit
        Unit of resampling.
    estimate
        The coefficient.
    patterns, compute
        As for `jackknife`.

    Returns
    -------
    Interval
        Without limits when more than 5 % of the replicates were undefined, or the estimate is not between
        the limits (`biased_replicates`).

    References
    ----------
    Efron (1987); Efron & Tibshirani (1993), section 14.3.
    """
    percentile = resampling.interval(replicates, unit, patterns.n_units)
    chosen = FEWEST_FOR_BCA <= patterns.n_units <= MOST_FOR_BCA or resampling.limits == "bca"
    if resampling.limits == "percentile" or percentile.reason or not chosen:
        return _holding(estimate, percentile)
    corrected = _corrected(resampling, replicates, estimate, percentile, jackknife(patterns, compute))
    interval = percentile if corrected.reason and resampling.limits == "measured" else corrected
    return _holding(estimate, interval)


def _holding(estimate: float, interval: Interval) -> Interval:
    """Limits that leave the estimate out are those of another number: resampling is biased."""
    if interval.reason or interval.low - ROUNDING <= estimate <= interval.high + ROUNDING:
        return interval
    return replace(interval, low=math.nan, high=math.nan, reason=BIASED_REPLICATES)


def _corrected(
    resampling: Resampling,
    replicates: FloatArray,
    estimate: float,
    percentile: Interval,
    without: JackknifeValues,
) -> Interval:
    method = percentile.method.replace("percentile", "bca")
    defined = replicates[np.isfinite(replicates)]
    if np.all(defined == estimate):
        return Interval(estimate, estimate, method, "", percentile.settings)
    # A replicate that is the estimate but for rounding is no further from it on either side.
    rounded, at = round_significant(defined), round_significant(np.array(estimate))
    below = float(np.mean(rounded < at) + np.mean(rounded == at) / 2)
    if not 0 < below < 1 or not np.isfinite(without.values).all():
        return Interval(float("nan"), float("nan"), method, BIASED_REPLICATES, percentile.settings)
    bias, acceleration = float(scipy.stats.norm.ppf(below)), without.acceleration
    shifted = bias + scipy.stats.norm.ppf(resampling.tails())
    tails = np.asarray(scipy.stats.norm.cdf(bias + shifted / (1 - acceleration * shifted)), dtype=np.float64)
    limits = np.asarray(np.quantile(defined, tails), dtype=np.float64)
    return Interval(float(limits[0]), float(limits[1]), method, "", percentile.settings)
