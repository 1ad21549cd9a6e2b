"""Comparison of two metrics on one criterion."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from ..arrays import Array, Row
from ..drawing import CONFIDENCE, Drawing
from .levels import correlate, correlate_in_groups
from .permutation import Contrast
from .rated_items import RatedItems
from .significance import adjust_holm, compute_bootstrap_p, compute_williams
from .strength import select_best_metrics


def compare_metrics(
    items: RatedItems,
    criterion: str,
    metrics: tuple[str, str],
    how: tuple[str, str],
    directions: Mapping[str, str],
    drawing: Drawing,
) -> Row:
    """Compare two metrics on one criterion; `how` is level and coefficient."""
    level, coefficient = how
    asked = items.only([criterion], metrics)
    pair = asked.keep(np.isfinite(asked.scores).all(axis=1) & np.isfinite(asked.human[:, 0]))
    if level == "group" and pair.group is not None:
        by_group = correlate_in_groups(pair, coefficient).sum(axis=(1, 2))
        pair = pair.keep(np.isfinite(by_group)[pair.units])
    signed = correlate(pair, level, coefficient).estimate[:, 0] if pair.items else np.full(2, np.nan)
    declared = [directions.get(metric, "unsigned") for metric in metrics]
    signs = [get_sign(float(r), way) for r, way in zip(signed, declared, strict=True)]
    turned = RatedItems(
        pair.items, pair.criteria, pair.metrics, pair.human, pair.scores * signs, pair.group, pair.system,
        pair.systems, pair.samples,
    )  # fmt: skip
    ways = (
        "unsigned" if declared[0] == "unsigned" else "higher",
        "unsigned" if declared[1] == "unsigned" else "higher",
    )
    return compute_difference(asked, Contrast(turned, level, coefficient, ways, drawing), signed)


def get_sign(r: float, direction: str) -> int:
    """Return the sign that turns a metric so that higher is better."""
    if direction == "unsigned":
        return -1 if r < 0 else 1
    return 1 if direction == "higher" else -1


def compute_difference(asked: RatedItems, contrast: Contrast, signed: Array) -> Row:
    """Compute the difference, its limits and all tests."""
    pair, level, coefficient = contrast.pair, contrast.level, contrast.coefficient
    n_groups = 0 if pair.group is None else pair.n_units
    n = {"item": len(pair.items), "group": n_groups, "system": len(pair.systems)}[level]
    r, between, replicates = np.full(2, np.nan), math.nan, None
    permuted = difference = math.nan
    if not np.isnan(signed).any():
        found = correlate(pair, level, coefficient, contrast.drawing)
        r = found.estimate[:, 0]
        between = float(correlate(pair.among("metrics"), level, coefficient).estimate[0, 1])
        replicates = None if found.replicates is None else contrast.of(found.replicates[:, 0].T)
        difference, permuted = float(contrast.of(r[None])[0]), contrast.permutation_p()
    low, high = contrast.drawing.limits(replicates, pair.n_units)
    tests = compute_williams_tests((float(r[0]), float(r[1]), between), n)
    tests["p_bootstrap"] = math.nan if replicates is None else compute_bootstrap_p(replicates, pair.n_units)
    tests["p_permutation"] = permuted
    by_bootstrap = pair.group is not None and level != "system"
    otherwise = "p_permutation" if coefficient == "kendall" else "williams_p"
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
        "p": tests["p_bootstrap" if by_bootstrap else otherwise],
        **tests,
        "n_items": len(pair.items),
        "n_groups": n_groups,
        "n_systems": len(pair.systems),
        "n_dropped": all_groups - n_groups if level == "group" else len(asked.items) - len(pair.items),
    }


def compute_williams_tests(r: tuple[float, float, float], n: int) -> Row:
    """Compute Williams's test two-sided, and as in the paper."""
    own, as_printed = (compute_williams(*r, n, paper=paper) for paper in (False, True))
    return {
        "williams_t": own[0],
        "williams_p": own[1],
        "williams_paper_t": as_printed[0],
        "williams_paper_p": as_printed[1],
    }


def compare_best_metrics(
    items: RatedItems, rows: Sequence[Row], directions: Mapping[str, str], drawing: Drawing
) -> list[Row]:
    """Compare the three best metrics of each criterion."""
    how = ("item" if items.group is None else "group", "pearson")
    found: list[Row] = []
    for criterion in items.criteria if len(items.metrics) > 1 else ():
        family = [
            compare_metrics(items, criterion, pair, how, directions, drawing)
            for pair in combinations(select_best_metrics(rows, criterion, how, 3, directions), 2)
        ]
        adjusted = adjust_holm([row["p"] for row in family])
        found += [{**row, "p_adjusted": p} for row, p in zip(family, adjusted, strict=True)]
    return found
