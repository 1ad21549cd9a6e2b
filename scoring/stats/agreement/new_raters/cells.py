"""Which raters gave which item which value, and what each item shows when raters are drawn several times."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.data.table import Ratings

Indicator = scipy.sparse.csr_array


@dataclass(frozen=True)
class Cells:
    """The values that occur at each item: one cell for each, ordered by item and value."""

    categories: FloatArray
    # item, category: Of each cell
    item: IntArray
    category: IntArray
    # close: Every two cells of an item whose values differ by at most 1, each pair once
    close: tuple[IntArray, IntArray]
    raters_of_cell: Indicator  # 1 where a rater gave it, shape (cells, raters)
    raters_of_item: Indicator  # 1 where a rater rated the item, shape (items, raters)
    cells_of_item: Indicator  # shape (items, cells)
    cells_of_category: Indicator  # shape (categories, cells)

    @classmethod
    def of(cls, ratings: Ratings) -> "Cells":
        """Cells of one criterion's ratings."""
        n_categories, n_raters = len(ratings.categories), len(ratings.raters)
        code = ratings.item * n_categories + np.searchsorted(ratings.categories, ratings.value)
        cells, cell = np.unique(code, return_inverse=True)
        item, category = np.divmod(cells, n_categories)
        of_itself = np.arange(len(cells))
        return cls(
            categories=ratings.categories,
            item=item,
            category=category,
            close=_close(item, ratings.categories[category]),
            raters_of_cell=_indicator(cell, ratings.rater, (len(cells), n_raters)),
            raters_of_item=_indicator(ratings.item, ratings.rater, (ratings.n_items, n_raters)),
            cells_of_item=_indicator(item, of_itself, (ratings.n_items, len(cells))),
            cells_of_category=_indicator(category, of_itself, (n_categories, len(cells))),
        )


def _close(item: IntArray, value: FloatArray) -> tuple[IntArray, IntArray]:
    """Pairs of cells of an item whose values differ by at most 1."""
    firsts, seconds, step = [], [], 1
    while True:
        near = (item[step:] == item[:-step]) & (value[step:] - value[:-step] <= 1)
        found = np.flatnonzero(near)
        if len(found) == 0:
            break
        firsts.append(found)
        seconds.append(found + step)
        step += 1
    none = np.zeros(0, dtype=np.int64)
    return np.concatenate([none, *firsts]), np.concatenate([none, *seconds])


def _indicator(rows: IntArray, columns: IntArray, shape: tuple[int, int]) -> Indicator:
    return scipy.sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=shape).tocsr()


@dataclass(frozen=True)
class ItemPairs:
    """What each item shows under multiplicities of raters, whatever the multiplicity of the item itself.

    Rater j is drawn vⱼ times. Two ratings of an item by different raters j ≠ k make a pair of weight vⱼ·vₖ.
    """

    cells: Cells
    counts: FloatArray  # How often each cell's value comes, shape (cells, replicates)
    size: FloatArray  # How many ratings each item has, shape (items, replicates), as all that follow
    copies: FloatArray  # Σⱼ vⱼ² of its raters
    paired: BoolArray  # Whether it has a pair
    a_pair: FloatArray  # 1 over the number of its ordered pairs, 0 without any

    @classmethod
    def of(cls, cells: Cells, raters: FloatArray) -> "ItemPairs":
        """Items under multiplicities of raters, shape (raters, replicates)."""
        counts = np.asarray(cells.raters_of_cell @ raters)
        size = np.asarray(cells.raters_of_item @ raters)
        copies = np.asarray(cells.raters_of_item @ raters**2)
        pairs = size**2 - copies
        paired = pairs > 0
        a_pair = np.divide(1.0, pairs, out=np.zeros_like(pairs), where=paired)
        return cls(cells, counts, size, copies, paired, a_pair)

    @cached_property
    def equal(self) -> FloatArray:
        """Share of the pairs of an item with equal values, 0 without a pair."""
        return np.asarray(self.a_pair * (self.cells.cells_of_item @ self.counts**2 - self.copies))

    @cached_property
    def within_one(self) -> FloatArray:
        """Share of the pairs of an item whose values differ by at most 1, 0 without a pair."""
        first, second = self.cells.close
        if len(first) == 0:
            return self.equal
        item = self.cells.item[first]
        joined = _indicator(item, np.arange(len(first)), (len(self.size), len(first)))
        return np.asarray(
            self.equal + 2 * self.a_pair * (joined @ (self.counts[first] * self.counts[second]))
        )

    @cached_property
    def squared(self) -> FloatArray:
        """Mean squared difference of the pairs of an item, 0 without a pair."""
        categories = self.cells.categories
        return self.squared_differences((categories - categories[len(categories) // 2])[:, None])

    def squared_differences(self, positions: FloatArray) -> FloatArray:
        """Mean squared difference of an item's pairs, of positions of the values, (categories, 1 or b).

        Σ_{j≠k} vⱼvₖ (pⱼ − pₖ)² = 2 (M Σⱼ vⱼpⱼ² − (Σⱼ vⱼpⱼ)²), with M = Σⱼ vⱼ.
        """
        placed = self.counts * positions[self.cells.category]
        once = np.asarray(self.cells.cells_of_item @ placed)
        placed *= positions[self.cells.category]
        twice = np.asarray(self.cells.cells_of_item @ placed)
        return np.asarray(2 * self.a_pair * (self.size * twice - once**2), dtype=np.float64)
