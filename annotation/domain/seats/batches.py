"""Division of items into fixed batches, with groups together or spread out."""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.base.orders import GroupPlacement, shuffle_by_group

Key = TypeVar("Key", bound=Hashable)


def make_batches(
    keys: Sequence[Key],
    groups: Sequence[str],
    *,
    size: int,
    seed: int,
    keep_groups: GroupPlacement = GroupPlacement.FREE,
) -> tuple[tuple[Key, ...], ...]:
    """Cut items into batches of at most `size`, as even as the groups allow.

    Parameters
    ----------
    keys : sequence
        The items, or pairs of item and form; each exactly once.
    groups : sequence of str
        The group of each; empty for an item of its own.
    size, seed : int
        The same items, size and seed give the same batches.
    keep_groups : GroupPlacement
        Whether a group stays in one batch, or never has two items in one batch.

    Raises
    ------
    InvalidContent
        Codes `batch_size`, `item_twice`, `group_too_large` (together) and `groups_cannot_be_apart`.
    """
    _refuse_unusable(keys, size)
    rng = random.Random(f"{seed}/batches")
    units = shuffle_by_group(keys, groups, rng)
    if not units:
        return ()
    if keep_groups is GroupPlacement.TOGETHER:
        batches = _together(units, size)
    else:
        batches = _dealt(
            units,
            math.ceil(len(keys) / size),
            size,
            separated=keep_groups is GroupPlacement.SEPARATED,
            rng=rng,
        )
    for batch in batches:
        rng.shuffle(batch)
    rng.shuffle(batches)
    return tuple(tuple(batch) for batch in batches)


def _refuse_unusable(keys: Sequence[Hashable], size: int) -> None:
    if size < 1:
        raise InvalidContent(message("A batch needs at least 1 item."), code="batch_size")
    twice = [key for key, count in Counter(keys).items() if count > 1]
    if twice:
        raise InvalidContent(
            message("“%(key)s” is more than once in the list. Remove the duplicate.", key=twice[0]),
            code="item_twice",
        )


def _dealt(
    units: Sequence[Sequence[Key]], count: int, size: int, *, separated: bool, rng: random.Random
) -> list[list[Key]]:
    """Deal items out to batches in turn, so that items of a small group are in different batches."""
    largest = max(len(unit) for unit in units)
    if separated and largest > count:
        most = (sum(len(unit) for unit in units) - 1) // (largest - 1)
        raise InvalidContent(
            message(
                "A group of %(largest)s items cannot be spread over %(count)s batches of %(size)s items. Use "
                "batches of at most %(most)s items.",
                largest=largest,
                count=count,
                size=size,
                most=most,
            ),
            code="groups_cannot_be_apart",
        )
    cards = [key for unit in units for key in unit]
    if not separated:
        rng.shuffle(cards)
    return [cards[first::count] for first in range(count)]


def _together(units: Sequence[Sequence[Key]], size: int) -> list[list[Key]]:
    largest = max(len(unit) for unit in units)
    if largest > size:
        raise InvalidContent(
            message(
                "A group of %(largest)s items does not fit into a batch of %(size)s. Use larger batches.",
                largest=largest,
                size=size,
            ),
            code="group_too_large",
        )
    by_length = sorted(units, key=len, reverse=True)
    packed = _packed(by_length, size)
    even = _evened(by_length, len(packed))
    return even if max(len(batch) for batch in even) <= size else packed


def _packed(units: Iterable[Sequence[Key]], size: int) -> list[list[Key]]:
    """Put each unit into the fullest batch with enough capacity, longest units first, for few batches."""
    by_room: dict[int, list[list[Key]]] = {}
    for unit in units:
        fitting = (free for free in range(len(unit), size + 1) if by_room.get(free))
        free = next(fitting, size)
        batch = by_room[free].pop() if by_room.get(free) else []
        batch.extend(unit)
        by_room.setdefault(free - len(unit), []).append(batch)
    return [batch for batches in by_room.values() for batch in batches]


def _evened(units: Iterable[Sequence[Key]], count: int) -> list[list[Key]]:
    """Put each unit into the emptiest of so many batches, longest units first, for even batches."""
    batches: list[list[Key]] = [[] for _ in range(count)]
    heap = [(0, number) for number in range(count)]
    for unit in units:
        filled, number = heapq.heappop(heap)
        batches[number].extend(unit)
        heapq.heappush(heap, (filled + len(unit), number))
    return batches
