"""Items that raters have in common, and whether these connect all raters."""

from __future__ import annotations

import heapq
import random
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from annotation.domain.base.states import DesignKind
from annotation.domain.seats.batches import make_batches
from annotation.domain.seats.designs import Design, FormLoad, asked_forms, plan

Unit = TypeVar("Unit", bound=Hashable)
Page = tuple[int, str]


@dataclass(frozen=True)
class SharedItems:
    """How many items each two raters have in common; the diagonal is how many each has."""

    raters: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


@dataclass
class _Queue:
    """Raters who wait for work, those with the fewest items first."""

    names: Sequence[str]
    rng: random.Random
    most: int | None = None
    given: dict[str, int] = field(default_factory=dict)

    def deal(self, units: Iterable[Unit], overlap: int, cap: int | None) -> dict[str, list[Unit]]:
        """Deal each unit to a number of different raters; units that no rater may take stay undealt."""
        units = list(units)
        if overlap >= len(self.names) and cap is None and self.most is None:
            return {name: list(units) for name in self.names}
        got: dict[str, dict[Unit, None]] = {name: {} for name in self.names}
        heap = [(0, self.rng.random(), name) for name in self.names]
        heapq.heapify(heap)
        for _ in range(min(overlap, len(self.names))):
            self.rng.shuffle(units)
            for unit in units:
                self._give_unit(unit, got, heap, cap)
        return {name: list(own) for name, own in got.items()}

    def _give_unit(
        self,
        unit: Unit,
        got: Mapping[str, dict[Unit, None]],
        heap: list[tuple[int, float, str]],
        cap: int | None,
    ) -> None:
        passed_over = []
        while heap:
            count, tie, name = heapq.heappop(heap)
            if count == cap or self.given.get(name, 0) == self.most:
                continue
            if unit in got[name]:
                passed_over.append((count, tie, name))
                continue
            got[name][unit] = None
            self.given[name] = self.given.get(name, 0) + 1
            heapq.heappush(heap, (count + 1, self.rng.random(), name))
            break
        for waiting in passed_over:
            heapq.heappush(heap, waiting)


def assign_evenly(design: Design, *, seed: int, raters: int | None = None) -> dict[str, frozenset[Page]]:
    """Who would rate what, if all raters worked at the same pace.

    Where caps leave no slack, there may be no rater with capacity left for the last slots of an item; these
    stay empty here, as they might when the study is open. The pages of each rater are (position of the
    item, key of the form); panels' raters come under their names, others under numbers from 1. The number
    of raters and errors are those of `plan`.
    """
    people = plan(design, raters=raters).raters
    named = design.kind is DesignKind.PANELS
    names = [] if named else [str(number) for number in range(1, people + 1)]
    rng = random.Random(f"{seed}/sharing")
    forms = asked_forms(design)
    pages: dict[str, list[Page]] = {name: [] for name in names}
    if design.kind is DesignKind.BATCHES:
        queue = _Queue(names, rng, design.batches_per_rater)
        for stack, overlap in _stacked(design, forms, seed):
            for name, batches in queue.deal(stack, overlap, None).items():
                pages[name] += [page for batch in batches for page in batch]
        return {name: frozenset(own) for name, own in pages.items()}
    queue = _Queue(names, rng, design.per_rater)
    for form in forms:
        line = _Queue(form.panel, rng) if named else queue
        overlap = people if design.kind is DesignKind.ALL else form.overlap
        for name, items in line.deal(range(design.items), overlap, form.per_rater).items():
            pages.setdefault(name, []).extend((item, form.key) for item in items)
    return {name: frozenset(own) for name, own in pages.items()}


def shared_items(rated: Mapping[str, Collection[Hashable]]) -> SharedItems:
    """How many items each two raters have in common, of those that each rates or has rated."""
    bits: dict[Hashable, int] = {}
    masks = [_mask(own, bits) for own in rated.values()]
    counts = tuple(tuple((one & other).bit_count() for other in masks) for one in masks)
    return SharedItems(tuple(rated), counts)


def connected_parts(shared: SharedItems, *, least: int = 1) -> tuple[tuple[str, ...], ...]:
    """The raters in groups: within one, a chain of at least `least` common items links any two.

    Raters who rate nothing are in no group.
    """
    unvisited = {index for index in range(len(shared.raters)) if shared.counts[index][index]}
    parts = []
    while unvisited:
        edge = [min(unvisited)]
        part: set[int] = set()
        while edge:
            index = edge.pop()
            if index in unvisited:
                unvisited.remove(index)
                part.add(index)
                edge += [other for other in unvisited if shared.counts[index][other] >= least]
        parts.append(tuple(shared.raters[index] for index in sorted(part)))
    return tuple(parts)


def _stacked(
    design: Design, forms: Sequence[FormLoad], seed: int
) -> Iterable[tuple[Sequence[tuple[Page, ...]], int]]:
    size = design.batch_size or 1
    stacks = [forms] if design.mixed and forms else [[form] for form in forms]
    for stack in stacks:
        pages = [(item, form.key) for form in stack for item in range(design.items)]
        yield make_batches(pages, [""] * len(pages), size=size, seed=seed), stack[0].overlap


def _mask(units: Collection[Hashable], places: dict[Hashable, int]) -> int:
    """A rater's items as one number, a bit an item, so that two raters are compared in one step."""
    bits = [places.setdefault(unit, len(places)) for unit in units]
    octets = bytearray(len(places) // 8 + 1)
    for bit in bits:
        octets[bit // 8] |= 1 << bit % 8
    return int.from_bytes(octets, "little")
