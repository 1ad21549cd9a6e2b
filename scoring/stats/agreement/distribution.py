"""How often each value was given, by all raters and by each rater."""

from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.data.table import Ratings


@dataclass(frozen=True)
class Distribution:
    """Counts of the values of one criterion."""

    categories: FloatArray  # The values, in order
    counts: IntArray  # Ratings of each value by each rater, shape (raters, categories)
    means: FloatArray  # Mean rating of each rater, shape (raters,)


def distribution(ratings: Ratings) -> Distribution:
    """Count the values of each rater, in the order of `ratings.raters` and `ratings.categories`.

    Parameters
    ----------
    ratings
        Ratings of one criterion.
    """
    n_raters, n_values = len(ratings.raters), len(ratings.categories)
    code = np.searchsorted(ratings.categories, ratings.value)
    counts = np.bincount(ratings.rater * n_values + code, minlength=n_raters * n_values)
    table = counts.reshape(n_raters, n_values)
    means = table @ ratings.categories / np.maximum(table.sum(axis=1), 1)
    return Distribution(ratings.categories, table, np.asarray(means, dtype=np.float64))
