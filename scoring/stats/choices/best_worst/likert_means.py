"""How far best–worst scores agree with mean ratings of the same items on scales."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from scoring.stats.base.association import Coefficient, associations
from scoring.stats.base.resampling import Resampling
from scoring.stats.base.result import CONSTANT_RATINGS, TOO_FEW_ITEMS, finite_or_none

FEWEST_ITEMS = 3
COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman")


def correlate_with_means(
    scores: Mapping[str, float], means: Mapping[str, float], resampling: Resampling
) -> list[dict[str, Any]]:
    """Correlate best–worst scores with mean ratings of the items that have both.

    Parameters
    ----------
    scores, means
        By item.
    resampling
        Replicates, seed and confidence of the bootstrap over items.

    Returns
    -------
    list of dict
        One row for each of `pearson` and `spearman`: `coefficient`, `estimate`, `low`, `high`,
        `interval_method`, `n` (items with both), and `reason`: `too_few_items` with fewer than three, or
        `constant_ratings` where one of both does not vary. Intervals are percentiles and need five items.

    References
    ----------
    Kiritchenko & Mohammad (2017), Best-Worst Scaling More Reliable than Rating Scales, section 4.
    """
    shared = sorted(scores.keys() & means.keys())
    x = np.array([scores[name] for name in shared], dtype=np.float64)[:, None]
    y = np.array([means[name] for name in shared], dtype=np.float64)[:, None]
    return [_row(x, y, coefficient, resampling) for coefficient in COEFFICIENTS]


def _row(
    x: np.ndarray[Any, Any], y: np.ndarray[Any, Any], coefficient: Coefficient, resampling: Resampling
) -> dict[str, Any]:
    n = len(x)
    row: dict[str, Any] = {"coefficient": coefficient, "n": n, "estimate": None, "low": None, "high": None}
    if n < FEWEST_ITEMS:
        return {**row, "interval_method": "", "reason": TOO_FEW_ITEMS}
    estimate = float(associations(x, y, coefficient)[0, 0])
    if not np.isfinite(estimate):
        return {**row, "interval_method": "", "reason": CONSTANT_RATINGS}
    generator = resampling.generator("likert means", coefficient)
    found = []
    for size in resampling.chunks(2 * n):
        drawn = generator.integers(0, n, size=(size, n))
        found.append(associations(x[drawn], y[drawn], coefficient)[:, 0, 0])
    interval = resampling.interval(np.concatenate(found), "items", n)
    method = f"none:{interval.reason}" if interval.reason else interval.method
    limits = {"low": finite_or_none(interval.low), "high": finite_or_none(interval.high)}
    return {**row, "estimate": estimate, **limits, "interval_method": method, "reason": ""}
