"""Shares of answers with Wilson's interval."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from scipy import stats

from ..arrays import Array, Row
from ..drawing import get_tail_probabilities

# Of a share: less is rounding, for it is 0 or at least of the order of 1 / n².
SMALLEST_VARIANCE = 1e-20


def assign_answer_units(answers: pd.DataFrame) -> tuple[Array, str]:
    """Number the resampling unit of each answer: its item, or the item's group."""
    grouped_items = answers["group"] != ""
    if not grouped_items.any():
        return pd.factorize(answers["item"])[0], "items"
    return pd.factorize(("g" + answers["group"]).where(grouped_items, "i" + answers["item"]))[0], "groups"


def compute_share(hits: Array, answers: pd.DataFrame) -> Row:
    """Compute the mean of hits with Wilson's interval, using the effective number of answers."""
    low, high = limit_share(hits, assign_answer_units(answers)[0])
    return {"n": len(hits), "share": float(hits.mean()), "low": low, "high": high}


def limit_share(hits: Array, units: Array) -> tuple[float, float]:
    """Compute Wilson's limits of the mean of hits, given the resampling unit of each."""
    units, n, mean = np.unique(units, return_inverse=True)[1], len(hits), hits.mean()
    sizes = np.bincount(units)
    if len(sizes) == n:
        return compute_wilson_limits(mean, n)
    if len(sizes) < 2:
        return math.nan, math.nan
    return compute_wilson_limits(mean, compute_effective_number(hits, units, sizes))


def compute_mean_limits(values: Array, units: Array) -> tuple[float, float]:
    """Compute t limits of a mean from what the units differ by (Cochran 1977, section 6.4)."""
    units = np.unique(units, return_inverse=True)[1]
    k, mean = int(units.max()) + 1, values.mean()
    if k < 2:
        return math.nan, math.nan
    residuals = np.bincount(units, weights=values - mean)
    variance = k / (k - 1) * float((residuals**2).sum()) / len(values) ** 2
    if variance < SMALLEST_VARIANCE:
        return math.nan, math.nan
    half = float(stats.t.ppf(get_tail_probabilities()[1], k - 1)) * math.sqrt(variance)
    return max(0.0, mean - half), min(1.0, mean + half)


def compute_effective_number(hits: Array, units: Array, sizes: Array) -> float:
    """Compute how many independent answers are as precise (Korn & Graubard 1998).

    The t distribution replaces the normal distribution, because few units give the variance.
    """
    n, mean, k = len(hits), hits.mean(), len(sizes)
    residuals = np.bincount(units, weights=hits) - mean * sizes
    variance = k / (k - 1) * float((residuals**2).sum()) / n**2
    if variance < SMALLEST_VARIANCE:
        return float(k)
    certainty = (
        stats.norm.ppf(get_tail_probabilities()[1]) / stats.t.ppf(get_tail_probabilities()[1], k - 1)
    ) ** 2
    return float(min(max(certainty * mean * (1 - mean) / variance, 1), n))


def compute_wilson_limits(mean: float, n: float) -> tuple[float, float]:
    """Compute Wilson's limits: shares z standard errors away from the mean (Wilson 1927)."""
    z2 = float(stats.norm.ppf(get_tail_probabilities()[1])) ** 2
    half = math.sqrt(z2 * mean * (1 - mean) / n + (z2 / (2 * n)) ** 2)
    ends = [(mean + z2 / (2 * n) + sign * half) / (1 + z2 / n) for sign in (-1, 1)]
    return (0.0 if mean <= 0 else max(0.0, ends[0])), (1.0 if mean >= 1 else min(1.0, ends[1]))
