"""Krippendorff's α of sets with the MASI distance."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..arrays import Array, Row
from ..drawing import CONFIDENCE, FEWEST_UNITS, Drawing, units_of_items


def masi(
    name: str, given: pd.DataFrame, chosen: Sequence[frozenset[str]], identified: bool, drawing: Drawing
) -> Row:
    """Krippendorff's α of sets (Passonneau 2006): 1 − Σ o·δ / Σ e·δ over the distinct sets."""
    distinct = sorted(set(chosen), key=sorted)
    apart = np.array([[masi_distance(one, other) for other in distinct] for one in distinct])
    items, item = np.unique(given["item"].to_numpy(dtype=object), return_inverse=True)
    counts = np.zeros((len(items), len(distinct)))
    np.add.at(counts, (item, np.array([distinct.index(one) for one in chosen])), 1.0)
    paired = counts.sum(axis=1) >= 2
    counts = counts[paired]
    unit, kind = units_of_items(items[paired], dict(zip(given["item"], given["group"], strict=True)))
    n_raters = given["rater"].nunique()
    row: Row = {"criterion": name, "coefficient": "alpha", "variant": "masi", "confidence": CONFIDENCE}
    row |= {"estimate": math.nan, "low": math.nan, "high": math.nan, "n_items": len(counts)}
    row |= {"n_raters": n_raters if identified else None, "n_ratings": int(counts.sum())}
    if n_raters < 2 or np.count_nonzero(counts.sum(axis=0)) < 2:
        return row
    within = np.einsum("ic,cd,id->i", counts, apart, counts) / (counts.sum(axis=1) - 1)

    def alphas_of_sets(weights: Array) -> Array:
        marginals = weights @ counts
        below = np.einsum("rc,cd,rd->r", marginals, apart, marginals)
        total = np.maximum(marginals.sum(axis=1) - 1, 1)
        defined = below > 0
        ratio = (weights @ within) * total / np.where(defined, below, 1.0)
        return np.where(defined, 1 - ratio, math.nan)

    row["estimate"] = float(alphas_of_sets(np.ones((1, len(counts))))[0])
    n_units = int(unit.max()) + 1
    if n_units >= FEWEST_UNITS:
        generator, shares = drawing.stream(name, "masi"), np.full(n_units, 1 / n_units)
        drawn = [
            alphas_of_sets(generator.multinomial(n_units, shares, size=size)[:, unit].astype(float))
            for size in drawing.chunks(len(counts))
        ]
        row["low"], row["high"] = drawing.limits(np.concatenate(drawn), kind, n_units)
    return row


def masi_distance(one: frozenset[str], other: frozenset[str]) -> float:
    """1 − Jaccard × 1, 2/3 where one holds the other, 1/3 where they share something."""
    if one == other:
        return 0.0
    shared = len(one & other)
    return 1 - shared / len(one | other) * (2 / 3 if one <= other or other <= one else 1 / 3)
