"""Observed disagreement of each item, and the expected one, as Krippendorff's α takes them."""

import numpy as np

from scoring.stats.alpha import Level
from scoring.stats.resampling import FloatArray
from scoring.stats.table import Ratings


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
    marginals = np.bincount(category, minlength=len(ratings.categories)).astype(np.float64)
    if level == "nominal":
        squared = 1.0 - np.eye(len(marginals))
    elif level == "ratio":
        total = np.add.outer(ratings.categories, ratings.categories)
        difference = np.subtract.outer(ratings.categories, ratings.categories)
        squared = np.divide(difference, total, out=np.zeros_like(total), where=total != 0) ** 2
    else:
        # Midranks: their differences are Krippendorff's ordinal distances.
        ordinal = np.cumsum(marginals) - marginals / 2
        position = ordinal if level == "ordinal" else ratings.categories
        squared = np.subtract.outer(position, position) ** 2
    expected = float(marginals @ squared @ marginals) / (len(category) - 1)
    counts = np.bincount(
        ratings.item * len(marginals) + category, minlength=ratings.n_items * len(marginals)
    ).reshape(ratings.n_items, len(marginals))
    pairs = np.einsum("ic,cd,id->i", counts, squared, counts, optimize=True)
    return np.asarray(pairs / (ratings.sizes - 1), dtype=np.float64), expected
