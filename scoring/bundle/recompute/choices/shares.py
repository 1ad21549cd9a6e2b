"""Shares of answers with Wilson's interval."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from scipy import stats

from ..arrays import Array, Row
from ..drawing import tails

# Of a share: less is rounding, for it is 0 or at least of the order of 1 / n².
SMALLEST_VARIANCE = 1e-20


def units_of_answers(answers: pd.DataFrame) -> tuple[Array, str]:
    """The item of each answer, or its group where there are groups, numbered as they come."""
    grouped_items = answers["group"] != ""
    if not grouped_items.any():
        return pd.factorize(answers["item"])[0], "items"
    return pd.factorize(("g" + answers["group"]).where(grouped_items, "i" + answers["item"]))[0], "groups"


def share(hits: Array, answers: pd.DataFrame) -> Row:
    """The mean of hits with Wilson's interval, of the effective number where items repeat."""
    units, n, mean = np.unique(units_of_answers(answers)[0], return_inverse=True)[1], len(hits), hits.mean()
    sizes = np.bincount(units)
    if len(sizes) == n:
        low, high = wilson(mean, n)
    elif len(sizes) < 2:
        low, high = math.nan, math.nan
    else:
        low, high = wilson(mean, effective_number(hits, units, sizes))
    return {"n": n, "share": float(mean), "low": low, "high": high}


def effective_number(hits: Array, units: Array, sizes: Array) -> float:
    """How many independent answers would tell the share as well (Korn & Graubard 1998).

    t stands in place of the normal distribution: the variance is that of few units.
    """
    n, mean, k = len(hits), hits.mean(), len(sizes)
    residuals = np.bincount(units, weights=hits) - mean * sizes
    variance = k / (k - 1) * float((residuals**2).sum()) / n**2
    if variance < SMALLEST_VARIANCE:
        return float(k)
    certainty = (stats.norm.ppf(tails()[1]) / stats.t.ppf(tails()[1], k - 1)) ** 2
    return float(min(max(certainty * mean * (1 - mean) / variance, 1), n))


def wilson(mean: float, n: float) -> tuple[float, float]:
    """The two shares whose distance to the mean is z standard errors of their own (Wilson 1927)."""
    z2 = float(stats.norm.ppf(tails()[1])) ** 2
    half = math.sqrt(z2 * mean * (1 - mean) / n + (z2 / (2 * n)) ** 2)
    ends = [(mean + z2 / (2 * n) + sign * half) / (1 + z2 / n) for sign in (-1, 1)]
    return (0.0 if mean <= 0 else max(0.0, ends[0])), (1.0 if mean >= 1 else min(1.0, ends[1]))
