"""Krippendorff's α."""

from __future__ import annotations

from functools import partial

import krippendorff
import numpy as np

from ..arrays import Array, Level, Row
from ..drawing import Drawing
from ..ratings import Ratings, make_undefined_figure
from .patterns import Patterns, is_not_comparable


def compute_alpha(ratings: Ratings, drawing: Drawing, level: Level) -> Row:
    """Compute Krippendorff's α with the package, and its limits from coincidence matrices."""
    pairable = ratings.pairable()
    if is_not_comparable(ratings, pairable):
        return make_undefined_figure(pairable, "alpha", level)
    patterns = Patterns.of(pairable)
    how = partial(compute_alphas, patterns=patterns, values=pairable.categories, level=level)
    row = patterns.figure(pairable, drawing, ("alpha", level), (ratings.name, "alpha", level), how)
    shape = (pairable.n_items, len(pairable.categories))
    cells = np.bincount(pairable.item * shape[1] + pairable.code, minlength=shape[0] * shape[1])
    counts = cells.reshape(shape)
    if counts.size * shape[1] <= 1_000_000:
        row["estimate"] = krippendorff.alpha(
            value_counts=counts, value_domain=pairable.categories, level_of_measurement=level
        )
    return row


def compute_alphas(weights: Array, patterns: Patterns, values: Array, level: str) -> Array:
    """Compute 1 − Σ o·δ² / Σ e·δ² for each row of pattern weights (Krippendorff 2011)."""
    counts, q = patterns.counts, len(values)
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(q)
    coincidences = weights @ (pairs / (patterns.sizes - 1)[:, None, None]).reshape(len(counts), -1)
    observed = coincidences.reshape(len(weights), q, q)
    marginals = observed.sum(axis=2)
    total = marginals.sum(axis=1)
    expected = marginals[:, :, None] * marginals[:, None, :] / (total - 1)[:, None, None]
    if level == "nominal":
        distance = (1 - np.eye(q))[None]
    elif level == "ordinal":
        positions = np.cumsum(marginals, axis=1) - marginals / 2
        distance = (positions[:, :, None] - positions[:, None, :]) ** 2
    else:
        distance = ((values[:, None] - values) ** 2)[None]
    below = (expected * distance).sum(axis=(1, 2))
    undefined = ((marginals > 0).sum(axis=1) < 2) | (below <= 0)
    ratio = (observed * distance).sum(axis=(1, 2)) / np.where(undefined, 1.0, below)
    return np.where(undefined, np.nan, 1 - ratio)
