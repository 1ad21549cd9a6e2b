"""How often each rater and each item or group is drawn in each replicate of a pigeonhole bootstrap."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.stats.base.resampling import FloatArray, IntArray, Resampling, draw_units
from scoring.stats.data.table import Ratings

# Replicates of one random stream.
REPLICATES_A_STREAM = 16
# Ratings times replicates that are computed at once; with more their sums leave the processor's cache.
CELLS_AT_ONCE = 2**17
# Beyond this many items or groups, blocks of them are left out.
MOST_BLOCKS = 200


@dataclass(frozen=True)
class Drawn:
    """Multiplicities of replicates; a rating counts as often as its item times as often as its rater."""

    # items, raters: How often each is drawn, shape (number, replicates), or (number, 1) for all replicates
    items: FloatArray
    raters: FloatArray


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
        Replicates of the streams (criterion, `new_raters`, 0), (criterion, `new_raters`, 1) …, sixteen each;
        those of several streams at once where there are few ratings.

    References
    ----------
    Owen (2007), section 3: the pigeonhole bootstrap.
    """
    unit = unit_of_item(ratings)
    at_once = max(1, CELLS_AT_ONCE // (REPLICATES_A_STREAM * ratings.n_ratings))
    streams = list(enumerate(resampling.sizes(REPLICATES_A_STREAM)))
    for first in range(0, len(streams), at_once):
        drawn = [_draw(ratings, resampling, *stream) for stream in streams[first : first + at_once]]
        units, raters = (np.concatenate(of, axis=1) for of in zip(*drawn, strict=True))
        yield Drawn(units[unit], raters)
        resampling.tick(raters.shape[1])


def without_each_rater(ratings: Ratings) -> Iterator[FloatArray]:
    """Multiplicities of raters with each left out in turn, shape (raters, some of them)."""
    return _without_each(np.arange(len(ratings.raters)), ratings.n_ratings)


def without_each_block(ratings: Ratings, resampling: Resampling) -> Iterator[FloatArray]:
    """Multiplicities of items with each item or group left out in turn, shape (items, some of them).

    Of more than 200 items or groups, random blocks of them of nearly the same size.
    """
    unit = unit_of_item(ratings)
    n_units = int(unit.max()) + 1
    if n_units > MOST_BLOCKS:
        generator = resampling.generator(ratings.criterion, "new_raters", "blocks")
        unit = (generator.permutation(n_units) % MOST_BLOCKS)[unit]
    return _without_each(unit, ratings.n_ratings)


def _without_each(part: IntArray, n_ratings: int) -> Iterator[FloatArray]:
    """1 for what is outside each part in turn, shape (things, some of the parts)."""
    at_once = max(REPLICATES_A_STREAM, CELLS_AT_ONCE // n_ratings)
    n_parts = int(part.max()) + 1
    for first in range(0, n_parts, at_once):
        yield (part[:, None] != np.arange(first, min(first + at_once, n_parts))).astype(np.float64)


def _draw(ratings: Ratings, resampling: Resampling, piece: int, size: int) -> tuple[FloatArray, FloatArray]:
    """Multiplicities of units and of raters of one stream."""
    generator = resampling.generator(ratings.criterion, "new_raters", str(piece))
    n_units = int(unit_of_item(ratings).max()) + 1
    units = draw_units(generator, np.ones(n_units, dtype=np.int64), size)
    raters = draw_units(generator, np.ones(len(ratings.raters), dtype=np.int64), size)
    return units, raters
