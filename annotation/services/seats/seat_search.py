"""Choice of a rating slot: one of the least-served items by the rater's own random order, locked."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from django.db.models import BigIntegerField, CharField, DateTimeField, QuerySet
from django.utils import timezone

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.orders import GroupPlacement
from annotation.domain.base.states import Purpose
from annotation.models import Form, Rater, Seat
from annotation.selectors.base.prepared_queries import Compiled
from annotation.selectors.seats.stages import has_others_for_item
from annotation.selectors.seats.unseen_seats import unseen
from annotation.services.seats.reservations import expired_seats, free_seats, lock_seats

MOST_TRIES = 50
SHUFFLES = 2**31

Group = Literal["any", "same", "other"]
PLACEHOLDERS: dict[str, Any] = {
    "form": BigIntegerField(),
    "rater": BigIntegerField(),
    "now": DateTimeField(),
    "group": CharField(),
    "slot": BigIntegerField(),
    "start": BigIntegerField(),
}


def choose_seat(rater: Rater, form: Form, given: int) -> Seat | None:
    """A locked slot with its item: least-served items first, expired slots after free ones.

    Parameters
    ----------
    rater, form
        The caller's transaction holds the rater's row, with the study.
    given : int
        Number of items assigned to the rater by this form; ties are drawn again for each.

    Raises
    ------
    NotAllowedNow
        `busy`: others take every slot that this call finds.
    """
    start = random.Random(f"{rater.study.seed}/{rater.seed}/{form.key}/{given}").randrange(SHUFFLES)
    values = {"form": form.pk, "rater": rater.pk, "now": timezone.now(), "start": start}
    groups, values["group"] = _groups(rater, form)
    separate_people = has_others_for_item(rater.study, form.pk)
    for run_out in (False, True):
        for group in groups:
            seat = _least_served(_search(run_out, group, separate_people=separate_people), values)
            if seat is not None:
                return seat
    return None


@dataclass(frozen=True)
class _Search:
    """Prepared queries of a search among candidates of one kind."""

    lowest_slot: Compiled[tuple[int]]
    onwards: Compiled[Seat]
    from_the_start: Compiled[Seat]
    not_held: Compiled[Seat]
    waiting: Compiled[Seat]


@cache
def _search(run_out: bool, group: Group, *, separate_people: bool) -> _Search:
    def among(**places: Any) -> QuerySet[Seat]:
        form = places["form"]
        seats = expired_seats(form, places["now"]) if run_out else free_seats(form)
        candidates = unseen(places["rater"], form, seats, separate_people=separate_people)
        if group == "any":
            return candidates
        same = {"item__group": places["group"]}
        return candidates.filter(**same) if group == "same" else candidates.exclude(**same)

    def locked(seats: QuerySet[Seat], *, skip_locked: bool = True) -> QuerySet[Seat]:
        return lock_seats(seats.select_related("item"), skip_locked=skip_locked)[:1]

    def of_slot(**places: Any) -> QuerySet[Seat]:
        return among(**places).filter(slot=places["slot"]).order_by("shuffle", "pk")

    def in_order(**places: Any) -> QuerySet[Seat]:
        return among(**places).order_by("slot", "shuffle", "pk")

    def compiled(build: Any) -> Compiled[Any]:
        return Compiled(build, **PLACEHOLDERS)

    return _Search(
        lowest_slot=compiled(lambda **p: among(**p).order_by("slot").values_list("slot")[:1]),
        onwards=compiled(lambda **p: locked(of_slot(**p).filter(shuffle__gte=p["start"]))),
        from_the_start=compiled(lambda **p: locked(of_slot(**p))),
        not_held=compiled(lambda **p: locked(in_order(**p))),
        waiting=compiled(lambda **p: locked(in_order(**p), skip_locked=False)),
    )


def _groups(rater: Rater, form: Form) -> tuple[tuple[Group, ...], str]:
    """Groups in the order of the search: that of the previous item, or any other one."""
    if rater.study.keep_groups == GroupPlacement.FREE:
        return ("any",), ""
    last = rater.assignments.filter(form=form, purpose=Purpose.MAIN).order_by("-position").first()
    if last is None or not last.item.group:
        return ("any",), ""
    return ("same" if rater.study.keep_groups == GroupPlacement.TOGETHER else "other", "any"), last.item.group


def _least_served(search: _Search, values: dict[str, Any]) -> Seat | None:
    """A seat of the lowest slot, from a place in the slot's shuffled circle onwards, locked."""
    lowest = search.lowest_slot.first(**values)
    if lowest is None:
        return None
    of_slot = values | {"slot": lowest[0]}
    seat = search.onwards.first(**of_slot) or search.from_the_start.first(**of_slot)
    return seat or _first_locked(search, values)


def _first_locked(search: _Search, values: dict[str, Any]) -> Seat | None:
    """Lock one candidate: first one that is not locked, else wait for a locked one."""
    seat = search.not_held.first(**values)
    tries = 0
    while seat is None and search.lowest_slot.first(**values) is not None:
        if tries == MOST_TRIES:
            raise NotAllowedNow(message("The server is busy. Try again in a moment."), code="busy")
        seat = search.waiting.first(**values)
        tries += 1
    return seat
