"""Krippendorff's α of sets with the MASI distance."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..arrays import Array, Row
from ..drawing import CONFIDENCE, FEWEST_UNITS, Drawing, assign_item_units


def compute_masi_alpha(
    name: str, given: pd.DataFrame, chosen: Sequence[frozenset[str]], identified: bool, drawing: Drawing
) -> Row:
    """Compute Krippendorff's α of sets (Passonneau 2006) over the distinct sets."""
    distinct = sorted(set(chosen), key=sorted)
    distances = np.array([[compute_masi_distance(one, other) for other in distinct] for one in distinct])
    items, item = np.unique(given["item"].to_numpy(dtype=object), return_inverse=True)
    counts = np.zeros((len(items), len(distinct)))
    np.add.at(counts, (item, np.array([distinct.index(one) for one in chosen])), 1.0)
    paired = counts.sum(axis=1) >= 2
    counts = counts[paired]
    unit, _ = assign_item_units(items[paired], dict(zip(given["item"], given["group"], strict=True)))
    n_raters = given["rater"].nunique()
    row: Row = {"criterion": name, "coefficient": "alpha", "variant": "masi", "confidence": CONFIDENCE}
    row |= {"estimate": math.nan, "low": math.nan, "high": math.nan, "n_items": len(counts)}
    row |= {"n_raters": n_raters if identified else None, "n_ratings": int(counts.sum())}
    if n_raters < 2 or len(counts) < 2 or np.count_nonzero(counts.sum(axis=0)) < 2:
        return row
    row["estimate"] = float(compute_alphas_of_sets(np.ones((1, len(counts))), counts, distances)[0])
    n_units = int(unit.max()) + 1
    if n_units >= FEWEST_UNITS:
        generator, shares = drawing.stream(name, "masi"), np.full(n_units, 1 / n_units)
        drawn = [
            compute_alphas_of_sets(weights[:, unit].astype(float), counts, distances)
            for size in drawing.chunks(len(counts))
            for weights in [generator.multinomial(n_units, shares, size=size)]
        ]
        row["low"], row["high"] = drawing.limits(np.concatenate(drawn), n_units)
    return row


def compute_alphas_of_sets(weights: Array, counts: Array, distances: Array) -> Array:
    """Compute 1 − Σ o·δ / Σ e·δ for each row of item weights."""
    within = np.einsum("ic,cd,id->i", counts, distances, counts) / (counts.sum(axis=1) - 1)
    marginals = weights @ counts
    below = np.einsum("rc,cd,rd->r", marginals, distances, marginals)
    total = np.maximum(marginals.sum(axis=1) - 1, 1)
    defined = below > 0
    ratio = (weights @ within) * total / np.where(defined, below, 1.0)
    return np.where(defined, 1 - ratio, math.nan)


def compute_masi_distance(one: frozenset[str], other: frozenset[str]) -> float:
    """Compute 1 − Jaccard × m, with m = 2/3 for nested sets and 1/3 for overlapping ones."""
    if one == other:
        return 0.0
    shared = len(one & other)
    return 1 - shared / len(one | other) * (2 / 3 if one <= other or other <= one else 1 / 3)
