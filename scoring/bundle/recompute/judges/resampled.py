"""Means over items with intervals, items or groups of items being drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy import stats

from ..arrays import Array
from ..choices.shares import SMALLEST_VARIANCE
from ..drawing import FEWEST_UNITS, Drawing, draw_units, get_tail_probabilities

Limits = tuple[float, float]
NO_LIMITS: Limits = (math.nan, math.nan)


def number_units(group: Array | None, items: Array) -> Array:
    """Number the resampling unit of each of these items: its group, or the item itself."""
    return np.arange(len(items)) if group is None else np.unique(group[items], return_inverse=True)[1]


def limit_statistics(
    values: Array,
    units: Array,
    compute: Callable[[Array], Array],
    drawing: Drawing,
    stream: Sequence[str],
) -> list[Limits]:
    """Compute the limits of statistics of sums over items, one row of values an item."""
    n_units = int(units.max()) + 1
    sums = np.zeros((n_units, values.shape[1]))
    np.add.at(sums, units, values)
    generator, once = drawing.stream(*stream), np.ones(n_units, dtype=int)
    drawn = [compute(draw_units(generator, once, size).T @ sums) for size in drawing.chunks(n_units)]
    return [drawing.limits(column, n_units) for column in np.concatenate(drawn).T]


def limit_mean_by_t(values: Array, units: Array, fewest: int = FEWEST_UNITS) -> Limits:
    """Compute the limits of a mean by t, from what the units differ by; none for too few units."""
    k = len(np.unique(units))
    if k < fewest:
        return NO_LIMITS
    mean = float(values.mean())
    residuals = np.bincount(np.unique(units, return_inverse=True)[1], weights=values - mean)
    variance = k / (k - 1) * float((residuals**2).sum()) / len(values) ** 2
    if variance < SMALLEST_VARIANCE:
        return NO_LIMITS
    half = float(stats.t.ppf(get_tail_probabilities()[1], k - 1)) * math.sqrt(variance)
    return mean - half, mean + half


def excludes_zero(limits: Limits) -> bool:
    """Whether limits are both above or both below 0."""
    return limits[0] > 0 or limits[1] < 0
