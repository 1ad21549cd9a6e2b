"""Comparison of two metrics on one criterion."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from ..arrays import Array, Row
from ..drawing import CONFIDENCE, Drawing
from .levels import correlations, group_correlations
from .measured import Measured
from .permutation import Contrast
from .significance import bootstrap_p, holm, williams
from .strength import best


def compared(
    items: Measured,
    criterion: str,
    metrics: tuple[str, str],
    how: tuple[str, str],
    directions: Mapping[str, str],
    drawing: Drawing,
) -> Row:
    """Two metrics on one criterion; `how` is level and coefficient."""
    level, coefficient = how
    asked = items.only([criterion], metrics)
    pair = asked.keep(np.isfinite(asked.scores).all(axis=1) & np.isfinite(asked.human[:, 0]))
    if level == "group" and pair.group is not None:
        by_group = group_correlations(pair, coefficient).sum(axis=(1, 2))
        pair = pair.keep(np.isfinite(by_group)[pair.units])
    signed = correlations(pair, level, coefficient).estimate[:, 0] if pair.items else np.full(2, np.nan)
    declared = [directions.get(metric, "unsigned") for metric in metrics]
    signs = [turn(float(r), way) for r, way in zip(signed, declared, strict=True)]
    turned = Measured(
        pair.items, pair.criteria, pair.metrics, pair.human, pair.scores * signs, pair.group, pair.system,
        pair.systems, pair.samples,
    )  # fmt: skip
    ways = (
        "unsigned" if declared[0] == "unsigned" else "higher",
        "unsigned" if declared[1] == "unsigned" else "higher",
    )
    return tested(asked, Contrast(turned, level, coefficient, ways, drawing), signed)


def turn(r: float, direction: str) -> int:
    """The sign that turns a metric so that higher is better."""
    if direction == "unsigned":
        return -1 if r < 0 else 1
    return 1 if direction == "higher" else -1


def tested(asked: Measured, contrast: Contrast, signed: Array) -> Row:
    """Difference, limits and all tests."""
    pair, level, coefficient = contrast.pair, contrast.level, contrast.coefficient
    n_groups = 0 if pair.group is None else pair.n_units
    n = {"item": len(pair.items), "group": n_groups, "system": len(pair.systems)}[level]
    r, between, replicates = np.full(2, np.nan), math.nan, None
    permuted = difference = math.nan
    if not np.isnan(signed).any():
        found = correlations(pair, level, coefficient, contrast.drawing)
        r = found.estimate[:, 0]
        between = float(correlations(pair.among("metrics"), level, coefficient).estimate[0, 1])
        replicates = None if found.replicates is None else contrast.of(found.replicates[:, 0].T)
        difference, permuted = float(contrast.of(r[None])[0]), contrast.permutation_p()
    low, high = contrast.drawing.limits(replicates, pair.unit, pair.n_units)
    own = williams(float(r[0]), float(r[1]), between, n, paper=False)
    as_printed = williams(float(r[0]), float(r[1]), between, n, paper=True)
    resampled = math.nan if replicates is None else bootstrap_p(replicates)
    all_groups = 0 if asked.group is None else asked.n_units
    return {
        "criterion": asked.criteria[0],
        "metric": asked.metrics[0],
        "metric2": asked.metrics[1],
        "level": level,
        "coefficient": coefficient,
        "estimate": difference,
        "low": low,
        "high": high,
        "confidence": CONFIDENCE,
        "r_first": float(signed[0]),
        "r_second": float(signed[1]),
        "r_between": between,
        "p": resampled if pair.group is not None and level != "system" else own[1],
        "p_bootstrap": resampled,
        "p_permutation": permuted,
        "williams_t": own[0],
        "williams_p": own[1],
        "williams_paper_t": as_printed[0],
        "williams_paper_p": as_printed[1],
        "n_items": len(pair.items),
        "n_groups": n_groups,
        "n_systems": len(pair.systems),
        "n_dropped": all_groups - n_groups if level == "group" else len(asked.items) - len(pair.items),
    }


def comparisons(
    items: Measured, rows: Sequence[Row], directions: Mapping[str, str], drawing: Drawing
) -> list[Row]:
    """The three best metrics of each criterion against each other."""
    how = ("item" if items.group is None else "group", "pearson")
    found: list[Row] = []
    for criterion in items.criteria if len(items.metrics) > 1 else ():
        family = [
            compared(items, criterion, pair, how, directions, drawing)
            for pair in combinations(best(rows, criterion, how, 3, directions), 2)
        ]
        adjusted = holm([row["p"] for row in family])
        found += [{**row, "p_adjusted": p} for row, p in zip(family, adjusted, strict=True)]
    return found
