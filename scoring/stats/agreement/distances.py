"""Observed disagreement of each item, and expected disagreement, as Krippendorff's α defines them."""

import numpy as np

from scoring.stats.agreement.alpha import Level
from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.data.table import Ratings


def observed_by_item(ratings: Ratings, level: Level) -> tuple[FloatArray, float]:
    """Each item's part of the observed disagreement, and the expected disagreement, both times N.

    Parameters
    ----------
    ratings
        Ratings of items that have at least two; values that vary.
    level
        Level of measurement.

    Returns
    -------
    tuple of ndarray, shape (items,), and float
        α is 1 − sum of the first / the second.
    """
    category = np.searchsorted(ratings.categories, ratings.value)
    width = len(ratings.categories)
    counts = np.bincount(ratings.item * width + category, minlength=ratings.n_items * width)
    return disagreement(counts.reshape(ratings.n_items, width), ratings.categories, level)


def disagreement(counts: IntArray, categories: FloatArray, level: Level) -> tuple[FloatArray, float]:
    """The same as `observed_by_item`, from counts of the values of each item.

    Parameters
    ----------
    counts
        Counts of items with at least two ratings, shape (items, categories).
    categories
        The values, in order.
    level
        Level of measurement.
    """
    marginals = counts.sum(axis=0).astype(np.float64)
    squared = _squared_distances(marginals, categories, level)
    expected = float(marginals @ squared @ marginals) / (float(marginals.sum()) - 1)
    pairs = np.einsum("ic,cd,id->i", counts, squared, counts, optimize=True)
    return np.asarray(pairs / (counts.sum(axis=1) - 1), dtype=np.float64), expected


def _squared_distances(marginals: FloatArray, categories: FloatArray, level: Level) -> FloatArray:
    if level == "nominal":
        return 1.0 - np.eye(len(marginals))
    if level == "ratio":
        total = np.add.outer(categories, categories)
        difference = np.subtract.outer(categories, categories)
        return np.asarray(np.divide(difference, total, out=np.zeros_like(total), where=total != 0) ** 2)
    # Midranks: their differences are Krippendorff's ordinal distances.
    ordinal = np.cumsum(marginals) - marginals / 2
    position = ordinal if level == "ordinal" else categories
    return np.asarray(np.subtract.outer(position, position) ** 2)
