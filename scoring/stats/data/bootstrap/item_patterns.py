"""Every item as a pattern of its own, so that the weights of items are those of patterns."""

import numpy as np
import scipy

from scoring.stats.data.bootstrap.count_patterns import Patterns
from scoring.stats.data.table import Ratings


def patterns_of_items(ratings: Ratings) -> Patterns:
    """The counts of the values of each item, in the order of the items.

    Parameters
    ----------
    ratings
        Ratings of one criterion, at least one.

    Returns
    -------
    Patterns
        One row for each item, without groups.
    """
    category = np.searchsorted(ratings.categories, ratings.value)
    counts = scipy.sparse.coo_array(
        (np.ones(ratings.n_ratings), (ratings.item, category)),
        shape=(ratings.n_items, len(ratings.categories)),
    ).tocsr()
    return Patterns(counts, np.ones(ratings.n_items), None)
