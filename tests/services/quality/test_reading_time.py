"""A page takes at least the study's time; a sooner answer is given back, and known if it comes unchanged."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, TooFast
from annotation.domain.base.states import Purpose, SeatState, StudyState
from annotation.domain.questions.answers import Submission
from annotation.domain.rating.simulated_raters import AnsweringPattern
from annotation.models import Assignment, Rater, Response, Study
from annotation.selectors.quality.rater_profile import profile_of
from annotation.services.quality.reading_time import seconds_left
from annotation.services.rating.enrolment import consent, trial_rater
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.rating.simulation import simulate
from annotation.services.rating.submission import Receipt, submit
from annotation.services.studies.lifecycle import change_state, edit_study
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """Every page takes at least 30 seconds; the texts have 26 characters."""
    cast = make_cast(items=6, overlap=2)
    Study.objects.filter(pk=cast.study.pk).update(least_seconds=30, exempt_characters=25)
    return cast


def rater_of(cast: Cast) -> Rater:
    return consent(invitation=cast.invitation)


def page_for(rater: Rater) -> Assignment:
    return open_assignment(assignment=next_assignment(rater=rater))


def answer(page: Assignment, quality: int = 4, key: uuid.UUID | None = None) -> Receipt:
    return submit(
        assignment=page,
        version=page.version,
        submission=Submission(
            page_key=key or uuid.uuid4(), answers={"quality": str(quality), "creativity": "3"}
        ),
    )


def let_pass(page: Assignment, seconds: float) -> None:
    found = Assignment.objects.get(pk=page.pk)
    assert found.opened_at is not None
    found.opened_at -= timedelta(seconds=seconds)
    found.save(update_fields=["opened_at"])
    page.refresh_from_db()


def test_an_answer_before_the_time_is_not_stored_and_says_how_long_it_takes(cast):
    page = page_for(rater_of(cast))
    let_pass(page, 20)
    with pytest.raises(TooFast) as refused:
        answer(page)
    assert refused.value.left == 10
    assert "at least 30 s" in refused.value.message
    assert not Response.objects.exists()
    page.refresh_from_db()
    assert page.submitted_at is None
    assert page.seat is not None
    assert page.seat.state == SeatState.RESERVED


def test_once_the_time_is_up_it_is_stored_with_all_its_seconds(cast):
    page = page_for(rater_of(cast))
    let_pass(page, 31)
    response = answer(page).response
    assert response.seconds == pytest.approx(31, abs=2)
    assert response.hurried_after is None


def test_an_answer_that_comes_again_unchanged_is_stored_and_known(cast):
    page, key = page_for(rater_of(cast)), uuid.uuid4()
    let_pass(page, 4)
    for _ in range(2):
        with pytest.raises(TooFast):
            answer(page, 4, key)
        let_pass(page, 5)
    let_pass(page, 22)
    response = answer(page, 4, key).response
    assert response.seconds == pytest.approx(36, abs=2)
    assert response.hurried_after == pytest.approx(4, abs=1)


def test_an_answer_that_was_changed_meanwhile_is_not_held_against_the_rater(cast):
    page = page_for(rater_of(cast))
    with pytest.raises(TooFast):
        answer(page, 4)
    let_pass(page, 31)
    assert answer(page, 2).response.hurried_after is None


def test_a_text_that_is_very_short_has_no_least_time(cast):
    Study.objects.filter(pk=cast.study.pk).update(exempt_characters=26)
    page = page_for(rater_of(cast))
    assert seconds_left(page) is None
    assert answer(page).stored


def test_a_page_that_was_never_shown_has_taken_no_time(cast):
    page = next_assignment(rater=rater_of(cast))
    with pytest.raises(TooFast) as refused:
        answer(page)
    assert refused.value.left == 30
    page.refresh_from_db()
    assert page.opened_at is not None


def test_a_clock_that_is_set_back_makes_no_one_wait_longer_than_the_least_time(cast):
    page = page_for(rater_of(cast))
    let_pass(page, -3600)
    assert seconds_left(page) == 30
    with pytest.raises(TooFast) as refused:
        answer(page)
    assert refused.value.left == 30
    page.refresh_from_db()
    let_pass(page, 31)
    assert answer(page).stored


def test_a_correction_has_taken_the_time_of_its_first_answer(cast):
    page = page_for(rater_of(cast))
    let_pass(page, 31)
    answer(page, 4)
    again = open_assignment(assignment=Assignment.objects.get(pk=page.pk))
    assert seconds_left(again) is None
    assert answer(again, 2).response.revision == 2


def test_what_is_stored_already_is_acknowledged_at_once(cast):
    page, key = page_for(rater_of(cast)), uuid.uuid4()
    let_pass(page, 31)
    stored = answer(page, 4, key).response
    Assignment.objects.filter(pk=page.pk).update(opened_at=timezone.now())
    assert answer(page, 4, key).response == stored


def test_reading_ahead_in_a_batch_saves_no_time(cast):
    """Only one page's clock runs: that of the page shown, or sent, last."""
    batch = make_cast(slug="batch", items=4, overlap=1, opened=False)
    owner = batch.users["owner"]
    edit_study(study=batch.study, actor=owner, design="batches", batch_size=4, least_seconds=30)
    change_state(study=batch.study, to=StudyState.OPEN, actor=None)
    rater = consent(invitation=batch.study.invitations.get())
    next_assignment(rater=rater)
    first, second, third = rater.assignments.order_by("position")[:3]
    for page in (first, second):
        open_assignment(assignment=page)
    with pytest.raises(TooFast):
        answer(third)
    for page in (first, second, third):
        page.refresh_from_db()
    assert (first.opened_at, second.opened_at) == (None, None)
    let_pass(third, 31)
    assert answer(third).stored
    with pytest.raises(TooFast):
        answer(second)


def test_planted_pages_and_trials_take_as_long(cast):
    page = page_for(rater_of(cast))
    Assignment.objects.filter(pk=page.pk).update(purpose=Purpose.CHECK)
    trial = page_for(trial_rater(study=cast.study, user=cast.users["owner"]))
    for one in (page, trial):
        with pytest.raises(TooFast):
            answer(one)


def test_no_page_may_take_longer_than_its_item_is_held(cast):
    draft = make_cast(slug="draft", opened=False)
    with pytest.raises(InvalidContent) as refused:
        edit_study(study=draft.study, actor=draft.users["owner"], least_seconds=600, seat_minutes=10)
    assert refused.value.code == "minimum_too_long"
    assert Study.objects.get(pk=draft.study.pk).least_seconds is None


def test_the_profile_shows_who_answers_before_the_time_and_waits(cast):
    hasty, patient = rater_of(cast), rater_of(cast)
    for number in range(6):
        page = page_for(hasty)
        let_pass(page, 5)
        with pytest.raises(TooFast):
            answer(page, 1 + number % 5)
        let_pass(page, 26)
        answer(page, 1 + number % 5)
        page = page_for(patient)
        let_pass(page, 33)
        answer(page, 1 + number % 5)
    found = profile_of(hasty)["under_minimum"]
    assert (found.value, found.flagged) == (1.0, True)
    assert found.detail["median_least"] == 30
    assert profile_of(patient)["under_minimum"].value == 0


def test_without_a_rule_the_profile_says_so():
    cast = make_cast(items=6)
    rater = rater_of(cast)
    for _ in range(6):
        answer(page_for(rater))
    assert profile_of(rater)["under_minimum"].reason == "no_minimum"


def test_simulated_raters_who_hurry_wait_and_are_known(cast):
    people = simulate(study=cast.study, raters=2, mix={AnsweringPattern.FAST: 1.0}, seed=4)
    responses = Response.objects.filter(assignment__rater=people[0][0])
    assert responses.count() == 6
    assert all(one.hurried_after is not None and one.hurried_after < 30 for one in responses)
    assert all(one.seconds is not None and one.seconds >= 30 for one in responses)
