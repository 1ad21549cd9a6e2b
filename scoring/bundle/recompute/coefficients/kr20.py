"""KR-20 of a set of yes/no tests, from the covariances of the tests."""

from __future__ import annotations

import math

import numpy as np

from ..arrays import Array, Row
from ..binary_sets import BinarySet
from ..drawing import CONFIDENCE, Drawing, draw_units


def compute_kr20(answers: BinarySet, drawing: Drawing) -> Row:
    """Compute KR-20, with percentile limits over items or groups."""
    n_units = int(answers.unit.max()) + 1
    low = high = math.nan
    estimate = compute_alpha_of_tests(answers.passed, np.ones(len(answers.passed)))
    if math.isfinite(estimate) and n_units > 1:
        generator = drawing.stream(answers.name, "kr20")
        each, width = np.ones(n_units, dtype=int), max(n_units, len(answers.tests))
        drawn = [draw_units(generator, each, size) for size in drawing.chunks(width)] if n_units >= 5 else []
        weights = np.concatenate(drawn, axis=1).T[:, answers.unit] if drawn else np.empty((0, 0))
        replicates = np.array([compute_alpha_of_tests(answers.passed, row) for row in weights])
        low, high = drawing.limits(replicates, n_units)
    return {
        "criterion": answers.name,
        "coefficient": "kr20",
        "variant": f"k={len(answers.tests)}",
        "estimate": estimate,
        "low": low,
        "high": high,
        "confidence": CONFIDENCE,
        "n_items": answers.n_items,
        "n_raters": answers.n_raters,
        "n_ratings": len(answers.passed),
    }


def compute_alpha_of_tests(passed: Array, weight: Array) -> float:
    """Compute Cronbach's α: k/(k − 1) times the share of the covariances in all variance."""
    k, n = passed.shape[1], weight.sum()
    if k < 2 or n < 2:
        return math.nan
    chosen = passed[weight > 0].sum(axis=1)
    if chosen.min() == chosen.max():
        return math.nan
    away = passed - (weight @ passed) / n
    covariances = (away * weight[:, None]).T @ away
    return float(k / (k - 1) * (1 - np.trace(covariances) / covariances.sum()))


def analyse_tests(answers: BinarySet) -> list[Row]:
    """Compute difficulty, corrected item–total correlation and KR-20 without each test."""
    rows, once = [], np.ones(len(answers.passed))
    for place, test in enumerate(answers.tests):
        own = answers.passed[:, place]
        others = answers.passed[:, np.arange(len(answers.tests)) != place]
        rest = others.sum(axis=1)
        varies = len(own) > 1 and own.min() < own.max() and rest.min() < rest.max()
        rows.append(
            {
                "criterion": answers.name,
                "test": test,
                "n": len(own),
                "share": float(own.mean()),
                "item_total": float(np.corrcoef(own, rest)[0, 1]) if varies else math.nan,
                "without": compute_alpha_of_tests(others, once),
            }
        )
    return rows
