"""Open rating slots that no active rater may take: all have rated the item, or have reached their limit."""

from __future__ import annotations

import math
import operator
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from annotation.domain.base.states import IN_BATCHES, DesignKind, Purpose, RaterState, SeatState, StudyState
from annotation.domain.seats.stages import StagePeople
from annotation.models import Assignment, Exclusion, Form, Rater, RaterKind, Seat, Study
from annotation.selectors.seats.stages import counterparts, feeds_of, is_others_stage

NOT_PARTICIPATING = (RaterState.INVITED, RaterState.FAILED, RaterState.WITHDRAWN)
AT_WORK = ~Q(rater__state=RaterState.FINISHED)

# Form, item and batch of a seat.
SeatPosition = tuple[int, int, int | None]


@dataclass(frozen=True)
class UnfillableSeats:
    """Open rating slots that no active rater may take.

    `by_return` of them could go to raters who have finished or reached their limit. If none of those returns,
    at least `raters` new ones are needed under the present limit per rater. `anybody` is false if no rater
    takes part, not even one who has finished.
    """

    seats: int
    by_return: int
    raters: int
    anybody: bool = True


@dataclass(frozen=True)
class _RaterCounts:
    """Numbers of raters: active ones below their limit, and all who have not left."""

    active: int = 0
    remaining: int = 0

    def __add__(self, other: _RaterCounts) -> _RaterCounts:
        return _RaterCounts(self.active + other.active, self.remaining + other.remaining)

    def __sub__(self, other: _RaterCounts) -> _RaterCounts:
        return _RaterCounts(self.active - other.active, self.remaining - other.remaining)


@dataclass(frozen=True)
class _ItemRaters:
    """How many raters were given an item, and how many of them may still take a seat of it."""

    assigned: _RaterCounts = _RaterCounts()
    waiting: _RaterCounts = _RaterCounts()


# By form, the raters who have reached the limit.
RatersAtLimit = Mapping[int, Sequence[int]]
# By form, how many more seats the active raters may take.
RemainingCapacity = Mapping[int, float]
CountEligible = Callable[[SeatPosition, _ItemRaters], _RaterCounts]


def find_unfillable_seats(study: Study) -> UnfillableSeats | None:
    """The open rating slots that no active rater may take, in a fixed number of queries.

    A rater may take a slot of an item that they were not given, or were given and have neither
    answered nor reserved. Active are those who have agreed, and have not finished, left or been excluded.
    None where the study is neither open nor paused.
    """
    if study.state not in {StudyState.OPEN, StudyState.PAUSED} or study.source:
        return None
    people = _people(study)
    find_eligible = _eligible_by_batch if study.design in IN_BATCHES else _eligible_by_form
    count_eligible, at_limit, capacity = find_eligible(study, people)
    if study.design not in IN_BATCHES and _has_enough_raters(study, count_eligible, capacity):
        return UnfillableSeats(0, 0, 0)
    given = _count_item_raters(people, at_limit)
    elsewhere = _count_raters_of_other_stages(study, people, at_limit)
    shortages = []
    for place, n in _open_seats(study).items():
        found = given.get(place[:2], _ItemRaters())
        may_take = count_eligible(place, found) + found.waiting - elsewhere.get(place[:2], _RaterCounts())
        shortages.append(_Shortage(place, n, found.waiting, may_take))
    seats = sum(_seats_beyond_capacity(shortages, capacity).values())
    if not seats:
        return UnfillableSeats(0, 0, 0)
    fewest = _fewest_new_raters(study, shortages, capacity)
    return UnfillableSeats(
        seats=seats,
        by_return=max(0, seats - sum(one.never_fillable for one in shortages)),
        raters=max([fewest, *(one.unfillable for one in shortages)]),
        anybody=bool(people),
    )


@dataclass(frozen=True)
class _Shortage:
    """Open seats of a place, and who may take one of them."""

    place: SeatPosition
    seats: int
    waiting: _RaterCounts
    may_take: _RaterCounts

    @property
    def unfillable(self) -> int:
        return max(0, self.seats - self.may_take.active)

    @property
    def never_fillable(self) -> int:
        return max(0, self.seats - self.may_take.remaining)


def _seats_beyond_capacity(shortages: Sequence[_Shortage], capacity: RemainingCapacity) -> dict[int, int]:
    """By form, the seats that no active rater may take, because of the item or of the limit per rater."""
    found: dict[int, int] = {}
    for form, of_form in _group_by_form(shortages).items():
        fitting = sum(one.seats - one.unfillable for one in of_form)
        waiting = sum(min(one.seats, one.waiting.active) for one in of_form)
        seats = sum(one.seats for one in of_form)
        found[form] = seats - int(min(fitting, capacity.get(form, math.inf) + waiting))
    return found


def _fewest_new_raters(study: Study, shortages: Sequence[_Shortage], capacity: RemainingCapacity) -> int:
    """The fewest new raters who can fill the seats, up to the limit: of all forms, or in panels of one."""
    if study.design in IN_BATCHES:
        of_batch: dict[int | None, int] = {}
        for one in shortages:
            of_batch[one.place[2]] = max(one.unfillable, of_batch.get(one.place[2], 0))
        return math.ceil(sum(of_batch.values()) / study.batches_per_rater) if study.batches_per_rater else 0
    caps = {form.pk: form.per_rater for form in study.forms.all()}
    beyond = _seats_beyond_capacity(shortages, capacity)
    each = [math.ceil(n / most) for form, n in beyond.items() if (most := caps.get(form))]
    return sum(each) if study.design == DesignKind.PANELS else max(each, default=0)


def _group_by_form(shortages: Sequence[_Shortage]) -> dict[int, list[_Shortage]]:
    found: dict[int, list[_Shortage]] = defaultdict(list)
    for one in shortages:
        found[one.place[0]].append(one)
    return found


def _people(study: Study) -> list[Rater]:
    """Raters who have agreed, and have neither left nor been excluded."""
    excluded = Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)
    people = study.raters.filter(~Exists(excluded), kind=RaterKind.PERSON).exclude(
        state__in=NOT_PARTICIPATING
    )
    return list(people.only("study", "state", "extra", "panel"))


def _open_seats(study: Study) -> dict[SeatPosition, int]:
    """Free slots and those with an expired reservation, without those of excluded items."""
    excluded = Exclusion.objects.filter(study=study, item__isnull=False, lift__isnull=True)
    seats = Seat.objects.filter(_is_open(), form__study=study).order_by()
    seats = seats.exclude(item__in=excluded.values("item"))
    counted = seats.values_list("form", "item", "batch").annotate(n=Count("pk"))
    return {(form, item, batch): n for form, item, batch, n in counted}


def _eligible_by_form(
    study: Study, people: Sequence[Rater]
) -> tuple[CountEligible, RatersAtLimit, RemainingCapacity]:
    """Who may still be given an item, where items are assigned one by one; who has reached the limit."""
    forms = list(study.forms.all())
    given = _count_given(study, people, forms)
    members: dict[int, _RaterCounts] = {}
    at_limit: dict[int, list[int]] = {}
    capacity: dict[int, float] = {}
    begun: dict[int, set[int]] = defaultdict(set)
    for rater, form_id in given:
        begun[rater].add(form_id)
    for form in forms:
        own = [
            one
            for one in people
            if (study.design != DesignKind.PANELS or one.panel_id == form.pk)
            and not is_others_stage(study, form.pk, begun[one.pk])
        ]
        most = form.per_rater
        at_limit[form.pk] = [
            one.pk for one in own if most is not None and given.get((one.pk, form.pk), 0) >= most + one.extra
        ]
        able = [one for one in _at_work(own) if one.pk not in set(at_limit[form.pk])]
        members[form.pk] = _RaterCounts(len(able), len(own))
        if most is not None:
            capacity[form.pk] = sum(most + one.extra - given.get((one.pk, form.pk), 0) for one in able)
    return lambda place, found: members[place[0]] - found.assigned, at_limit, capacity


def _count_given(study: Study, people: Sequence[Rater], forms: Sequence[Form]) -> dict[tuple[int, int], int]:
    """How much each rater was given of each form; nothing where neither limits nor stages depend on it."""
    if not feeds_of(study) and all(form.per_rater is None for form in forms):
        return {}
    counts = _main_assignments(people).values_list("rater", "form").annotate(n=Count("pk"))
    return {(rater, form): n for rater, form, n in counts}


def _eligible_by_batch(
    study: Study, people: Sequence[Rater]
) -> tuple[CountEligible, RatersAtLimit, RemainingCapacity]:
    """Who may still be given a batch, where a rater gets each batch once, as a whole."""
    taken: dict[int, set[int]] = defaultdict(set)
    rows = _main_assignments(people).exclude(seat__batch=None).values_list("rater", "seat__batch").distinct()
    for rater, batch in rows:
        taken[rater].add(batch)
    most = study.batches_per_rater
    able = [one for one in _at_work(people) if most is None or len(taken[one.pk]) < most + one.extra]
    everybody = _RaterCounts(len(able), len(people))
    had_active = Counter(batch for one in able for batch in taken[one.pk])
    had_remaining = Counter(batch for one in people for batch in taken[one.pk])

    def count_eligible(place: SeatPosition, _: _ItemRaters) -> _RaterCounts:
        batch = place[2]
        return (
            _RaterCounts()
            if batch is None
            else everybody - _RaterCounts(had_active[batch], had_remaining[batch])
        )

    return count_eligible, {}, {}


def _has_enough_raters(study: Study, count_eligible: CountEligible, capacity: RemainingCapacity) -> bool:
    """Whether the item given most often has as many raters left as any item has seats, all below their limit.

    Only items with open seats matter. With a large study and more than a handful of raters it is so, and
    nothing has to be counted item by item.
    """
    if any(feed.people == StagePeople.OTHERS_FOR_ITEM for feed in feeds_of(study)):
        return False
    wanting = Seat.objects.filter(_is_open(), form__study=study).values("item")
    # Raters who have left are counted too, so the number is never too small.
    assigned = Assignment.objects.filter(item__in=wanting, purpose=Purpose.MAIN).order_by()
    per_item = assigned.values("form", "item").annotate(n=Count("pk")).aggregate(most=Max("n"))
    given = _ItemRaters(_RaterCounts(*[per_item["most"] or 0] * 2))
    # An item has no more open seats than the highest number of one.
    slots = Seat.objects.filter(_is_open(), form__study=study).values_list("form").order_by()
    counted = slots.annotate(most=Max("slot"), open=Count("pk"))
    return all(
        count_eligible((form, 0, None), given).active >= slot and capacity.get(form, math.inf) >= n
        for form, slot, n in counted
    )


def _is_open() -> Q:
    return Q(state=SeatState.FREE) | Q(state=SeatState.RESERVED, until__lt=timezone.now())


def _at_work(people: Sequence[Rater]) -> list[Rater]:
    return [one for one in people if one.state != RaterState.FINISHED]


def _main_assignments(people: Sequence[Rater]) -> QuerySet[Assignment]:
    return Assignment.objects.filter(rater__in=people, purpose=Purpose.MAIN).order_by()


def _count_raters_of_other_stages(
    study: Study, people: Sequence[Rater], at_limit: RatersAtLimit
) -> dict[tuple[int, int], _RaterCounts]:
    """By form and item, who rated the item in a stage from which this form wants other raters."""
    found = {}
    for form, raters in at_limit.items():
        others = counterparts(study, form, StagePeople.OTHERS_FOR_ITEM)
        if others:
            rows = _main_assignments(people).filter(form__in=others).values_list("item")
            able = AT_WORK & ~Q(rater__in=raters)
            active = Count("rater", distinct=True, filter=able)
            for item, n_active, n_remaining in rows.annotate(
                active=active, remaining=Count("rater", distinct=True)
            ):
                found[form, item] = _RaterCounts(n_active, n_remaining)
    return found


def _count_item_raters(
    people: Sequence[Rater], at_limit: RatersAtLimit
) -> dict[tuple[int, int], _ItemRaters]:
    """How many were given each item; `active` without those at their limit."""
    left_out = [Q(form=form, rater__in=raters) for form, raters in at_limit.items() if raters]
    able = AT_WORK & ~reduce(operator.or_, left_out) if left_out else AT_WORK
    unanswered = Q(submitted_at__isnull=True)
    holding = unanswered & Q(
        seat__rater=F("rater"), seat__state=SeatState.RESERVED, seat__until__gte=timezone.now()
    )
    rows = (
        _main_assignments(people)
        .values_list("form", "item")
        .annotate(
            active=Count("pk", filter=able),
            remaining=Count("pk"),
            open_active=Count("pk", filter=unanswered & AT_WORK),
            open_remaining=Count("pk", filter=unanswered),
            held_active=Count("pk", filter=holding & AT_WORK),
            held_remaining=Count("pk", filter=holding),
        )
    )
    return {
        (form, item): _ItemRaters(
            _RaterCounts(active, remaining),
            _RaterCounts(open_active, open_remaining) - _RaterCounts(held_active, held_remaining),
        )
        for form, item, active, remaining, open_active, open_remaining, held_active, held_remaining in rows
    }
