"""Pairs of items that a metric and raters put in order, within blocks of items."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.base.rounding import round_significant

# Differences of scores that lie closer than this, relative to the greatest score, are equal but for rounding.
NEAR = 2.0**-38


@dataclass(frozen=True)
class Pairs:
    """Pairs of items of the same block."""

    # first, second: Positions of the two items, shape (pairs,)
    first: IntArray
    second: IntArray
    block: IntArray  # Block of each pair
    n_blocks: int  # Blocks, also those without a pair

    @classmethod
    def within(cls, block: IntArray, n_blocks: int, items: IntArray) -> "Pairs":
        """Every pair of items that share a block.

        Parameters
        ----------
        block
            Block of each item in the table.
        n_blocks
            Number of blocks.
        items
            Positions of the items that take part, ascending.
        """
        of_block = [items[block[items] == code] for code in range(n_blocks)]
        places = [np.triu_indices(len(members), 1) for members in of_block]
        nothing = np.empty(0, dtype=np.int64)
        return cls(
            np.concatenate([nothing, *(one[place[0]] for one, place in zip(of_block, places, strict=True))]),
            np.concatenate([nothing, *(one[place[1]] for one, place in zip(of_block, places, strict=True))]),
            np.repeat(np.arange(n_blocks), [len(place[0]) for place in places]),
            n_blocks,
        )

    def take(self, order: IntArray) -> "Pairs":
        """The pairs in another order."""
        return Pairs(self.first[order], self.second[order], self.block[order], self.n_blocks)

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.first)

    @cached_property
    def sizes(self) -> FloatArray:
        """Pairs of each block."""
        return np.bincount(self.block, minlength=self.n_blocks).astype(np.float64)

    def weights(self, chosen: BoolArray | None = None) -> FloatArray:
        """Weight of each pair in the mean over blocks of the shares within blocks.

        Parameters
        ----------
        chosen
            Pairs that count; None for all.

        Returns
        -------
        ndarray, shape (pairs,)
            Sums to 1 if any pair counts; 0 for pairs that do not.
        """
        counted = np.ones(len(self)) if chosen is None else chosen.astype(np.float64)
        sizes = np.bincount(self.block, counted, minlength=self.n_blocks)
        share = np.divide(1.0, sizes, out=np.zeros(self.n_blocks), where=sizes > 0)
        return np.asarray(counted * share[self.block] / max(int((sizes > 0).sum()), 1), dtype=np.float64)

    def signs(self, values: FloatArray) -> IntArray:
        """The order of each pair: 1 if the first item has the greater value, −1 the second, 0 for a tie."""
        rounded = round_significant(values)
        return np.sign(rounded[self.first] - rounded[self.second]).astype(np.int8)

    def distances(self, scores: FloatArray) -> FloatArray:
        """Absolute difference of the scores of each pair."""
        rounded = round_significant(scores)
        return np.asarray(np.abs(rounded[self.first] - rounded[self.second]), dtype=np.float64)

    def rounding(self, scores: FloatArray) -> FloatArray:
        """By how much equal distances of pairs may differ because numbers are rounded.

        It is relative to the scores of each pair: those of a metric may differ by a hundred powers of ten.
        """
        size = np.abs(scores)
        return np.asarray(NEAR * np.maximum(size[self.first], size[self.second]), dtype=np.float64)
