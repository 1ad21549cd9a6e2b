"""How often each rater and each item or group is drawn in each replicate of a pigeonhole bootstrap."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import FloatArray, IntArray, Resampling, draw_units
from scoring.stats.data.table import Ratings

# Replicates of one random stream; with more at once their sums leave the processor's cache.
REPLICATES_A_STREAM = 16


@dataclass(frozen=True)
class Drawn:
    """Multiplicities of replicates; a rating counts as often as its item times as often as its rater."""

    # items, raters: How often each is drawn, shape (number, replicates), or (number, 1) for all replicates
    items: FloatArray
    raters: FloatArray

    def items_alone(self) -> "Drawn":
        """The same draws of items, with every rater once."""
        return Drawn(self.items, np.ones((len(self.raters), 1)))

    def raters_alone(self) -> "Drawn":
        """The same draws of raters, with every item once."""
        return Drawn(np.ones((len(self.items), 1)), self.raters)


def everything_once(ratings: Ratings) -> Drawn:
    """The ratings as they are: every item and every rater once."""
    return Drawn(np.ones((ratings.n_items, 1)), np.ones((len(ratings.raters), 1)))


def unit_of_item(ratings: Ratings) -> IntArray:
    """Code of what is resampled with each item: its group, or the item itself, shape (items,)."""
    return np.arange(ratings.n_items) if ratings.group is None else ratings.group


def pigeonhole_draws(ratings: Ratings, resampling: Resampling) -> Iterator[Drawn]:
    """Draw items (or groups) and raters, each with replacement and independently of the other.

    Parameters
    ----------
    ratings
        Ratings of one criterion by identified raters.
    resampling
        Replicates and seed; its tick is called.

    Yields
    ------
    Drawn
        Sixteen replicates each, from the streams (criterion, `new_raters`, 0), (criterion, `new_raters`, 1) …

    References
    ----------
    Owen (2007), section 3: the pigeonhole bootstrap.
    """
    unit = unit_of_item(ratings)
    n_units = int(unit.max()) + 1
    for piece, size in enumerate(resampling.pieces(REPLICATES_A_STREAM)):
        generator = resampling.generator(ratings.criterion, "new_raters", str(piece))
        units = draw_units(generator, np.ones(n_units, dtype=np.int64), size)
        raters = draw_units(generator, np.ones(len(ratings.raters), dtype=np.int64), size)
        yield Drawn(units[unit], raters)
