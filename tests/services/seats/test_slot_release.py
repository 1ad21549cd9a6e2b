"""Slots that a rater holds go to others when a member releases them, not before, and no answer is lost."""

from __future__ import annotations

import uuid

import pytest

from annotation.domain.base.errors import InvalidContent, ItemsReserved, NotAllowedNow
from annotation.domain.base.states import SeatState
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, AuditEntry, Rater, Response, Seat
from annotation.selectors.pay.paid_work import time_of_rater
from annotation.selectors.seats.reserved_slots import slot_holders
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.seats.slot_release import release_slots
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


def rate(page: Assignment) -> Response:
    submission = Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"})
    return submit(assignment=page, version=page.version, submission=submission).response


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=1, overlap=1)


def two_raters(cast: Cast) -> tuple[Assignment, Rater]:
    """One holds the only slot of the study, the other waits."""
    holder, waiting = (consent(invitation=cast.invitation) for _ in range(2))
    return next_assignment(rater=holder), waiting


def released(cast: Cast, *raters: Rater) -> int:
    codes = [rater.code for rater in raters]
    return release_slots(study=cast.study, codes=codes, actor=cast.users["admin"])


def test_a_held_slot_is_offered_to_no_one_until_it_is_released(cast: Cast) -> None:
    held, waiting = two_raters(cast)
    with pytest.raises(ItemsReserved):
        next_assignment(rater=waiting)
    assert released(cast, held.rater) == 1
    assert next_assignment(rater=waiting).item == held.item


def test_an_answer_after_the_release_is_stored_late_and_paid_once_another_rater_has_the_slot(
    cast: Cast,
) -> None:
    held, waiting = two_raters(cast)
    released(cast, held.rater)
    taken = next_assignment(rater=waiting)
    late = rate(Assignment.objects.get(pk=held.pk))
    assert late.late
    assert not rate(taken).late
    assert Seat.objects.get().rater == waiting
    paid = time_of_rater(held.rater)
    assert paid is not None
    assert sum(sitting.pages for sitting in paid.sittings) == 1


def test_an_answer_after_the_release_fills_the_slot_while_it_is_free(cast: Cast) -> None:
    held, _ = two_raters(cast)
    released(cast, held.rater)
    assert not rate(Assignment.objects.get(pk=held.pk)).late
    seat = Seat.objects.get()
    assert (seat.state, seat.rater) == (SeatState.FILLED, held.rater)


def test_a_rater_who_comes_back_gets_the_same_item_while_it_is_free(cast: Cast) -> None:
    held, _ = two_raters(cast)
    released(cast, held.rater)
    assert next_assignment(rater=held.rater) == held


def test_answers_stay_and_only_slots_without_one_are_released() -> None:
    cast = make_cast(items=2, overlap=1)
    rater = consent(invitation=cast.invitation)
    rate(next_assignment(rater=rater))
    next_assignment(rater=rater)
    assert released(cast, rater) == 1
    assert Seat.objects.get(rater=rater).state == SeatState.FILLED
    assert Response.objects.filter(assignment__rater=rater).count() == 1


def test_the_log_has_one_entry_for_each_rater_who_held_a_slot() -> None:
    cast = make_cast(items=2, overlap=1)
    one, other, empty = (consent(invitation=cast.invitation) for _ in range(3))
    for rater in (one, other):
        next_assignment(rater=rater)
    assert [holder.code for holder in slot_holders(cast.study)] == [one.code, other.code]
    assert released(cast, one, other, empty) == 2
    entries = AuditEntry.objects.filter(act="release_slots").order_by("pk")
    assert [entry.detail for entry in entries] == [{"rater": r.code, "n": 1} for r in (one, other)]
    assert {entry.actor for entry in entries} == {cast.users["admin"]}
    assert not slot_holders(cast.study).exists()


@pytest.mark.parametrize("codes", [[], ["R-404"], ["R-002", "R-404"], ["R-\x00"]])
def test_without_a_known_rater_nothing_is_released(cast: Cast, codes: list[str]) -> None:
    held, _ = two_raters(cast)
    assert held.rater.code == "R-002"
    with pytest.raises(InvalidContent) as refusal:
        release_slots(study=cast.study, codes=codes, actor=cast.users["admin"])
    assert refusal.value.code == ("unknown_rater" if codes else "no_rater")
    assert Seat.objects.get().rater == held.rater


def test_nothing_is_released_for_a_rater_who_holds_nothing(cast: Cast) -> None:
    held, waiting = two_raters(cast)
    with pytest.raises(NotAllowedNow) as refusal:
        released(cast, waiting)
    assert refusal.value.code == "nothing_reserved"
    assert not AuditEntry.objects.filter(act="release_slots").exists()
    assert Seat.objects.get().rater == held.rater
