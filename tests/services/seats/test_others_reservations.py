"""A rater is done when nothing can come to them any more, and not while others only hold it."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.domain.base.errors import ItemsReserved, NoSeatLeft
from annotation.domain.base.states import RaterState, SeatState, StudyState
from annotation.domain.questions.answers import Submission
from annotation.domain.seats.stages import StagePeople
from annotation.models import Assignment, Rater, Seat, Study
from annotation.services.people.invitations import invite
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, add_form, make_cast
from tests.support.studies.staged_study import FIRST, SECOND, answer, first_stage, rater_of, staged_cast

pytestmark = pytest.mark.django_db


def rate(page: Assignment) -> None:
    submission = Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"})
    submit(assignment=page, version=page.version, submission=submission)


def run_out(rater: Rater) -> None:
    held = Seat.objects.filter(rater=rater, state=SeatState.RESERVED)
    held.update(until=timezone.now() - timedelta(seconds=1))


def end_of(rater: Rater) -> tuple[type[NoSeatLeft], str]:
    """The message to the rater when they ask for an item and get none, and their state after it."""
    with pytest.raises(NoSeatLeft) as end:
        next_assignment(rater=Rater.objects.get(pk=rater.pk))
    return end.type, Rater.objects.get(pk=rater.pk).state


def one_answer_and_the_rest_held(cast: Cast) -> tuple[Rater, Assignment]:
    """The first of two raters has answered an item, the other holds the next."""
    first, other = (consent(invitation=cast.invitation) for _ in range(2))
    rate(next_assignment(rater=first))
    return first, next_assignment(rater=other)


def test_what_others_hold_may_still_come():
    first, held = one_answer_and_the_rest_held(make_cast(items=2, overlap=1))
    assert end_of(first) == (ItemsReserved, RaterState.ACTIVE)
    run_out(held.rater)
    assert next_assignment(rater=first).item == held.item


def test_a_rater_is_done_once_others_have_answered_what_they_held():
    first, held = one_answer_and_the_rest_held(make_cast(items=2, overlap=1))
    assert end_of(first) == (ItemsReserved, RaterState.ACTIVE)
    rate(held)
    assert end_of(first) == (NoSeatLeft, RaterState.FINISHED)


def test_a_rater_at_their_own_limit_is_done_whatever_others_hold():
    cast = make_cast(items=2, overlap=1)
    cast.study.forms.update(per_rater=1)
    first, _ = one_answer_and_the_rest_held(cast)
    assert end_of(first) == (NoSeatLeft, RaterState.FINISHED)


def test_what_the_rater_has_answered_is_not_waited_for():
    cast = make_cast(items=1, overlap=2)
    first, other = (consent(invitation=cast.invitation) for _ in range(2))
    rate(next_assignment(rater=first))
    next_assignment(rater=other)
    assert end_of(first) == (NoSeatLeft, RaterState.FINISHED)


def test_an_item_lost_before_it_was_answered_may_come_back():
    cast = make_cast(items=2, overlap=1)
    cast.study.forms.update(per_rater=2)
    slow, other = (consent(invitation=cast.invitation) for _ in range(2))
    rate(next_assignment(rater=slow))
    lost = next_assignment(rater=slow)
    run_out(slow)
    held = next_assignment(rater=other)
    assert held.item == lost.item
    assert end_of(slow) == (ItemsReserved, RaterState.ACTIVE)
    rate(held)
    assert end_of(slow) == (NoSeatLeft, RaterState.FINISHED)


def test_a_finished_rater_who_gets_an_item_again_is_at_work_until_it_is_answered():
    first, held = one_answer_and_the_rest_held(make_cast(items=2, overlap=1))
    rate(held)
    assert end_of(first) == (NoSeatLeft, RaterState.FINISHED)
    Seat.objects.filter(assignments=held).update(state=SeatState.FREE, rater=None)
    page = next_assignment(rater=first)
    first.refresh_from_db()
    assert (first.state, first.finished_at) == (RaterState.ACTIVE, None)
    rate(page)
    assert end_of(first) == (NoSeatLeft, RaterState.FINISHED)


def test_a_finished_rater_stays_so_when_others_take_what_is_free_again():
    first, held = one_answer_and_the_rest_held(make_cast(items=2, overlap=1))
    rate(held)
    end_of(first)
    Seat.objects.filter(assignments=held).update(
        state=SeatState.RESERVED, until=timezone.now() + timedelta(minutes=9)
    )
    assert end_of(first) == (NoSeatLeft, RaterState.FINISHED)


def opened(cast: Cast, **fields: object) -> Study:
    Study.objects.filter(pk=cast.study.pk).update(**fields)
    return change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])


def test_what_another_panel_holds_is_not_waited_for():
    cast = make_cast(items=1, overlap=1, opened=False)
    add_form(cast.study, overlap=1, key="metaphors")
    study = opened(cast, design="panels")
    links = [invite(study=study, actor=cast.users["owner"], panel=form) for form in study.forms.all()]
    first, other = (consent(invitation=one) for one in links)
    rate(next_assignment(rater=first))
    next_assignment(rater=other)
    assert end_of(first) == (NoSeatLeft, RaterState.FINISHED)


@pytest.mark.parametrize(("most", "end"), [(1, NoSeatLeft), (2, ItemsReserved), (None, ItemsReserved)])
def test_a_batch_that_another_holds_may_still_come_within_the_limit(most: int | None, end: type):
    cast = make_cast(items=4, overlap=1, opened=False)
    opened(cast, design="batches", batch_size=2, batches_per_rater=most)
    first, other = (consent(invitation=cast.invitation) for _ in range(2))
    for _ in range(2):
        rate(next_assignment(rater=first))
    next_assignment(rater=other)
    assert end_of(first)[0] is end


@pytest.mark.parametrize("people", [StagePeople.OTHERS, StagePeople.OTHERS_FOR_ITEM])
def test_a_stage_for_others_is_not_waited_for(people: StagePeople):
    study = staged_cast(items=1, first=1, second=1, people=people).study
    first, other = rater_of(study, "A"), rater_of(study, "BB")
    first_stage(first, {"L00": "yes"})
    assert next_assignment(rater=other).form.key == SECOND
    assert end_of(first) == (NoSeatLeft, RaterState.FINISHED)


def test_a_stage_that_the_rater_may_rate_too_is_waited_for():
    study = staged_cast(items=1, first=1, second=1, people=StagePeople.ANYBODY).study
    first, other = rater_of(study, "A"), rater_of(study, "BB")
    page = next_assignment(rater=first)
    assert page.form.key == FIRST
    answer(page, {"metaphor": "yes"})
    next_assignment(rater=other)
    assert end_of(first) == (ItemsReserved, RaterState.ACTIVE)
