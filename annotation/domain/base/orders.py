"""The order of items for one rater, and the sides of the candidates of a pair."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from enum import StrEnum
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


class GroupPlacement(StrEnum):
    """Whether candidates of a group follow one another, never do, or come in any order."""

    TOGETHER = "together"
    SEPARATED = "apart"
    FREE = "free"


def rater_order(
    keys: Sequence[Key],
    groups: Sequence[str],
    *,
    seed: int,
    rater_seed: int,
    keep: GroupPlacement = GroupPlacement.FREE,
) -> tuple[Key, ...]:
    """The items in one rater's own order, the same whenever it is asked for.

    An item with an empty group is a group of its own. With `TOGETHER` the items of a group follow one
    another. With `SEPARATED` no two of a group do, and they are far from each other; where one group has
    more than half of the items, as few as possible follow one another.
    """
    rng = random.Random(f"{seed}/{rater_seed}/order")
    units = shuffle_by_group(keys, groups, rng)
    if keep is GroupPlacement.TOGETHER:
        return tuple(key for unit in units for key in unit)
    if keep is GroupPlacement.SEPARATED and units:
        return tuple(_separated(units, rng))
    order = list(keys)
    rng.shuffle(order)
    return tuple(order)


def sides_swapped(key: str, *, seed: int, rater_seed: int) -> bool:
    """Whether this rater sees the two candidates of a pair the other way round."""
    return random.Random(f"{seed}/{rater_seed}/sides/{key}").random() < 0.5


def options_order(values: Sequence[str], *, place: str, seed: int, rater_seed: int) -> tuple[str, ...]:
    """The options of a question in one rater's own order; `place` names the item and the question."""
    order = list(values)
    random.Random(f"{seed}/{rater_seed}/options/{place}").shuffle(order)
    return tuple(order)


def shuffle_by_group(keys: Sequence[Key], groups: Sequence[str], rng: random.Random) -> list[list[Key]]:
    """The items of each group in one list, groups and items shuffled; an item without a group is alone."""
    units: dict[tuple[str, int], list[Key]] = {}
    for number, (key, group) in enumerate(zip(keys, groups, strict=True)):
        units.setdefault((group, 0) if group else ("", number), []).append(key)
    shuffled = list(units.values())
    rng.shuffle(shuffled)
    for unit in shuffled:
        rng.shuffle(unit)
    return shuffled


def _separated(units: list[list[Key]], rng: random.Random) -> list[Key]:
    largest = max(units, key=len)
    others = [unit for unit in units if unit is not largest]
    if 2 * len(largest) >= sum(len(unit) for unit in units):
        return _between(largest, [key for unit in others for key in unit], rng)
    return _in_rounds(units, len(largest), rng)


def _between(many: Sequence[Key], few: list[Key], rng: random.Random) -> list[Key]:
    """Put the few items between the many, each into a gap of its own; the two ends are used last."""
    rng.shuffle(few)
    inner = list(range(1, len(many)))
    ends = [0, len(many)]
    rng.shuffle(ends)
    gaps = rng.sample(inner, min(len(few), len(inner))) + ends[: max(0, len(few) - len(inner))]
    separators = dict(zip(gaps, few, strict=True))
    order: list[Key] = []
    for gap in range(len(many) + 1):
        if gap in separators:
            order.append(separators[gap])
        order += many[gap : gap + 1]
    return order


def _in_rounds(units: Sequence[Sequence[Key]], rounds: int, rng: random.Random) -> list[Key]:
    """Deal the items in as many rounds as the largest group has items; no round has a group twice.

    Every round has at least two items. If a round would begin with the group that ended the round
    before, its first two items are swapped.
    """
    cards = [(number, key) for number, unit in enumerate(units) for key in unit]
    order: list[tuple[int, Key]] = []
    for first in range(rounds):
        dealt = cards[first::rounds]
        rng.shuffle(dealt)
        if order and dealt[0][0] == order[-1][0]:
            dealt[0], dealt[1] = dealt[1], dealt[0]
        order += dealt
    return [key for _, key in order]
