"""Distinct rows of value counts, and bootstrap draws of how often each is taken."""

from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray, IntArray, draw_units
from scoring.stats.data.bootstrap.distinct_patterns import distinct_sequences
from scoring.stats.data.table import Ratings


@dataclass(frozen=True)
class Patterns:
    """Distinct rating patterns of items, regardless of the raters.

    A bootstrap over items only needs how often each pattern is drawn: one multinomial over the patterns has
    the same distribution as one over the items. Where items belong to groups, the groups are drawn.
    """

    counts: scipy.sparse.csr_array  # Ratings of each category, shape (patterns, categories)
    frequency: FloatArray  # Number of items with each pattern
    # Number of items of each pattern in each group, shape (groups, patterns); None without groups
    by_group: scipy.sparse.csr_array | None

    @property
    def n_units(self) -> int:
        """Number of units a bootstrap draws from."""
        return int(self.frequency.sum()) if self.by_group is None else int(self.by_group.shape[0])

    @property
    def width(self) -> int:
        """Cells one replicate takes while it is computed."""
        return int(max(*self.counts.shape, self.n_units if self.by_group is not None else 0))

    def draw(self, generator: np.random.Generator, size: int) -> FloatArray:
        """How often each pattern is drawn in each replicate, shape (size, patterns)."""
        if self.by_group is None:
            return draw_units(generator, self.frequency.astype(np.int64), size).T
        groups = draw_units(generator, np.ones(self.n_units, dtype=np.int64), size)
        drawn: FloatArray = (self.by_group.T @ groups).T
        return drawn


def patterns_of(ratings: Ratings, times: IntArray | None = None) -> Patterns:
    """The distinct count rows of the items, in an order that depends on their content only.

    Parameters
    ----------
    ratings
        Ratings of one criterion, at least one.
    times
        Number of items that each item represents, shape (items,); None where each represents itself.

    Returns
    -------
    Patterns
        With as many rows as there are distinct multisets of values.
    """
    category = np.searchsorted(ratings.categories, ratings.value)
    distinct = distinct_sequences(ratings, category, in_order=False)
    n_patterns = len(distinct.sizes)
    counts = scipy.sparse.coo_array(
        (np.ones(len(distinct.codes)), (distinct.rows, distinct.codes)),
        shape=(n_patterns, len(ratings.categories)),
    ).tocsr()
    weights = np.ones(len(distinct.of_item)) if times is None else times.astype(np.float64)
    frequency = np.bincount(distinct.of_item, weights, minlength=n_patterns).astype(np.float64)
    if ratings.group is None:
        return Patterns(counts, frequency, None)
    shape = (int(ratings.group.max()) + 1, n_patterns)
    by_group = scipy.sparse.coo_array((weights, (ratings.group, distinct.of_item)), shape=shape).tocsr()
    return Patterns(counts, frequency, by_group)
