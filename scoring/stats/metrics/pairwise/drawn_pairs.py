"""Shares of correct pairs when units of items are drawn again and again."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.metrics.pairwise.pairs import Pairs


class DrawnGroups:
    """Pairs within groups, when the groups are drawn."""

    def __init__(self, pairs: Pairs) -> None:
        """Prepare the groups; block and unit of resampling are the same."""
        self._pairs = pairs
        self._has_pair = (pairs.sizes > 0).astype(np.float64)

    def shares_of(self, correct: FloatArray, draws: Iterable[FloatArray]) -> FloatArray:
        """Mean of the shares of the groups, each as often as it is drawn.

        Parameters
        ----------
        correct
            1 for each pair that is right, else 0.
        draws
            Chunks of weights, shape (replicates, groups).
        """
        agreed = np.bincount(self._pairs.block, correct, minlength=self._pairs.n_blocks)
        share = agreed / np.maximum(self._pairs.sizes, 1)
        return np.concatenate([_ratio(weights @ share, weights @ self._has_pair) for weights in draws])


class DrawnPairs:
    """Pairs of items of any units within blocks, when the units are drawn.

    An item drawn twice is no pair with itself, and two draws of a group make no pairs with each other.
    """

    def __init__(self, pairs: Pairs, unit: IntArray) -> None:
        """Find the units between which each pair is.

        Parameters
        ----------
        pairs
            Pairs within blocks.
        unit
            Unit of resampling of each item.
        """
        self._blocks = [
            _Block.of(pairs, unit, np.flatnonzero(pairs.block == code))
            for code in np.flatnonzero(pairs.sizes)
        ]

    def shares_of(self, correct: FloatArray, draws: Iterable[FloatArray]) -> FloatArray:
        """Mean over the blocks of the share of correct pairs.

        Parameters
        ----------
        correct
            1 for each pair that is right, else 0.
        draws
            Chunks of weights, shape (replicates, units).

        Returns
        -------
        ndarray, shape (replicates,)
            Over the blocks of which a pair is drawn; NaN where there is none.
        """
        between = [block.between_units(correct) for block in self._blocks]
        means = []
        for chunk, weights in enumerate(draws):
            shares = np.stack(
                [
                    _ratio(block.drawn(weights, agreed), block.drawn_pairs(chunk, weights))
                    for block, agreed in zip(self._blocks, between, strict=True)
                ]
            )
            known = np.isfinite(shares)
            means.append(
                _ratio(np.where(known, shares, 0.0).sum(axis=0), known.sum(axis=0).astype(np.float64))
            )
        return np.concatenate(means)


@dataclass
class _Block:
    """The pairs of one block, each between two of its units or within one."""

    pairs: IntArray  # Positions of the pairs
    present: IntArray  # Units of the block
    place: IntArray  # Cell of each pair in the table of units against units
    _counted: dict[int, FloatArray] = field(default_factory=dict)

    @classmethod
    def of(cls, pairs: Pairs, unit: IntArray, chosen: IntArray) -> "_Block":
        first, second = unit[pairs.first[chosen]], unit[pairs.second[chosen]]
        is_present = np.zeros(int(unit.max()) + 1, dtype=np.bool_)
        is_present[first], is_present[second] = True, True
        code = np.cumsum(is_present) - 1
        return cls(chosen, np.flatnonzero(is_present), code[first] * int(is_present.sum()) + code[second])

    def between_units(self, values: FloatArray) -> FloatArray:
        """Sum of a value of the pairs between each two units."""
        n = len(self.present)
        sums = np.bincount(self.place, values[self.pairs], minlength=n * n).reshape(n, n)
        return np.asarray(sums, dtype=np.float64)

    def drawn(self, weights: FloatArray, between: FloatArray) -> FloatArray:
        """Sum of a value over the pairs drawn in each replicate."""
        own, inside = weights[:, self.present], np.diag(between)
        crossed = np.einsum("ru,ru->r", own @ (between - np.diag(inside)), own)
        return np.asarray(crossed + own @ inside, dtype=np.float64)

    def drawn_pairs(self, chunk: int, weights: FloatArray) -> FloatArray:
        """Number of pairs drawn in each replicate of a chunk, which is the same for every criterion."""
        if chunk not in self._counted:
            self._counted[chunk] = self.drawn(weights, self.between_units(np.ones(int(self.pairs.max()) + 1)))
        return self._counted[chunk]


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.asarray(np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0))
