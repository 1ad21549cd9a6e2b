"""Whether a rater could still get slots that are reserved for others: a reservation can expire."""

from __future__ import annotations

from django.db.models import Count, Exists, OuterRef, QuerySet

from annotation.domain.base.states import IN_BATCHES, Purpose, SeatState
from annotation.models import Assignment, Rater, Seat
from annotation.selectors.seats.rater_forms import forms_open_to
from annotation.selectors.seats.stages import has_others_for_item
from annotation.selectors.seats.unseen_seats import unseen


def others_hold_items(rater: Rater) -> bool:
    """Whether a slot without an answer, not the rater's own, may become theirs.

    It may be of an item that they were not given yet, within their limits, or of one that they were given and
    lost before they answered it.
    """
    unanswered = Seat.objects.filter(form__study=rater.study_id).exclude(state=SeatState.FILLED)
    others = unanswered.exclude(rater=rater)
    if _lost(rater, others).exists():
        return True
    if rater.study.design in IN_BATCHES:
        return _in_new_batches(rater, others)
    given = dict(_given(rater).values_list("form").annotate(Count("pk")).order_by())
    return any(
        unseen(
            rater, form, others.filter(form=form), separate_people=has_others_for_item(rater.study, form.pk)
        ).exists()
        for form in forms_open_to(rater)
        if form.per_rater is None or given.get(form.pk, 0) < form.per_rater + rater.extra
    )


def _given(rater: Rater) -> QuerySet[Assignment]:
    return Assignment.objects.filter(rater=rater, purpose=Purpose.MAIN)


def _lost(rater: Rater, others: QuerySet[Seat]) -> QuerySet[Assignment]:
    held = others.filter(form=OuterRef("form"), item=OuterRef("item"))
    return _given(rater).filter(Exists(held), submitted_at__isnull=True)


def _in_new_batches(rater: Rater, others: QuerySet[Seat]) -> bool:
    taken = set(_given(rater).exclude(seat=None).values_list("seat__batch", flat=True))
    most = rater.study.batches_per_rater
    if most is not None and len(taken) >= most + rater.extra:
        return False
    seen = _given(rater).filter(form=OuterRef("form"), item=OuterRef("item"))
    return others.exclude(batch=None).exclude(batch__in=taken - {None}).filter(~Exists(seen)).exists()
