"""Items whose ratings are the same, found without looking at one item at a time."""

from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import IntArray
from scoring.stats.data.table import Ratings


@dataclass(frozen=True)
class Distinct:
    """The distinct sequences of codes among the items."""

    of_item: IntArray  # Which sequence each item has, shape (items,)
    sizes: IntArray  # Length of each sequence, shape (sequences,)
    codes: IntArray  # The sequences one after the other, shape (sum of sizes,)

    @property
    def rows(self) -> IntArray:
        """Which sequence each of the codes belongs to."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @property
    def frequency(self) -> IntArray:
        """Number of items with each sequence."""
        return np.bincount(self.of_item, minlength=len(self.sizes))


def distinct_sequences(ratings: Ratings, codes: IntArray, *, in_order: bool) -> Distinct:
    """The distinct sequences of codes, by length, then in lexicographic order.

    Parameters
    ----------
    ratings
        Ratings of one criterion, at least one.
    codes
        A code, 0 or more, of each rating.
    in_order
        Whether the order of an item's raters matters; otherwise each item's codes are sorted.
    """
    starts = np.cumsum(ratings.sizes) - ratings.sizes
    of_item = np.empty(ratings.n_items, dtype=np.int64)
    sizes, sequences, found = [], [], 0
    for size in np.unique(ratings.sizes):
        items = np.flatnonzero(ratings.sizes == size)
        rows = codes[starts[items][:, None] + np.arange(size)]
        if not in_order:
            rows.sort(axis=1)
        _, first, of_row = np.unique(_keys(rows), return_index=True, return_inverse=True)
        of_item[items] = found + of_row
        found += len(first)
        sizes.append(np.full(len(first), size))
        sequences.append(rows[first].ravel())
    return Distinct(of_item, np.concatenate(sizes), np.concatenate(sequences))


def _keys(rows: IntArray) -> IntArray:
    """A number for each row, ordered as the rows are."""
    n_codes = int(rows.max()) + 1
    keys, bound = rows[:, 0], n_codes
    for column in rows.T[1:]:
        if bound > np.iinfo(np.int64).max // n_codes:
            keys = np.unique(keys, return_inverse=True)[1]
            bound = len(rows)
        keys = keys * n_codes + column
        bound *= n_codes
    return keys
