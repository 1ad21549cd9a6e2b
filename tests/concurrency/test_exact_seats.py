"""Raters who come at the same time: every item gets exactly what it needs, no answer is doubled."""

from __future__ import annotations

import contextlib
import random
import uuid
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from annotation.domain.base.errors import NoSeatLeft
from annotation.domain.base.states import StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import Rater, Response, Seat, Study
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.lifecycle import change_state
from scoring.services.reports.verification import verify
from tests.concurrency.simultaneous import at_once, rate_everything
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db(transaction=True)


def test_twelve_raters_at_once_give_forty_items_exactly_three_ratings_each():
    cast = make_cast(items=40, overlap=3)
    raters = [consent(invitation=cast.invitation) for _ in range(12)]
    done = at_once([partial(rate_everything, rater) for rater in raters])
    assert sum(done) == 120
    given = list(Response.objects.filter(late=False).values_list("assignment__item", "assignment__rater"))
    assert set(Counter(item for item, _ in given).values()) == {3}
    assert len(set(given)) == len(given) == 120
    assert verify() == []


def given_once(study: Study) -> Counter[int]:
    """Ratings of each item that count; no rater rated an item twice."""
    given = list(
        Response.objects.filter(late=False, assignment__item__study=study).values_list(
            "assignment__item", "assignment__rater"
        )
    )
    assert len(set(given)) == len(given)
    return Counter(item for item, _ in given)


def leave_and_come_back(rater: Rater, leaves_at: int) -> int:
    """Rate until a page that is left open; its seat runs out; then go on to the end."""
    done = 0
    for _ in range(leaves_at):
        with contextlib.suppress(NoSeatLeft):
            page = next_assignment(rater=rater)
            submission = Submission(page_key=uuid.uuid4(), answers={"quality": "2", "creativity": "2"})
            submit(assignment=page, version=page.version, submission=submission)
            done += 1
    with contextlib.suppress(NoSeatLeft):
        page = next_assignment(rater=rater)
        Seat.objects.filter(assignments=page).update(until=timezone.now() - timedelta(seconds=1))
    return done + rate_everything(rater)


@pytest.mark.parametrize("run", range(3))
def test_raters_who_leave_and_come_back_take_nothing_from_anybody(run):
    cast = make_cast(items=40, overlap=3)
    raters = [consent(invitation=cast.invitation) for _ in range(12)]
    draw = random.Random(run)
    leaving = set(draw.sample(range(12), 4))
    acts: list[Callable[[], int]] = [
        partial(leave_and_come_back, rater, draw.randrange(1, 8))
        if place in leaving
        else partial(rate_everything, rater)
        for place, rater in enumerate(raters)
    ]
    at_once(acts)
    assert set(given_once(cast.study).values()) == {3}
    assert given_once(cast.study).total() == 120
    assert verify() == []


@pytest.mark.parametrize("abandoned", [0, 3])
def test_batches_are_taken_whole_and_every_item_gets_its_ratings(abandoned):
    cast = make_cast(items=20, overlap=3, opened=False)
    Study.objects.filter(pk=cast.study.pk).update(design="batches", batch_size=5)
    study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    assert study.batches.count() == 4
    for _ in range(abandoned):
        gone = consent(invitation=cast.invitation)
        next_assignment(rater=gone)
        Seat.objects.filter(rater=gone).update(until=timezone.now() - timedelta(seconds=1))
    raters = [consent(invitation=cast.invitation) for _ in range(6)]
    assert {rater.target for rater in raters} == {5}
    done = at_once([partial(rate_everything, rater) for rater in raters])
    assert sum(done) == 60
    assert all(number % 5 == 0 for number in done)
    assert set(given_once(study).values()) == {3}
    for rater in raters:
        batches = list(rater.assignments.order_by("position").values_list("seat__batch", flat=True))
        assert all(len(set(batches[start : start + 5])) == 1 for start in range(0, len(batches), 5))
    assert verify() == []


def test_where_all_rate_everything_each_rater_gets_each_item_and_no_more_come():
    cast = make_cast(items=15, overlap=4, opened=False)
    Study.objects.filter(pk=cast.study.pk).update(design="all")
    study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    raters = [consent(invitation=cast.invitation) for _ in range(4)]
    assert at_once([partial(rate_everything, rater) for rater in raters]) == [15] * 4
    assert set(given_once(study).values()) == {4}
    with pytest.raises(NoSeatLeft):
        consent(invitation=cast.invitation)


def test_the_same_page_sent_eight_times_at_once_is_one_response():
    cast = make_cast(items=1)
    page = next_assignment(rater=consent(invitation=cast.invitation))
    submission = Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"})
    receipts = at_once(
        [lambda: submit(assignment=page, version=page.version, submission=submission) for _ in range(8)]
    )
    assert Response.objects.count() == 1
    assert [receipt.stored for receipt in receipts].count(True) == 1
    assert {receipt.response.pk for receipt in receipts} == {Response.objects.get().pk}


def test_raters_who_join_at_once_get_different_codes():
    cast = make_cast(items=2, overlap=20)
    raters = at_once([lambda: consent(invitation=cast.invitation) for _ in range(8)])
    assert len({rater.code for rater in raters}) == 8
