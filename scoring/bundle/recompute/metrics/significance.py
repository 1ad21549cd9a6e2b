"""Williams's test, bootstrap p values and Holm's adjustment."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

from ..arrays import Array
from ..drawing import FEWEST_UNITS


def compute_williams(r12: float, r13: float, r23: float, n: int, *, paper: bool) -> tuple[float, float]:
    """Compute Williams's t and p: two-sided, or one-sided with the larger first as in HANNA."""
    if any(math.isnan(r) for r in (r12, r13, r23)) or n < 4:
        return math.nan, math.nan
    if paper:
        r23 *= math.copysign(1, r12) * math.copysign(1, r13)
        r12, r13 = max(abs(r12), abs(r13)), min(abs(r12), abs(r13))
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    radicand = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if radicand <= 0:
        return math.nan, math.nan
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / radicand)
    return t, float(stats.t.sf(t, n - 3)) if paper else float(2 * stats.t.sf(abs(t), n - 3))


def compute_bootstrap_p(differences: Array, n_units: int) -> float:
    """Compute the two-sided p of a difference; NaN with under five units."""
    return compute_tail_p(differences) if n_units >= FEWEST_UNITS else math.nan


def compute_tail_p(replicates: Array) -> float:
    """Compute 1 less the confidence at which a percentile limit is 0, but at least 2/(1 + B)."""
    values = np.sort(replicates[np.isfinite(replicates)])
    if len(values) == 0:
        return math.nan
    tails = [find_probability(side) for side in (values, -values[::-1])]
    return min(1.0, max(2 * min(tails), 2 / (1 + len(values))))


def find_probability(values: Array) -> float:
    """Find the largest probability whose quantile is at most 0."""
    at_most = np.flatnonzero(values <= 0)
    if len(at_most) in {0, len(values)}:
        return float(len(at_most) > 0)
    place = int(at_most[-1])
    step = -values[place] / (values[place + 1] - values[place])
    return float((place + step) / (len(values) - 1))


def adjust_holm(p: Sequence[float]) -> list[float]:
    """Adjust p values by Holm's method; NaN does not count in the family."""
    values = np.array(p, dtype=float)
    result = np.full(len(values), np.nan)
    known = np.flatnonzero(np.isfinite(values))
    order = known[np.argsort(values[known], kind="stable")]
    result[order] = np.minimum(np.maximum.accumulate(values[order] * np.arange(len(order), 0, -1)), 1.0)
    return [float(value) for value in result]
