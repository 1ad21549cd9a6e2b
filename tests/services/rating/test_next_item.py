"""The next item: what is held first, least-served items before others, nothing twice."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.domain.base.errors import NoSeatLeft, NotAllowedNow
from annotation.domain.base.states import RaterState, SeatState, StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import Rater, Response, Seat
from annotation.services.people.invitations import invite, revoke
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.lifecycle import change_state
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db


def rate(page) -> Response:
    submission = Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"})
    return submit(assignment=page, version=page.version, submission=submission).response


def rate_everything(rater: Rater) -> list[int]:
    seen: list[int] = []
    while True:
        try:
            page = next_assignment(rater=rater)
        except NoSeatLeft:
            return seen
        rate(page)
        seen.append(page.item_id)


def test_asking_again_gives_the_same_item_until_it_is_answered():
    cast = make_cast(items=3)
    rater = consent(invitation=cast.invitation)
    first = next_assignment(rater=rater)
    assert next_assignment(rater=rater) == first
    rate(first)
    assert next_assignment(rater=rater) != first


def test_no_rater_gets_an_item_twice_and_then_they_are_finished():
    cast = make_cast(items=3)
    rater = consent(invitation=cast.invitation)
    assert sorted(rate_everything(rater)) == sorted(cast.study.items.values_list("pk", flat=True))
    rater.refresh_from_db()
    assert rater.state == RaterState.FINISHED


def test_items_with_fewer_raters_come_first():
    cast = make_cast(items=4, overlap=3)
    first, second = (consent(invitation=cast.invitation) for _ in range(2))
    served = {rate(next_assignment(rater=first)).assignment.item_id for _ in range(2)}
    assert next_assignment(rater=second).item_id not in served


def test_a_seat_that_ran_out_goes_to_another_rater_who_needs_it():
    cast = make_cast(items=1, overlap=1)
    slow, other = (consent(invitation=cast.invitation) for _ in range(2))
    held = next_assignment(rater=slow)
    with pytest.raises(NoSeatLeft):
        next_assignment(rater=other)
    Seat.objects.filter(assignments=held).update(until=timezone.now() - timedelta(seconds=1))
    assert next_assignment(rater=other).item == held.item


def test_an_open_page_renews_a_seat_that_runs_short():
    cast = make_cast(items=1)
    rater = consent(invitation=cast.invitation)
    page = next_assignment(rater=rater)
    Seat.objects.filter(assignments=page).update(until=timezone.now() + timedelta(seconds=5))
    open_assignment(assignment=next_assignment(rater=rater))
    later = timezone.now() + timedelta(minutes=30)
    assert Seat.objects.filter(assignments=page, until__gt=later).exists()


def test_a_cap_per_rater_is_respected():
    cast = make_cast(items=5)
    cast.study.forms.update(per_rater=2)
    rater = consent(invitation=cast.invitation)
    assert rater.target == 2
    assert len(rate_everything(rater)) == 2


def test_a_link_without_anything_left_says_so_before_the_start():
    cast = make_cast(items=1, overlap=1)
    rate_everything(consent(invitation=cast.invitation))
    with pytest.raises(NoSeatLeft):
        consent(invitation=cast.invitation)


def test_a_revoked_link_and_a_closed_study_admit_no_one():
    cast = make_cast()
    revoked = revoke(
        invitation=invite(study=cast.study, actor=cast.users["owner"]), actor=cast.users["owner"]
    )
    with pytest.raises(NotAllowedNow) as refusal:
        consent(invitation=revoked)
    assert refusal.value.code == "link_revoked"
    change_state(study=cast.study, to=StudyState.CLOSED, actor=None)
    with pytest.raises(NotAllowedNow) as refusal:
        consent(invitation=cast.invitation)
    assert refusal.value.code == "study_closed"


def test_members_do_not_become_raters():
    cast = make_cast()
    with pytest.raises(NotAllowedNow) as refusal:
        consent(invitation=cast.invitation, user=cast.users["researcher"])
    assert refusal.value.code == "is_member"


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["take", "answer", "run_out"])), max_size=40)
)
def test_however_raters_come_and_go_no_item_gets_more_than_it_needs(db, steps):
    cast = make_cast(slug=f"s{uuid.uuid4().hex[:8]}", items=3, overlap=2)
    raters = [consent(invitation=cast.invitation) for _ in range(4)]
    for number, step in steps:
        play(raters[number], step)
    counted = Response.objects.filter(assignment__item__study=cast.study, current=True, late=False)
    per_item = Counter(counted.values_list("assignment__item", flat=True))
    assert all(count <= 2 for count in per_item.values())
    filled = Seat.objects.filter(item__study=cast.study, state=SeatState.FILLED)
    assert Counter(filled.values_list("item", flat=True)) == per_item


def play(rater: Rater, step: str) -> None:
    held = rater.assignments.filter(submitted_at__isnull=True).order_by("-position").first()
    if step == "take":
        try:
            next_assignment(rater=rater)
        except NoSeatLeft:
            return
    elif step == "answer" and held is not None:
        rate(held)
    elif step == "run_out":
        Seat.objects.filter(rater=rater, state=SeatState.RESERVED).update(
            until=timezone.now() - timedelta(seconds=1)
        )


def test_a_paused_study_reserves_nothing_new():
    cast = make_cast()
    rater = consent(invitation=cast.invitation)
    page = next_assignment(rater=rater)
    Seat.objects.filter(assignments=page.pk).update(state=SeatState.FREE, rater=None, until=None)
    change_state(study=cast.study, to=StudyState.PAUSED, actor=cast.users["owner"])
    with pytest.raises(NotAllowedNow):
        next_assignment(rater=rater)
    assert not Seat.objects.exclude(state=SeatState.FREE).exists()


def test_what_others_only_hold_is_not_called_rated():
    cast = make_cast(items=1, overlap=1)
    first, second = (consent(invitation=cast.invitation) for _ in range(2))
    held = next_assignment(rater=first)
    with pytest.raises(NoSeatLeft, match=r"right now.*within 60 minutes"):
        next_assignment(rater=second)
    with pytest.raises(NoSeatLeft, match="reserved for other raters"):
        consent(invitation=cast.invitation)
    rate(held)
    with pytest.raises(NoSeatLeft, match="Other raters have rated the rest"):
        next_assignment(rater=second)
    with pytest.raises(NoSeatLeft, match="has enough raters"):
        consent(invitation=cast.invitation)
