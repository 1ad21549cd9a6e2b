"""Pairs of one from the top of a ranking and one from the rest (Miyazawa and Miyao 2017, section 5.3)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message

MOST_PAIRS = 1000


@dataclass(frozen=True)
class DrawnPair:
    """Ranks, from 0, of the item from the top `percent` and of the other one; and the side of the first."""

    percent: int
    high: int
    low: int
    high_side: str


def draw_pairs(length: int, *, percents: Sequence[int], pairs: int, seed: int) -> list[DrawnPair]:
    """Draw pairs from a ranking, the best first: for each p one from the top p % and one from the rest.

    The same seed draws the same pairs.

    Parameters
    ----------
    length : int
        Number of ranked items.
    percents : sequence of int
        Each from 1 to 99; the top p % are rounded down, at least one item.
    pairs : int
        For each p; within one p no item is in two pairs.
    seed : int
        Of the draw and of the sides.

    Raises
    ------
    InvalidContent
        `bad_percent`, `bad_pairs`, or `too_few_ranked` where the top or the rest has too few to draw from.
    """
    if not percents or not all(1 <= percent <= 99 for percent in percents):
        raise InvalidContent(message("Enter percentages from 1 to 99."), code="bad_percent")
    if not 1 <= pairs <= MOST_PAIRS:
        raise InvalidContent(message("Enter 1 to %(n)d pairs.", n=MOST_PAIRS), code="bad_pairs")
    return [
        pair
        for percent in dict.fromkeys(percents)
        for pair in _of_percent(length, percent, pairs, random.Random(f"{seed}/pairs/{percent}"))
    ]


def _of_percent(length: int, percent: int, pairs: int, rng: random.Random) -> list[DrawnPair]:
    top = max(1, length * percent // 100)
    if min(top, length - top) < pairs:
        raise InvalidContent(
            message(
                "Drawing %(pairs)d pairs needs %(pairs)d items in the top %(percent)d%% and in the rest, "
                "but the "
                "%(all)d items have %(top)d and %(rest)d. Draw fewer pairs, or add items.",
                pairs=pairs,
                percent=percent,
                all=length,
                top=top,
                rest=max(0, length - top),
            ),
            code="too_few_ranked",
        )
    highs = rng.sample(range(top), pairs)
    lows = rng.sample(range(top, length), pairs)
    return [DrawnPair(percent, high, low, rng.choice("ab")) for high, low in zip(highs, lows, strict=True)]
