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
    """Compute twice the smaller share of replicates on either side of zero, each plus one."""
    defined = differences[np.isfinite(differences)]
    if len(defined) == 0 or n_units < FEWEST_UNITS:
        return math.nan
    smaller = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
    return min(1.0, 2 * (1 + smaller) / (1 + len(defined)))


def adjust_holm(p: Sequence[float]) -> list[float]:
    """Adjust p values by Holm's method; NaN does not count in the family."""
    values = np.array(p, dtype=float)
    result = np.full(len(values), np.nan)
    known = np.flatnonzero(np.isfinite(values))
    order = known[np.argsort(values[known], kind="stable")]
    result[order] = np.minimum(np.maximum.accumulate(values[order] * np.arange(len(order), 0, -1)), 1.0)
    return [float(value) for value in result]
