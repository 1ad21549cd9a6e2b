"""A page of adaptive pairs that its rater leaves open holds up no round once its reservation has run out."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.domain.base.errors import NoSeatLeft
from annotation.domain.base.states import SeatState
from annotation.models import Assignment, Seat, Study
from annotation.services.rating.next_item import next_assignment
from tests.support.studies.pairs.adaptive_study import (
    adaptive_cast,
    prefer,
    prefer_until_nothing_is_left,
    rounds,
)
from tests.support.studies.staged_study import rater_of

pytestmark = pytest.mark.django_db


def abandoned(page: Assignment) -> Seat:
    """The slot of a page whose reservation has run out."""
    assert page.seat is not None
    Seat.objects.filter(pk=page.seat.pk).update(until=timezone.now() - timedelta(minutes=1))
    return Seat.objects.get(pk=page.seat.pk)


@pytest.fixture
def study() -> Study:
    return adaptive_cast(candidates=5, budget=40, per_round=1, per_item=2).study


def test_who_asks_gets_the_next_round_when_the_only_open_slot_was_left_by_another_rater(study: Study) -> None:
    rater = rater_of(study, "A")
    prefer_until_nothing_is_left(rater)
    n = len(rounds(study))
    left = next_assignment(rater=rater_of(study, "B"))
    with pytest.raises(NoSeatLeft, match="More may follow"):
        next_assignment(rater=rater)
    assert len(rounds(study)) == n
    slot = abandoned(left)
    prefer_until_nothing_is_left(rater)
    assert len(rounds(study)) > n
    # The slot stays for who comes back.
    slot.refresh_from_db()
    assert (slot.state, slot.rater) == (SeatState.RESERVED, left.rater)
    prefer(left)
    slot.refresh_from_db()
    assert slot.state == SeatState.FILLED


def test_a_saved_answer_adds_the_next_round_although_a_slot_has_run_out(study: Study) -> None:
    pages = [next_assignment(rater=rater_of(study, code)) for code in "ABCDE"]
    abandoned(pages[0])
    prefer(pages[1])
    assert [len(one.items) for one in rounds(study)] == [5, 1]


def test_slots_that_were_left_are_given_to_others_within_the_budget(study: Study) -> None:
    left = [next_assignment(rater=rater_of(study, code)) for code in "AB"]
    for page in left:
        abandoned(page)
    for code in "CDE":
        prefer_until_nothing_is_left(rater_of(study, code))
    slots = Seat.objects.filter(form__study=study)
    assert slots.count() == sum(len(one.items) for one in rounds(study)) <= 20
    assert set(slots.values_list("state", flat=True)) == {SeatState.FILLED.value}
