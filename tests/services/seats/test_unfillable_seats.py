"""Open seats that no rater present may take are counted, with what would fill them."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NoSeatLeft, NotAllowedNow
from annotation.domain.base.states import RaterState, StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, AuditEntry, Form, Rater, Seat, Study
from annotation.selectors.seats.unfillable_seats import UnfillableSeats, find_unfillable_seats
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.forms import raise_limits
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
NONE = UnfillableSeats(seats=0, by_return=0, raters=0)


def cast_of(**settings: int | str) -> Cast:
    """Three items that need two ratings each, and no rater at work."""
    cast = make_cast(items=3, overlap=2, opened=False)
    per_rater = settings.pop("per_rater", None)
    Form.objects.filter(study=cast.study).update(per_rater=per_rater)
    Study.objects.filter(pk=cast.study.pk).update(**settings)
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    return cast


def rate(rater: Rater, number: int) -> Rater:
    for _ in range(number):
        page = next_assignment(rater=rater)
        answers = {"quality": "4", "creativity": "3"}
        submission = Submission(page_key=uuid.uuid4(), answers=answers)
        submit(assignment=page, version=page.version, submission=submission)
    return rater


def newcomer(cast: Cast, number: int = 0) -> Rater:
    return rate(consent(invitation=cast.invitation), number)


def unfillable(cast: Cast) -> UnfillableSeats | None:
    return find_unfillable_seats(Study.objects.get(pk=cast.study.pk))


def finish(rater: Rater) -> None:
    with pytest.raises(NoSeatLeft):
        next_assignment(rater=rater)


def test_with_no_one_there_every_seat_waits_for_raters():
    assert unfillable(cast_of()) == UnfillableSeats(seats=6, by_return=0, raters=2, anybody=False)


def test_one_rater_leaves_the_second_seat_of_each_item():
    cast = cast_of()
    rater = newcomer(cast)
    assert unfillable(cast) == UnfillableSeats(seats=3, by_return=0, raters=1)
    rate(rater, 3)
    assert unfillable(cast) == UnfillableSeats(seats=3, by_return=0, raters=1)


def test_with_enough_raters_no_seat_is_stranded():
    cast = cast_of()
    newcomer(cast)
    rate(newcomer(cast), 1)
    assert unfillable(cast) == NONE


def test_a_full_study_has_no_open_seat():
    cast = cast_of()
    for _ in range(2):
        newcomer(cast, 3)
    assert unfillable(cast) == NONE


def test_those_who_have_left_or_are_excluded_are_not_present():
    cast = cast_of()
    for state in (RaterState.WITHDRAWN, RaterState.FAILED, RaterState.INVITED):
        Rater.objects.filter(pk=newcomer(cast).pk).update(state=state)
    exclude_rater(rater=newcomer(cast), reason="a bot", actor=cast.users["owner"])
    assert unfillable(cast) == UnfillableSeats(seats=6, by_return=0, raters=2, anybody=False)


def test_a_cap_strands_what_more_for_each_rater_would_fill():
    cast = cast_of(per_rater=2)
    raters = [newcomer(cast, 2) for _ in range(2)]
    left = Seat.objects.filter(state="free").count()
    assert left == 2
    found = unfillable(cast)
    assert found is not None
    assert (found.seats, found.raters in {1, 2}) == (2, True)
    for rater in raters:
        finish(rater)
    assert unfillable(cast) == found
    raise_limits(study=cast.study, more=1, actor=cast.users["admin"])
    Rater.objects.update(state=RaterState.ACTIVE)
    now = unfillable(cast)
    assert now is not None
    assert now.seats == found.seats - found.by_return


def test_the_cap_of_those_at_work_and_of_those_to_come_is_counted():
    """Two at work may take four of the twelve seats, and no rater who comes takes more than two."""
    cast = make_cast(items=6, overlap=2, opened=False)
    Form.objects.filter(study=cast.study).update(per_rater=2)
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    assert unfillable(cast) == UnfillableSeats(seats=12, by_return=0, raters=6, anybody=False)
    raters = [newcomer(cast), newcomer(cast, 1)]
    assert unfillable(cast) == UnfillableSeats(seats=8, by_return=8, raters=4)
    for rater in raters:
        rate(rater, 2 - rater.assignments.count())
    assert unfillable(cast) == UnfillableSeats(seats=8, by_return=8, raters=4)
    for _ in range(4):
        newcomer(cast, 2)
    assert Seat.objects.filter(state="free").count() == 0


def test_a_rater_who_was_given_an_item_and_lost_the_seat_may_take_it_again():
    cast = cast_of(per_rater=1)
    rater = newcomer(cast)
    next_assignment(rater=rater)
    held = unfillable(cast)
    Seat.objects.filter(state="reserved").update(until=timezone.now() - timedelta(seconds=1))
    run_out = unfillable(cast)
    assert held is not None
    assert run_out is not None
    # Held: five seats are open and the rater is full. Run out: six, of which that one can be had again.
    assert (held.seats, run_out.seats) == (5, 5)


def test_a_seat_that_a_rater_holds_is_not_open():
    cast = cast_of()
    first, second = newcomer(cast), newcomer(cast)
    next_assignment(rater=first)
    next_assignment(rater=second)
    assert unfillable(cast) == NONE


def test_in_batches_a_batch_is_taken_once():
    cast = cast_of(design="batches", batch_size=3)
    rater = newcomer(cast)
    assert unfillable(cast) == UnfillableSeats(seats=3, by_return=0, raters=1)
    rate(rater, 1)
    Seat.objects.filter(state="reserved").update(until=timezone.now() - timedelta(seconds=1))
    assert unfillable(cast) == UnfillableSeats(seats=3, by_return=0, raters=1)
    newcomer(cast)
    assert unfillable(cast) == NONE


def test_in_batches_the_most_for_one_rater_counts():
    cast = cast_of(design="batches", batch_size=1, batches_per_rater=1)
    newcomer(cast, 1)
    assert unfillable(cast) == UnfillableSeats(seats=5, by_return=2, raters=5)
    raise_limits(study=cast.study, more=2, actor=cast.users["admin"])
    assert unfillable(cast) == UnfillableSeats(seats=3, by_return=0, raters=1)


def test_a_panel_is_filled_by_its_own_raters():
    cast = cast_of(design="panels")
    form = cast.study.forms.get()
    rater = Rater.objects.create(
        study=cast.study, code="R-900", state=RaterState.ACTIVE, consented_at=timezone.now()
    )
    assert unfillable(cast) == UnfillableSeats(seats=6, by_return=0, raters=2)
    Rater.objects.filter(pk=rater.pk).update(panel=form)
    assert unfillable(cast) == UnfillableSeats(seats=3, by_return=0, raters=1)


@pytest.mark.parametrize("state", ["draft", "closed"])
def test_a_study_that_does_not_run_has_none(state):
    cast = cast_of()
    Study.objects.filter(pk=cast.study.pk).update(state=state)
    assert unfillable(cast) is None


def test_the_count_is_what_really_stays_open():
    cast = cast_of(per_rater=2)
    raters = [newcomer(cast) for _ in range(2)]
    for rater in raters:
        rate(rater, 2)
        finish(rater)
    found = unfillable(cast)
    assert found is not None
    assert found.seats == Seat.objects.filter(state="free").count()
    newcomer(cast, min(2, found.seats))
    assert Seat.objects.filter(state="free").count() == 0
    assert unfillable(cast) == NONE


def test_more_for_each_rater_is_bounded_and_on_record():
    cast = cast_of(per_rater=2)
    admin = cast.users["admin"]
    for wrong in (0, 1001):
        with pytest.raises(InvalidContent):
            raise_limits(study=cast.study, more=wrong, actor=admin)
    raise_limits(study=cast.study, more=3, actor=admin)
    assert cast.study.forms.get().per_rater == 5
    assert AuditEntry.objects.get(act="raise_caps").detail == {"more": 3}
    Form.objects.update(per_rater=None)
    with pytest.raises(NotAllowedNow) as refused:
        raise_limits(study=cast.study, more=1, actor=admin)
    assert refused.value.code == "no_cap"


def test_the_overview_says_what_to_do():
    cast = cast_of(per_rater=1)
    newcomer(cast, 1)
    client = Client()
    client.force_login(cast.users["admin"])
    page = client.get(reverse("study", args=[cast.slug])).content.decode()
    assert "5 rating slots cannot be filled by any active rater." in page
    assert "2 of them could go to raters" in page
    assert "If they do not return, you need at least 5 more raters." in page
    sent = client.post(reverse("study-raise-caps", args=[cast.slug]), {"more": "2"}, follow=True)
    assert "3 rating slots cannot be filled by any active rater." in sent.content.decode()
    refused = client.post(reverse("study-raise-caps", args=[cast.slug]), {"more": "²"}, follow=True)
    assert "Enter a number from 1 to 1000." in refused.content.decode()
    assert Assignment.objects.count() == 1


def test_before_anybody_has_joined_the_overview_speaks_of_no_rater_who_has_rated_all():
    cast = cast_of()
    assert cast.study.raters.count() == 0
    client = Client()
    client.force_login(cast.users["admin"])
    page = client.get(reverse("study", args=[cast.slug])).content.decode()
    assert "No active raters." in page
    assert "rating slots are open." in page
    assert "All active raters have rated these items" not in page
    assert "cannot be filled" not in page


def test_where_raters_abound_nothing_is_counted_item_by_item(django_assert_num_queries):
    """One item was given once, two seats an item: three at work are enough whichever items they had."""
    cast = cast_of()
    newcomer(cast, 1)
    newcomer(cast)
    assert unfillable(cast) == NONE
    newcomer(cast)
    with django_assert_num_queries(5):
        assert unfillable(cast) == NONE
