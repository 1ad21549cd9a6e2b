"""Sets of items for best–worst scaling (Kiritchenko and Mohammad 2017): balanced, each only once."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.items.pair_balance import balance

SMALLEST_SET, LARGEST_SET, USUAL_SET = 3, 6, 4
# Texts of a set, and the metadata that name its items.
LETTERS = "abcdef"
USUAL_FACTOR = Fraction(2)
LARGEST_FACTOR = 20
MOST_SETS = 10_000
# Draws that are compared for a group with few sets, if none of them is as balanced as it can be.
TRIES, FEW_SETS = 3, 50


@dataclass(frozen=True)
class DrawnSets:
    """Sets of items and how evenly they compare them.

    Attributes
    ----------
    sets : tuple of tuple of int
        Numbers of the items, from 0, of each set, in the order drawn.
    shown : mapping of int to int
        How many items are in so many sets.
    meetings : mapping of int to int
        How many pairs of items are together in so many sets. Only pairs of one group count.
    """

    sets: tuple[tuple[int, ...], ...]
    shown: Mapping[int, int]
    meetings: Mapping[int, int]


def draw_sets(
    length: int,
    *,
    size: int = USUAL_SET,
    factor: Fraction | float = USUAL_FACTOR,
    seed: int,
    groups: Sequence[Hashable] | None = None,
) -> DrawnSets:
    """Draw sets of items so that each item is in equally many, and pairs meet equally often.

    The same seed draws the same sets.

    Parameters
    ----------
    length : int
        Number of items.
    size : int
        Items of a set, 3 to 6.
    factor : Fraction or float
        Sets per item: 2 draws twice as many sets as there are items. A group has at most as many sets as
        there are different ones.
    seed : int
        Of the draw.
    groups : sequence or None
        Group of each item; the items of a set are then of one group.

    Returns
    -------
    DrawnSets
        No set is drawn twice. The numbers of sets of two items of a group differ by at most 1. How often
        pairs meet differs as little as a search by exchanges reaches.

    Raises
    ------
    InvalidContent
        `bad_set_size`, `bad_set_factor`, `too_many_sets`, `too_few_for_sets` if a group is smaller than a
        set, or `too_few_sets` if not every item would be in a set.
    """
    _check(size, factor)
    members = _members(length, groups)
    numbers = [number_of_sets(len(group), size, factor) for group in members]
    if sum(numbers) > MOST_SETS:
        raise InvalidContent(
            message(
                "This would draw %(sets)d sets, more than %(most)d. Draw fewer sets per item.",
                sets=sum(numbers),
                most=MOST_SETS,
            ),
            code="too_many_sets",
        )
    for group, number in zip(members, numbers, strict=True):
        _check_group(len(group), size, length)
        _check_all_drawn(len(group), size, number)
    rng = random.Random(f"{seed}/sets")
    drawn = [
        tuple(group[place] for place in one)
        for group, number in zip(members, numbers, strict=True)
        for one in _of_group(len(group), size, number, rng)
    ]
    rng.shuffle(drawn)
    return DrawnSets(tuple(drawn), _shown(length, drawn), meetings(drawn, [len(group) for group in members]))


def number_of_sets(length: int, size: int, factor: Fraction | float) -> int:
    """Return how many sets a group of so many items has: half a set counts as one."""
    return min(math.floor(Fraction(factor) * length + Fraction(1, 2)), math.comb(length, size))


def meetings(sets: Sequence[Sequence[Hashable]], group_sizes: Sequence[int]) -> dict[int, int]:
    """Return how many pairs of items of one group are together in 0, 1, 2 … sets."""
    met = Counter(frozenset(pair) for one in sets for pair in itertools.combinations(dict.fromkeys(one), 2))
    found = Counter(met.values())
    never = sum(math.comb(length, 2) for length in group_sizes) - len(met)
    return {times: number for times, number in sorted({0: never, **found}.items()) if number}


def _shown(length: int, sets: Sequence[Sequence[int]]) -> dict[int, int]:
    times = Counter(itertools.chain.from_iterable(sets))
    return dict(sorted(Counter(times[item] for item in range(length)).items()))


def _check(size: int, factor: Fraction | float) -> None:
    if not SMALLEST_SET <= size <= LARGEST_SET:
        raise InvalidContent(
            message(
                "Enter a number of items per set from %(least)d to %(most)d.",
                least=SMALLEST_SET,
                most=LARGEST_SET,
            ),
            code="bad_set_size",
        )
    if not 0 < factor <= LARGEST_FACTOR:
        raise InvalidContent(
            message(
                "Enter a number of sets per item above 0 and at most %(most)d, such as 1.5 or 2. It is not "
                "the number of all sets.",
                most=LARGEST_FACTOR,
            ),
            code="bad_set_factor",
        )


def _check_group(length: int, size: int, of_all: int) -> None:
    if length >= size:
        return
    if length == of_all:
        sentence = message(
            "Sets of %(size)d items need at least %(size)d items, but there are %(items)d. "
            "Add items, or draw smaller sets.",
            size=size,
            items=length,
        )
    else:
        sentence = message(
            "Sets of %(size)d items need at least %(size)d items in each group, but a group has %(items)d. "
            "Add items, draw smaller sets, or draw from all items together.",
            size=size,
            items=length,
        )
    raise InvalidContent(sentence, code="too_few_for_sets")


def _check_all_drawn(length: int, size: int, number: int) -> None:
    if number * size < length:
        sentence = message(
            "%(sets)d sets of %(size)d items cannot have all of %(items)d items. Draw more sets per item.",
            sets=number,
            size=size,
            items=length,
        )
        raise InvalidContent(sentence, code="too_few_sets")


def _members(length: int, groups: Sequence[Hashable] | None) -> list[list[int]]:
    """The numbers of the items of each group, groups in the order of their first items."""
    found: dict[Hashable, list[int]] = {}
    for item in range(length):
        found.setdefault(None if groups is None else groups[item], []).append(item)
    return list(found.values()) or [[]]


def _of_group(length: int, size: int, number: int, rng: random.Random) -> list[tuple[int, ...]]:
    """Sets of one group. If more than half of all possible sets are needed, those left out are drawn."""
    different = math.comb(length, size)
    if number > different - number:
        left_out = set(map(frozenset, _of_group(length, size, different - number, rng)))
        every = itertools.combinations(range(length), size)
        drawn = [list(one) for one in every if frozenset(one) not in left_out]
    else:
        drawn = min(_tries(length, size, number, rng), key=lambda one: one[0])[1]
    for one in drawn:
        rng.shuffle(one)
    return [tuple(one) for one in drawn]


def _tries(length: int, size: int, number: int, rng: random.Random) -> Iterator[tuple[int, list[list[int]]]]:
    """Draws with their distances from perfect balance, ending with a perfect one."""
    for _ in range(TRIES if number <= FEW_SETS else 1):
        drawn = _dealt(length, size, number, rng)
        distance = balance(drawn, length, rng)
        yield distance, drawn
        if distance == 0:
            return


def _dealt(length: int, size: int, number: int, rng: random.Random) -> list[list[int]]:
    """Deal the items like shuffled cards: each once before any comes again."""
    waiting: list[int] = []
    drawn = []
    for _ in range(number):
        one: list[int] = []
        if len(waiting) < size:
            # The last ones of a round are dealt first; the others of the set are new in the next round.
            one, waiting = waiting, rng.sample(range(length), length)
            in_set = set(one)
            others = [item for item in waiting if item not in in_set][: size - len(one)]
            taken = set(others)
            one, waiting = [*one, *others], [item for item in waiting if item not in taken]
        else:
            one, waiting = waiting[:size], waiting[size:]
        drawn.append(one)
    return drawn
