"""Open seats that nobody present may take: everybody has rated the item, or has reached the most."""

from __future__ import annotations

import math
import operator
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from annotation.domain.base.states import DesignKind, Purpose, RaterState, SeatState, StudyState
from annotation.domain.seats.stages import StagePeople
from annotation.models import Assignment, Exclusion, Rater, RaterKind, Seat, Study
from annotation.selectors.seats.stage_people import counterparts, is_others_stage
from annotation.selectors.seats.stages import feeds_of

GONE = (RaterState.INVITED, RaterState.FAILED, RaterState.WITHDRAWN)
IN_BATCHES = {DesignKind.BATCHES, DesignKind.ALL}
AT_WORK = ~Q(rater__state=RaterState.FINISHED)

# Form, item and batch of a seat.
Place = tuple[int, int, int | None]


@dataclass(frozen=True)
class Stranded:
    """Open seats that nobody present may take.

    `by_return` of them could go to raters who are done, or have reached the most they are given. If none of
    those comes back, at least `raters` new ones are needed, with the most for one rater as it is.
    """

    seats: int
    by_return: int
    raters: int


@dataclass(frozen=True)
class _Number:
    """Of raters: of those at work, up to the most they are given; and of all who have not left."""

    now: int = 0
    ever: int = 0

    def __add__(self, other: _Number) -> _Number:
        return _Number(self.now + other.now, self.ever + other.ever)

    def __sub__(self, other: _Number) -> _Number:
        return _Number(self.now - other.now, self.ever - other.ever)


@dataclass(frozen=True)
class _Given:
    """How many raters were given an item, and how many of them may still take a seat of it."""

    raters: _Number = _Number()
    waiting: _Number = _Number()


Full = Mapping[int, Sequence[int]]
# How many seats of a form those at work may take besides the ones they have.
Room = Mapping[int, float]
Fresh = Callable[[Place, _Given], _Number]


def stranded_seats(study: Study) -> Stranded | None:
    """The open rating slots that no active rater may take, in a fixed number of queries.

    A rater may take a slot of an item that they were not given, or were given and have neither
    answered nor reserved. Active are those who have agreed, and have not finished, left or been excluded.
    None where the study is neither open nor paused.
    """
    if study.state not in {StudyState.OPEN, StudyState.PAUSED} or study.source:
        return None
    people = _people(study)
    fresh, full, room = (_by_batch if study.design in IN_BATCHES else _by_form)(study, people)
    if study.design not in IN_BATCHES and _raters_abound(study, people, fresh, room):
        return Stranded(0, 0, 0)
    given = _given_items(people, full)
    elsewhere = _given_in_other_stages(study, people, full)
    lacking = []
    for place, n in _open_seats(study).items():
        found = given.get(place[:2], _Given())
        may_take = fresh(place, found) + found.waiting - elsewhere.get(place[:2], _Number())
        lacking.append(_Lacking(place, n, found.waiting, may_take))
    now = sum(_beyond_room(lacking, room).values())
    return Stranded(
        seats=now,
        by_return=max(0, now - sum(one.ever for one in lacking)),
        raters=max([_newcomers(study, lacking, room), *(one.now for one in lacking)]) if now else 0,
    )


@dataclass(frozen=True)
class _Lacking:
    """Open seats of a place, and who may take one of them."""

    place: Place
    seats: int
    waiting: _Number
    may_take: _Number

    @property
    def now(self) -> int:
        return max(0, self.seats - self.may_take.now)

    @property
    def ever(self) -> int:
        return max(0, self.seats - self.may_take.ever)


def _beyond_room(lacking: Sequence[_Lacking], room: Room) -> dict[int, int]:
    """By form, the seats that nobody at work may take: none is left for the item, or they have too much."""
    found: dict[int, int] = {}
    for form, of_form in _by_form_of(lacking).items():
        fitting = sum(one.seats - one.now for one in of_form)
        waiting = sum(min(one.seats, one.waiting.now) for one in of_form)
        seats = sum(one.seats for one in of_form)
        found[form] = seats - int(min(fitting, room.get(form, math.inf) + waiting))
    return found


def _newcomers(study: Study, lacking: Sequence[_Lacking], room: Room) -> int:
    """The fewest who can take the seats if each takes the most: of all forms, or in panels of one."""
    if study.design in IN_BATCHES:
        of_batch: dict[int | None, int] = {}
        for one in lacking:
            of_batch[one.place[2]] = max(one.now, of_batch.get(one.place[2], 0))
        return math.ceil(sum(of_batch.values()) / study.batches_per_rater) if study.batches_per_rater else 0
    caps = {form.pk: form.per_rater for form in study.forms.all()}
    beyond = _beyond_room(lacking, room)
    each = [math.ceil(n / most) for form, n in beyond.items() if (most := caps.get(form))]
    return sum(each) if study.design == DesignKind.PANELS else max(each, default=0)


def _by_form_of(lacking: Sequence[_Lacking]) -> dict[int, list[_Lacking]]:
    found: dict[int, list[_Lacking]] = defaultdict(list)
    for one in lacking:
        found[one.place[0]].append(one)
    return found


def _people(study: Study) -> list[Rater]:
    """Raters who have agreed, and have neither left nor been excluded."""
    excluded = Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)
    people = study.raters.filter(~Exists(excluded), kind=RaterKind.PERSON).exclude(state__in=GONE)
    return list(people.only("study", "state", "extra", "panel"))


def _open_seats(study: Study) -> dict[Place, int]:
    """Free seats, and those whose holder has let them run out."""
    seats = Seat.objects.filter(_is_open(), form__study=study).order_by()
    counted = seats.values_list("form", "item", "batch").annotate(n=Count("pk"))
    return {(form, item, batch): n for form, item, batch, n in counted}


def _by_form(study: Study, people: Sequence[Rater]) -> tuple[Fresh, Full, Room]:
    """Who was not given an item yet, where items are handed out one by one; who has all of a form."""
    counts = _given(people).values_list("rater", "form").annotate(n=Count("pk"))
    given = {(rater, form): n for rater, form, n in counts}
    members: dict[int, _Number] = {}
    full: dict[int, list[int]] = {}
    room: dict[int, float] = {}
    begun: dict[int, set[int]] = defaultdict(set)
    for rater, form_id in given:
        begun[rater].add(form_id)
    for form in study.forms.all():
        own = [
            one
            for one in people
            if (study.design != DesignKind.PANELS or one.panel_id == form.pk)
            and not is_others_stage(study, form.pk, begun[one.pk])
        ]
        most = form.per_rater
        full[form.pk] = [
            one.pk for one in own if most is not None and given.get((one.pk, form.pk), 0) >= most + one.extra
        ]
        able = [one for one in _at_work(own) if one.pk not in set(full[form.pk])]
        members[form.pk] = _Number(len(able), len(own))
        if most is not None:
            room[form.pk] = sum(most + one.extra - given.get((one.pk, form.pk), 0) for one in able)
    return lambda place, found: members[place[0]] - found.raters, full, room


def _by_batch(study: Study, people: Sequence[Rater]) -> tuple[Fresh, Full, Room]:
    """Who has not had a batch yet, where a batch is taken as a whole, once."""
    taken: dict[int, set[int]] = defaultdict(set)
    rows = _given(people).exclude(seat__batch=None).values_list("rater", "seat__batch").distinct()
    for rater, batch in rows:
        taken[rater].add(batch)
    most = study.batches_per_rater
    able = [one for one in _at_work(people) if most is None or len(taken[one.pk]) < most + one.extra]
    everybody = _Number(len(able), len(people))
    had_now = Counter(batch for one in able for batch in taken[one.pk])
    had_ever = Counter(batch for one in people for batch in taken[one.pk])

    def fresh(place: Place, _: _Given) -> _Number:
        batch = place[2]
        return _Number() if batch is None else everybody - _Number(had_now[batch], had_ever[batch])

    return fresh, {}, {}


def _raters_abound(study: Study, people: Sequence[Rater], fresh: Fresh, room: Room) -> bool:
    """Whether even the item given most often has as many raters left as any item had seats, all with room.

    With a large study and more than a handful of raters it is so, and nothing has to be counted item
    by item.
    """
    if any(feed.people == StagePeople.OTHERS_FOR_ITEM for feed in feeds_of(study)):
        return False
    per_item = _given(people).values("form", "item").annotate(n=Count("pk")).aggregate(most=Max("n"))
    given = _Given(_Number(*[per_item["most"] or 0] * 2))
    slots = Seat.objects.filter(form__study=study).values_list("form").order_by()
    counted = slots.annotate(most=Max("slot"), open=Count("pk", filter=_is_open()))
    return all(
        fresh((form, 0, None), given).now >= slot and room.get(form, math.inf) >= n
        for form, slot, n in counted
    )


def _is_open() -> Q:
    return Q(state=SeatState.FREE) | Q(state=SeatState.RESERVED, until__lt=timezone.now())


def _at_work(people: Sequence[Rater]) -> list[Rater]:
    return [one for one in people if one.state != RaterState.FINISHED]


def _given(people: Sequence[Rater]) -> QuerySet[Assignment]:
    return Assignment.objects.filter(rater__in=people, purpose=Purpose.MAIN).order_by()


def _given_in_other_stages(
    study: Study, people: Sequence[Rater], full: Full
) -> dict[tuple[int, int], _Number]:
    """By form and item, who rated the item in a stage from which this form wants other raters."""
    found = {}
    for form, raters in full.items():
        others = counterparts(study, form, StagePeople.OTHERS_FOR_ITEM)
        if others:
            rows = _given(people).filter(form__in=others).values_list("item")
            able = AT_WORK & ~Q(rater__in=raters)
            now = Count("rater", distinct=True, filter=able)
            for item, n_now, n_ever in rows.annotate(now=now, ever=Count("rater", distinct=True)):
                found[form, item] = _Number(n_now, n_ever)
    return found


def _given_items(people: Sequence[Rater], full: Full) -> dict[tuple[int, int], _Given]:
    """How many were given each item; `now` without those who are full."""
    left_out = [Q(form=form, rater__in=raters) for form, raters in full.items() if raters]
    able = AT_WORK & ~reduce(operator.or_, left_out) if left_out else AT_WORK
    unanswered = Q(submitted_at__isnull=True)
    holding = unanswered & Q(
        seat__rater=F("rater"), seat__state=SeatState.RESERVED, seat__until__gte=timezone.now()
    )
    rows = (
        _given(people)
        .values_list("form", "item")
        .annotate(
            now=Count("pk", filter=able),
            ever=Count("pk"),
            open_now=Count("pk", filter=unanswered & AT_WORK),
            open_ever=Count("pk", filter=unanswered),
            held_now=Count("pk", filter=holding & AT_WORK),
            held_ever=Count("pk", filter=holding),
        )
    )
    return {
        (form, item): _Given(_Number(now, ever), _Number(open_now, open_ever) - _Number(held_now, held_ever))
        for form, item, now, ever, open_now, open_ever, held_now, held_ever in rows
    }
