"""The positions of checks in a rater's sequence, by a seeded rule that always gives the same ones."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message


@dataclass(frozen=True)
class FixedInterval:
    """A check about every so many items, moved by up to `jitter` items; for open-ended sequences."""

    items: int
    jitter: int = 0


@dataclass(frozen=True)
class EvenlyWithin:
    """All checks within a sequence of so many items, one in each equal part of it; for batches.

    No check comes after the last item if there is a position before it: a batch is complete when its
    last item is answered.
    """

    items: int


@dataclass(frozen=True)
class PlacedCheck:
    """A check that comes once `after` items are answered, before the next one."""

    after: int
    check: str


def refuse_adjacent_checks(rule: FixedInterval) -> None:
    """Refuse a rule by which two checks could follow each other (`no_room_for_checks`)."""
    if rule.items < 1 or not 0 <= 2 * rule.jitter < rule.items:
        most = max(0, (rule.items - 1) // 2)
        raise InvalidContent(
            message(
                "Two checks could follow each other. With a check about every %(items)s items, the positions "
                "can vary by at most %(most)s.",
                items=rule.items,
                most=most,
            ),
            code="no_room_for_checks",
            fields={"check_jitter": message("Enter at most %(most)s.", most=most)},
        )


def place_checks(
    checks: Sequence[str], rule: FixedInterval | EvenlyWithin, *, seed: int, rater_seed: int
) -> tuple[PlacedCheck, ...]:
    """The positions of the checks in one rater's sequence: never first, never two in a row.

    The same arguments give the same places. A check that is to come twice is listed twice.

    Raises
    ------
    InvalidContent
        `no_room_for_checks`: the jitter lets two checks meet, or there are more checks than items.
    """
    rng = random.Random(f"{seed}/{rater_seed}/checks")
    order = list(checks)
    rng.shuffle(order)
    if isinstance(rule, FixedInterval):
        refuse_adjacent_checks(rule)
        positions = [
            rule.items * number + rng.randint(-rule.jitter, rule.jitter)
            for number in range(1, len(order) + 1)
        ]
    else:
        if len(order) > rule.items:
            raise InvalidContent(
                message(
                    "%(checks)s checks do not fit between %(items)s items. Remove some checks.",
                    checks=len(order),
                    items=rule.items,
                ),
                code="no_room_for_checks",
            )
        gaps = max(len(order), rule.items - 1)
        edges = [number * gaps // max(1, len(order)) for number in range(len(order) + 1)]
        positions = [rng.randint(edges[number] + 1, edges[number + 1]) for number in range(len(order))]
    return tuple(PlacedCheck(position, check) for position, check in zip(positions, order, strict=True))


def find_due_check(
    planted: Sequence[PlacedCheck], *, items_answered: int, checks_answered: int, last_was_check: bool
) -> PlacedCheck | None:
    """The check that comes now, if one does.

    There is no check right after a check, even if one is overdue.
    """
    if last_was_check or checks_answered >= len(planted):
        return None
    next_one = planted[checks_answered]
    return next_one if next_one.after <= items_answered else None


def item_to_repeat(
    rated: Sequence[str], repeated: Collection[str], *, distance: int, seed: int, rater_seed: int
) -> str | None:
    """An earlier item to be shown once more; None where all are too recent.

    Parameters
    ----------
    rated : sequence of str
        The items this rater has rated, first to last.
    repeated : collection of str
        Those repeated already.
    distance : int
        Number of other items that must lie between.
    seed, rater_seed : int
        The study's seed and the rater's.
    """
    eligible = [key for key in rated[: max(0, len(rated) - distance)] if key not in repeated]
    if not eligible:
        return None
    return random.Random(f"{seed}/{rater_seed}/repeat/{len(repeated)}").choice(eligible)
