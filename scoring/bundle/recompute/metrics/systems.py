"""Means and differences of systems."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from scipy import stats

from ..arrays import Row
from ..coefficients.correlation import settled
from ..drawing import CONFIDENCE, Drawing
from .levels import system_means
from .measured import Measured
from .significance import bootstrap_p, holm


def systems(items: Measured, drawing: Drawing) -> Row:
    """Mean rating of each system with half its t interval, and every two systems by paired bootstrap."""
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
    return {"means": means, "differences": differences(items, drawing)}


def differences(items: Measured, drawing: Drawing) -> list[Row]:
    """Every two systems on every criterion; p adjusted over the pairs of a criterion."""
    every = system_means(items, items.human, np.ones((1, len(items.items))))[0]
    weights = drawing.unit_weights(items.n_units, len(items.items), "systems")
    drawn = np.concatenate([system_means(items, items.human, one[:, items.units]) for one in weights])
    rows: list[Row] = []
    for column, criterion in enumerate(items.criteria):
        family: list[Row] = []
        for one, other in combinations(range(len(items.systems)), 2):
            replicates = settled(drawn[:, one, column]) - settled(drawn[:, other, column])
            low, high = drawing.limits(replicates, items.unit, items.n_units)
            pair = {"criterion": criterion, "first": items.systems[one], "second": items.systems[other]}
            difference = float(every[one, column] - every[other, column])
            family.append(
                {**pair, "difference": difference, "low": low, "high": high, "p": bootstrap_p(replicates)}
            )
        adjusted = holm([float(row["p"]) for row in family])
        rows += [{**row, "p_adjusted": p} for row, p in zip(family, adjusted, strict=True)]
    return rows
