"""A submission is stored once; a correction is a new revision; nothing stored is ever changed."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.domain.base.errors import AnsweredElsewhere, InvalidAnswer, NotAllowedNow
from annotation.domain.base.states import Purpose, RaterState, SeatState, StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Rater, Rating, Response, Seat
from annotation.services.rating.enrolment import consent, trial_rater
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.rating.submission import Receipt, submit
from annotation.services.rating.withdrawal import withdraw
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=2)


def rater_of(cast: Cast):
    return consent(invitation=cast.invitation)


def page_for(rater) -> Assignment:
    return open_assignment(assignment=next_assignment(rater=rater))


def answer(assignment: Assignment, quality: int, key: uuid.UUID | None = None, **fields) -> Receipt:
    answers = {"quality": str(quality), "creativity": "3"}
    return submit(
        assignment=assignment,
        version=assignment.version,
        submission=Submission(page_key=key or uuid.uuid4(), answers=answers, **fields),
    )


def values(response: Response) -> dict[str, float | None]:
    return dict(response.ratings.values_list("criterion__key", "value"))


def seat_of(assignment: Assignment) -> Seat:
    return Seat.objects.get(assignments=assignment)


def run_out(assignment: Assignment) -> None:
    Seat.objects.filter(assignments=assignment).update(until=timezone.now() - timedelta(seconds=1))


def test_the_same_page_sent_twice_is_one_response(cast):
    page, key = page_for(rater_of(cast)), uuid.uuid4()
    first, second = answer(page, 4, key), answer(page, 4, key)
    assert first.stored
    assert not second.stored
    assert first.response == second.response
    assert Response.objects.count() == 1


def test_a_client_that_sends_one_key_for_every_page_loses_nothing(cast):
    rater, key = rater_of(cast), uuid.uuid4()
    for number in range(1, 4):
        assert answer(page_for(rater), 4, key).stored
        assert Response.objects.count() == number


def test_a_correction_is_a_revision_and_the_first_answer_stays_stored(cast):
    page = page_for(rater_of(cast))
    first = answer(page, 4).response
    second = answer(page, 2).response
    first.refresh_from_db()
    assert (first.revision, first.current, values(first)["quality"]) == (1, False, 4)
    assert (second.revision, second.current, values(second)["quality"]) == (2, True, 2)


def test_the_same_page_with_another_answer_is_a_correction(cast):
    page, key = page_for(rater_of(cast)), uuid.uuid4()
    answer(page, 4, key)
    assert answer(page, 2, key).response.revision == 2


def test_an_old_submission_sent_again_neither_undoes_a_correction_nor_is_called_saved(cast):
    page, key = page_for(rater_of(cast)), uuid.uuid4()
    answer(page, 4, key)
    second = answer(page, 2, key).response
    with pytest.raises(AnsweredElsewhere):
        answer(page, 4, key)
    second.refresh_from_db()
    assert second.current
    assert Response.objects.count() == 2


def test_a_rater_who_was_not_admitted_saves_nothing(cast):
    rater = rater_of(cast)
    page = page_for(rater)
    Rater.objects.filter(pk=rater.pk).update(state=RaterState.FAILED)
    with pytest.raises(NotAllowedNow) as refused:
        answer(page, 3)
    assert refused.value.code == "rater_failed"
    assert not Response.objects.exists()


def test_a_correction_that_changes_nothing_stores_nothing(cast):
    page = page_for(rater_of(cast))
    answer(page, 4)
    assert not answer(page, 4).stored
    assert Response.objects.count() == 1


def test_an_answer_outside_the_scale_stores_nothing(cast):
    page = page_for(rater_of(cast))
    with pytest.raises(InvalidAnswer):
        answer(page, 6)
    page.refresh_from_db()
    assert page.submitted_at is None
    assert not Response.objects.exists()
    assert seat_of(page).state == SeatState.RESERVED


def test_the_database_itself_refuses_a_rating_outside_its_scale(cast):
    rating = answer(page_for(rater_of(cast)), 4).response.ratings.all()[0]
    with pytest.raises(IntegrityError), transaction.atomic():
        Rating.objects.filter(pk=rating.pk).update(value=6)


def test_an_answer_fills_its_seat(cast):
    rater = rater_of(cast)
    page = page_for(rater)
    answer(page, 4)
    seat = seat_of(page)
    assert (seat.state, seat.rater) == (SeatState.FILLED, rater)


def test_a_seat_that_ran_out_but_was_given_to_no_one_still_counts(cast):
    page = page_for(rater_of(cast))
    run_out(page)
    assert not answer(page, 4).response.late


def test_an_answer_after_its_seat_was_given_away_is_late_and_stored(cast):
    slow, others = rater_of(cast), [rater_of(cast) for _ in range(2)]
    page = page_for(slow)
    run_out(page)
    for other in others:
        while True:
            theirs = page_for(other)
            answer(theirs, 3)
            if theirs.item_id == page.item_id:
                break
    assert answer(page, 5).response.late
    filled = Seat.objects.filter(item=page.item, state=SeatState.FILLED)
    assert {seat.rater for seat in filled} == set(others)


def test_a_late_rater_gets_another_seat_of_the_item_while_there_is_one(cast):
    slow, other = rater_of(cast), rater_of(cast)
    page = page_for(slow)
    Seat.objects.filter(assignments=page).update(state=SeatState.FREE, rater=None, until=None)
    taken = seat_of(page)
    taken.state, taken.rater = SeatState.FILLED, other
    taken.save()
    assert not answer(page, 5).response.late
    assert Seat.objects.filter(item=page.item, state=SeatState.FILLED).count() == 2


def test_a_closed_study_takes_no_answer_and_a_paused_one_takes_what_is_held(cast):
    rater = rater_of(cast)
    page = page_for(rater)
    study = change_state(study=cast.study, to=StudyState.PAUSED, actor=None)
    assert answer(page, 4).stored
    with pytest.raises(NotAllowedNow) as paused:
        next_assignment(rater=rater)
    assert paused.value.code == "study_paused"
    change_state(study=study, to=StudyState.CLOSED, actor=None)
    with pytest.raises(NotAllowedNow) as closed:
        answer(page, 5)
    assert closed.value.code == "study_closed"
    assert Response.objects.count() == 1


def test_what_was_stored_is_acknowledged_again_after_the_study_closed(cast):
    page, key = page_for(rater_of(cast)), uuid.uuid4()
    stored = answer(page, 4, key).response
    change_state(study=cast.study, to=StudyState.CLOSED, actor=None)
    assert answer(page, 4, key).response == stored


def test_who_withdraws_gives_the_seats_back_and_rates_no_more(cast):
    rater = rater_of(cast)
    page = page_for(rater)
    withdraw(rater=rater)
    assert seat_of(page).state == SeatState.FREE
    with pytest.raises(NotAllowedNow):
        answer(page, 4)


def test_a_trial_takes_no_seat_and_is_marked(cast):
    tester = trial_rater(study=cast.study, user=cast.users["admin"])
    page = page_for(tester)
    answer(page, 4)
    assert page.purpose == Purpose.TRIAL
    assert page.seat is None
    assert not Seat.objects.exclude(state=SeatState.FREE).exists()
    assert page_for(tester).item != page.item


def test_cannot_rate_is_stored_with_its_remark(cast):
    page = page_for(rater_of(cast))
    response = submit(
        assignment=page,
        version=page.version,
        submission=Submission(page_key=uuid.uuid4(), cannot_rate="lacks_context", remark=" who speaks? "),
    ).response
    assert (response.cannot_rate, response.remark) == ("lacks_context", "who speaks?")
    assert not response.ratings.exists()


def seen(assignment: Assignment, quality: int, revision: int, key: uuid.UUID | None = None) -> Receipt:
    return answer(assignment, quality, key, seen_revision=revision)


def test_a_page_that_did_not_see_the_stored_answer_does_not_replace_it(cast):
    page = page_for(rater_of(cast))
    seen(page, 4, revision=0)
    with pytest.raises(AnsweredElsewhere):
        seen(page, 2, revision=0)
    assert values(page.responses.get()) == {"quality": 4, "creativity": 3}


def test_a_page_that_saw_the_stored_answer_corrects_it(cast):
    page = page_for(rater_of(cast))
    seen(page, 4, revision=0)
    assert seen(page, 2, revision=1).response.revision == 2


def test_the_page_whose_answer_was_stored_unseen_may_still_change_it(cast):
    """The acknowledgement was lost, the rater chose again on the same page: no one else answered."""
    page, key = page_for(rater_of(cast)), uuid.uuid4()
    seen(page, 4, revision=0, key=key)
    assert seen(page, 2, revision=0, key=key).response.revision == 2


def test_a_correction_adds_its_time_to_that_of_the_first_answer(cast):
    page = page_for(rater_of(cast))
    begin(page, seconds_ago=40)
    first = answer(page, 4).response
    Response.objects.filter(pk=first.pk).update(
        shown_at=None, submitted_at=timezone.now() - timedelta(hours=1)
    )
    again = open_assignment(assignment=Assignment.objects.get(pk=page.pk))
    begin(again, seconds_ago=7)
    assert first.seconds == pytest.approx(40, abs=1)
    assert answer(again, 2).response.seconds == pytest.approx(47, abs=2)


def test_a_third_look_does_not_count_the_time_in_between(cast):
    page = page_for(rater_of(cast))
    begin(page, seconds_ago=10)
    answer(page, 4)
    answer(open_assignment(assignment=page), 2)
    Assignment.objects.filter(pk=page.pk).update(opened_at=timezone.now() - timedelta(hours=3))
    Response.objects.filter(assignment=page, current=True).update(
        shown_at=None, submitted_at=timezone.now() - timedelta(hours=2)
    )
    third = open_assignment(assignment=Assignment.objects.get(pk=page.pk))
    seconds = answer(third, 5).response.seconds
    assert seconds is not None
    assert seconds < 60


def test_a_clock_that_is_set_back_while_a_page_is_open_gives_no_time(cast):
    page = page_for(rater_of(cast))
    begin(page, seconds_ago=-3600)
    assert answer(page, 4).response.seconds is None
    begin(page, seconds_ago=7)
    assert answer(page, 2).response.seconds == pytest.approx(7, abs=1)


def begin(assignment: Assignment, *, seconds_ago: float) -> None:
    assignment.opened_at = timezone.now() - timedelta(seconds=seconds_ago)
    assignment.save(update_fields=["opened_at"])


@pytest.mark.parametrize("spare", [0, 1])
def test_a_page_read_before_its_seat_was_lost_fills_the_seat_that_the_rater_has_now(spare):
    cast = make_cast(items=1, overlap=2 + spare)
    rater = consent(invitation=cast.invitation)
    page = next_assignment(rater=rater)
    read_before = Assignment.objects.select_related("rater__study", "form", "version", "seat").get(pk=page.pk)
    first = Seat.objects.get(assignments=page)
    Seat.objects.filter(pk=first.pk).update(until=timezone.now() - timedelta(minutes=1))
    others = (consent(invitation=cast.invitation) for _ in range(2 + spare))
    assert any(next_assignment(rater=other).seat_id == first.pk for other in others)
    Seat.objects.filter(item=page.item).exclude(pk=first.pk).update(state="free", rater=None, until=None)
    again = next_assignment(rater=rater)
    assert (again.pk == page.pk, again.seat_id == first.pk) == (True, False)
    stored = submit(
        assignment=read_before,
        version=read_before.version,
        submission=Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"}),
    )
    assert not stored.response.late
    assert Seat.objects.get(assignments=page).state == SeatState.FILLED
