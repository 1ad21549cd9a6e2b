"""How many items still have a free seat."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.cache import caches

from annotation.domain.base.states import IN_BATCHES, Purpose, SeatState
from annotation.domain.seats.stages import StagePeople
from annotation.models import Assignment, Form, Rater, Seat, Study
from annotation.selectors.seats.pairing.counts import pairing_of
from annotation.selectors.seats.pairing.waiting import pairs_for_new_rater
from annotation.selectors.seats.stage_waiting import more_for_new_rater
from annotation.selectors.seats.stages import counterparts, feeds_of, is_others_stage

MANY = 10_000
SECONDS = 10


def items_for_new_rater(study: Study, panel: Form | None) -> int:
    """Items that a new rater can expect, in a panel where there are any, by the people of each stage."""
    return sum(_rooms(study, _forms(study, panel)).values())


def items_for_present_rater(rater: Rater) -> int:
    """Items that a current rater can still expect, such as items that were added later.

    None in batches, stages and adaptive pairs, where what follows depends on more than free slots.
    """
    study = rater.study
    if study.design in IN_BATCHES or feeds_of(study):
        return 0
    forms = _forms(study, rater.panel)
    return sum(_more_of(rater, form) for form in forms if pairing_of(study, form.pk) is None)


def _more_of(rater: Rater, form: Form) -> int:
    given = Assignment.objects.filter(rater=rater, form=form, purpose=Purpose.MAIN)
    free = Seat.objects.filter(form=form, state=SeatState.FREE).exclude(item__in=given.values("item"))
    items = free.values("item").distinct()
    if form.per_rater is None:
        return items.count()
    return items[: max(0, form.per_rater + rater.extra - given.count())].count()


def more_may_follow(study: Study, panel: Form | None) -> bool:
    """Whether a new rater may be given more than that, as items come to the next stage."""
    if not feeds_of(study):
        return False
    forms = _forms(study, panel)
    begun = [form for form, room in _rooms(study, forms).items() if room]
    return more_for_new_rater(study, forms, given=begun)


def _forms(study: Study, panel: Form | None) -> list[Form]:
    return list(study.forms.order_by("position", "pk")) if panel is None else [panel]


def _rooms(study: Study, forms: Sequence[Form]) -> dict[int, int]:
    """By form, the number of items that a new rater would get who starts with the first form."""
    rooms: dict[int, int] = {}
    for form in forms:
        if not is_others_stage(study, form.pk, [pk for pk, room in rooms.items() if room]):
            # Raters of an item in one stage do not get it in another.
            before = counterparts(study, form.pk, StagePeople.OTHERS_FOR_ITEM) & rooms.keys()
            rooms[form.pk] = _counted(form, before) if before else items_with_free_slots(form)
    return rooms


def items_with_free_slots(form: Form) -> int:
    """Items with a free rating slot, up to the limit per rater; of adaptive pairs those that may come too.

    With more than `MANY` items, the number may be up to `SECONDS` old: counting takes longer than all the
    rest of joining, and raters see it as an expectation, not as a promise.
    """
    pairing = pairing_of(form.study, form.pk)
    if pairing is not None:
        return pairs_for_new_rater(pairing)
    if form.per_rater is not None or not Seat.objects.filter(form=form, slot=1)[MANY:].exists():
        return _counted(form, set())
    return int(caches["fragments"].get_or_set(f"room-{form.pk}", lambda: _counted(form, set()), SECONDS) or 0)


def _counted(form: Form, but_not_of: set[int]) -> int:
    """Count items with a free slot, without those that have a free slot of the forms `but_not_of`."""
    free = Seat.objects.filter(state=SeatState.FREE)
    items = free.filter(form=form).values("item").distinct()
    if but_not_of:
        items = items.exclude(item__in=free.filter(form__in=but_not_of).values("item"))
    return items.count() if form.per_rater is None else items[: form.per_rater].count()
