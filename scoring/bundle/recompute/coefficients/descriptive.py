"""Connected parts of a design, distributions of values and crossed means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ..arrays import Row
from ..bundle import Bundle
from ..ratings import Ratings


def count_design_parts(ratings: Ratings) -> int:
    """Count the groups of raters that no item connects, not even through other raters."""
    size = len(ratings.raters) + ratings.n_items
    edges = (np.ones(len(ratings.value)), (ratings.rater, len(ratings.raters) + ratings.item))
    labels = connected_components(sparse.coo_array(edges, shape=(size, size)), directed=False)[1]
    return len(np.unique(labels[: len(ratings.raters)]))


def count_values(ratings: Ratings) -> Row:
    """Count how often each value was given, by all raters and by each."""
    q, n = len(ratings.categories), len(ratings.raters)
    counts = np.bincount(ratings.rater * q + ratings.code, minlength=n * q).reshape(n, q)
    means = counts @ ratings.categories / np.maximum(counts.sum(axis=1), 1)
    raters = {
        str(name): [*row.tolist(), float(mean)]
        for name, row, mean in zip(ratings.raters, counts, means, strict=True)
    }
    return {"values": ratings.categories.tolist(), "counts": counts.sum(axis=0).tolist(), "raters": raters}


def compute_crossed_means(
    bundle: Bundle, counted: pd.DataFrame, factors: Sequence[str]
) -> dict[str, pd.DataFrame]:
    """Compute the mean rating of every combination of two factors of the items."""
    labels = bundle.items.set_index("item")[[f"meta.{name}" for name in factors]]
    rated = counted[counted["value"].notna()].join(labels, on="item")
    columns = [f"meta.{name}" for name in factors]
    return {
        str(name): rows.pivot_table(index=columns[0], columns=columns[1], values="value", aggfunc="mean")
        for name, rows in rated.groupby("name", sort=False)
    }
