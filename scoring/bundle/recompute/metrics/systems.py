"""Means and differences of systems."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from scipy import stats

from ..arrays import Row
from ..coefficients.correlation import round_significant
from ..drawing import CONFIDENCE, Drawing
from .levels import compute_system_means
from .rated_items import RatedItems
from .significance import adjust_holm, compute_bootstrap_p


def compare_systems(items: RatedItems, drawing: Drawing) -> Row:
    """Compute each system's mean rating with half its t interval, and compare the systems."""
    if len(items.systems) < 2:
        return {}
    means = []
    for column, criterion in enumerate(items.criteria):
        for code, system in enumerate(items.systems):
            values = items.human[items.system == code, column]
            values = values[np.isfinite(values)]
            n = len(values)
            half = (
                math.nan
                if n < 2
                else float(stats.t.ppf((1 + CONFIDENCE) / 2, n - 1) * values.std(ddof=1) / math.sqrt(n))
            )
            mean = float(values.mean()) if n else math.nan
            means.append({"system": system, "criterion": criterion, "mean": mean, "half_width": half, "n": n})
    return {"means": means, "differences": compare_system_pairs(items, drawing)}


def compare_system_pairs(items: RatedItems, drawing: Drawing) -> list[Row]:
    """Compare every two systems by paired bootstrap, with p adjusted within a criterion."""
    every = compute_system_means(items, items.human, np.ones((1, len(items.items))))[0]
    weights = drawing.unit_weights(items.n_units, len(items.items), "systems")
    drawn = np.concatenate([compute_system_means(items, items.human, one[:, items.units]) for one in weights])
    rows: list[Row] = []
    for column, criterion in enumerate(items.criteria):
        family: list[Row] = []
        for one, other in combinations(range(len(items.systems)), 2):
            replicates = round_significant(drawn[:, one, column]) - round_significant(drawn[:, other, column])
            low, high = drawing.limits(replicates, items.n_units)
            pair = {"criterion": criterion, "first": items.systems[one], "second": items.systems[other]}
            difference = float(every[one, column] - every[other, column])
            family.append(
                {
                    **pair,
                    "difference": difference,
                    "low": low,
                    "high": high,
                    "p": compute_bootstrap_p(replicates, items.n_units),
                }
            )
        adjusted = adjust_holm([float(row["p"]) for row in family])
        rows += [{**row, "p_adjusted": p} for row, p in zip(family, adjusted, strict=True)]
    return rows
