"""Brennan and Prediger's κₙ with quadratic weights of the values."""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Row
from ..drawing import Drawing
from ..ratings import Ratings, make_undefined_figure
from .patterns import Patterns

KEY = "kappa_n"


def compute_kappa_n(ratings: Ratings, drawing: Drawing) -> list[Row]:
    """Compute 1 − Σ observed (x − y)² / Σ (x − y)² of all pairs of points, each sum as a mean."""
    pairable, points = ratings.pairable(), ratings.categories
    variant = f"quadratic, q={len(points)}"
    lacking = len(ratings.raters) < 2 or not len(pairable.value) or len(points) < 2
    if lacking or not ratings.has_categories:
        return [make_undefined_figure(pairable, KEY, variant)]
    patterns = Patterns.of(pairable)
    by_chance = float((np.subtract.outer(points, points) ** 2).mean())
    m = patterns.sizes
    # Within an item the mean of (x − y)² over its pairs is twice the variance with m − 1.
    squares = patterns.counts @ points**2 - (patterns.counts @ points) ** 2 / m
    distances = 2 * squares / (m - 1)

    def kappas(weights: Array) -> Array:
        return np.asarray(1 - weights @ distances / weights.sum(axis=1) / by_chance)

    stream = (ratings.name, KEY, variant)
    row = patterns.figure(pairable, drawing, (KEY, variant), stream, kappas)
    return [row if pairable.spread_within.any() else {**row, "estimate": 1.0}]
