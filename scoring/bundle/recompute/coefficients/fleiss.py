"""Fleiss' κ."""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Row
from ..drawing import Drawing
from ..ratings import Ratings, make_undefined_figure
from .patterns import Patterns, is_not_comparable


def compute_fleiss(ratings: Ratings, drawing: Drawing) -> Row:
    """Compute Fleiss' κ; with unequal numbers of ratings, from pooled marginals."""
    pairable = ratings.pairable()
    sizes = np.unique(pairable.sizes)
    variant = ""
    if len(sizes):
        variant = (
            f"m={sizes[0]}" if len(sizes) == 1 else f"unequal m={sizes[0]}..{sizes[-1]}, pooled marginals"
        )
    if not ratings.has_categories or is_not_comparable(ratings, pairable):
        return make_undefined_figure(pairable, "fleiss", variant)
    patterns = Patterns.of(pairable)

    def kappas(weights: Array) -> Array:
        m = patterns.sizes
        observed = weights @ (((patterns.counts**2).sum(axis=1) - m) / (m * (m - 1))) / weights.sum(axis=1)
        shares = weights @ patterns.counts
        defined = (shares > 0).sum(axis=1) >= 2
        chance = ((shares / shares.sum(axis=1, keepdims=True)) ** 2).sum(axis=1)
        return np.where(defined, (observed - chance) / np.where(defined, 1 - chance, 1.0), np.nan)

    row = patterns.figure(pairable, drawing, ("fleiss", variant), (ratings.name, "fleiss"), kappas)
    return row if pairable.spread_within.any() else {**row, "estimate": 1.0}
