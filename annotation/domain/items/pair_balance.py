"""A search by exchanges for sets in which pairs of items meet equally often."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

# Exchanges tried for each set, and at least and at most in all.
TRIED_PER_SET, FEWEST_TRIED, MOST_TRIED = 600, 3_000, 150_000
TRIED_AT_ONCE = 10
# Warmth of the first and of the last exchange: how readily one that makes the balance worse is accepted.
WARM, COLD = 1.0, 0.1


def balance(sets: list[list[int]], length: int, rng: random.Random) -> int:
    """Exchange items between sets in place until all pairs meet equally often, as far as the search finds it.

    Each item stays in as many sets, no set has an item twice, and no set occurs twice if the search
    finds others.

    Parameters
    ----------
    sets : list of list of int
        Items of each set, all different.
    length : int
        Number of items.
    rng : random.Random
        Of the search.

    Returns
    -------
    int
        By how much the sum of the squared numbers of meetings exceeds the least possible one; larger than
        any such sum if a set still occurs twice.
    """
    search = _Search(sets, length, rng)
    if len(sets) > 1:
        search.run()
    return search.distance()


class _Search:
    """Sets with two counts: how often items meet each other, and how often each set occurs."""

    def __init__(self, sets: list[list[int]], length: int, rng: random.Random) -> None:
        self.sets = sets
        self.rng = rng
        self.met: list[dict[int, int]] = [{} for _ in range(length)]
        for one in sets:
            for first, second in itertools.combinations(one, 2):
                self._count(first, second, 1)
        self.there = Counter(frozenset(one) for one in sets)
        self.in_all = sum(math.comb(len(one), 2) for one in sets)
        least, over = divmod(self.in_all, math.comb(length, 2))
        self.most = least + (over > 0)
        self.best = over * (least + 1) ** 2 + (math.comb(length, 2) - over) * least**2
        self.squares = sum(times**2 for row in self.met for times in row.values()) // 2

    def distance(self) -> int:
        twice = len(self.sets) - len(self.there)
        return self.squares - self.best + twice * (self.in_all**2 + 1)

    def run(self) -> None:
        """Try exchanges of items of uneven sets; worse ones are accepted ever more rarely."""
        tries = min(max(TRIED_PER_SET * len(self.sets), FEWEST_TRIED), MOST_TRIED)
        done = 0
        while done < tries and self.distance():
            warmth = WARM * (COLD / WARM) ** (done / tries)
            uneven = self._uneven() or range(len(self.sets))
            for place in uneven:
                for _ in range(TRIED_AT_ONCE):
                    self._try(place, warmth)
            done += len(uneven) * TRIED_AT_ONCE

    def _uneven(self) -> list[int]:
        """Sets that occur twice or have a pair that meets too often."""
        return [place for place, one in enumerate(self.sets) if self._is_uneven(one)]

    def _is_uneven(self, one: list[int]) -> bool:
        met, most = self.met, self.most
        too_often = any(met[first][second] > most for first, second in itertools.combinations(one, 2))
        return too_often or self.there[frozenset(one)] > 1

    def _try(self, place: int, warmth: float) -> None:
        """Exchange an item of a set with one of another, unless that is much worse."""
        one, other = self.sets[place], self.rng.choice(self.sets)
        here, there = int(self.rng.random() * len(one)), int(self.rng.random() * len(other))
        leaves, comes = one[here], other[there]
        if leaves in other or comes in one:
            return
        friends = [item for item in one if item != leaves and item not in other]
        others = [item for item in other if item != comes and item not in one]
        worse = self._added(comes, leaves, friends) + self._added(leaves, comes, others)
        old = frozenset(one), frozenset(other)
        is_twice = self.there[old[0]] > 1 or self.there[old[1]] > 1
        if worse > 0 and not is_twice and self.rng.random() >= math.exp(-worse / warmth):
            return
        new = old[0] - {leaves} | {comes}, old[1] - {comes} | {leaves}
        if self.there[new[0]] or self.there[new[1]]:
            return
        one[here], other[there] = comes, leaves
        self.there.update(new)
        for gone in old:
            self.there[gone] -= 1
            if not self.there[gone]:
                del self.there[gone]
        self.squares += worse
        for friend in friends:
            self._count(leaves, friend, -1)
            self._count(comes, friend, 1)
        for friend in others:
            self._count(comes, friend, -1)
            self._count(leaves, friend, 1)

    def _added(self, comes: int, leaves: int, friends: list[int]) -> int:
        """The increase of the sum of squares if one item replaces another among these."""
        new, old = self.met[comes], self.met[leaves]
        return 2 * sum(new.get(friend, 0) - old[friend] + 1 for friend in friends)

    def _count(self, first: int, second: int, times: int) -> None:
        self.met[first][second] = self.met[first].get(second, 0) + times
        self.met[second][first] = self.met[second].get(first, 0) + times
