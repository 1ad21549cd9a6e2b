"""Gwet's AC1 and AC2, raw agreement, and Brennan and Prediger's S."""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Row
from ..drawing import Drawing
from ..ratings import Ratings, make_undefined_figure
from .patterns import Patterns


def compute_gwet(ratings: Ratings, drawing: Drawing, key: str) -> Row:
    """Compute AC1, AC2, raw agreement (`exact`, `within_one`), or Brennan and Prediger's S."""
    q = len(ratings.categories)
    distances = np.abs(ratings.categories[:, None] - ratings.categories)
    variant, agreeing = {
        "ac1": (f"q={q}", np.eye(q)),
        "ac2": (f"quadratic, q={q}", 1 - (distances / distances.max()) ** 2 if q > 1 else np.eye(q)),
        "exact": ("", (distances == 0).astype(float)),
        "within_one": ("", (distances <= 1).astype(float)),
        "brennan_prediger": (f"q={q}", np.eye(q)),
    }[key]
    uniform = key == "brennan_prediger"
    fewest = 2 if key in ("ac1", "ac2") else 1
    lacking = len(ratings.raters) < 2 or (ratings.sizes >= 2).sum() < fewest
    if lacking or not ratings.has_categories or (uniform and q == 1):
        return make_undefined_figure(ratings, key, variant)
    patterns = Patterns.of(ratings)
    m, paired = patterns.sizes, (patterns.sizes >= 2).astype(float)
    within = (patterns.counts * (patterns.counts @ agreeing - 1)).sum(axis=1) / np.maximum(m * (m - 1), 1)

    def agreement(weights: Array) -> Array:
        pairs = weights @ paired
        observed = np.where(pairs > 0, weights @ (within * paired) / np.where(pairs > 0, pairs, 1), np.nan)
        if key in ("exact", "within_one"):
            return observed
        if uniform:
            return np.asarray((observed - 1 / q) / (1 - 1 / q))
        shares = weights @ (patterns.counts / m[:, None]) / weights.sum(axis=1, keepdims=True)
        chance = agreeing.sum() / max(q * (q - 1), 1) * (shares * (1 - shares)).sum(axis=1)
        return np.asarray((observed - chance) / (1 - chance))

    row = patterns.figure(ratings, drawing, (key, variant), (ratings.name, key, variant), agreement)
    return row if ratings.pairable().spread_within.any() else {**row, "estimate": 1.0}
