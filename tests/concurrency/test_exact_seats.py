"""Raters who come at the same time: every item gets exactly what it needs, no answer is doubled."""

from __future__ import annotations

import threading
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import pytest
from django.db import connections

from annotation.domain.answers import Submission
from annotation.domain.errors import NoSeatLeft
from annotation.models import Rater, Response
from annotation.services.assignment import next_assignment
from annotation.services.raters import consent
from annotation.services.responses import submit
from tests.api.people import make_cast

T = TypeVar("T")
pytestmark = pytest.mark.django_db(transaction=True)


def at_once(acts: list[Callable[[], T]]) -> list[T]:
    """Run acts in threads that begin together, each with a database connection of its own."""
    start = threading.Barrier(len(acts))

    def run(act: Callable[[], T]) -> T:
        start.wait(timeout=30)
        try:
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def rate_everything(rater: Rater) -> int:
    done = 0
    while True:
        try:
            page = next_assignment(rater=rater)
        except NoSeatLeft:
            return done
        submission = Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"})
        submit(assignment=page, version=page.version, submission=submission)
        done += 1


def test_twelve_raters_at_once_give_forty_items_exactly_three_ratings_each():
    cast = make_cast(items=40, overlap=3)
    raters = [consent(invitation=cast.invitation) for _ in range(12)]
    done = at_once([partial(rate_everything, rater) for rater in raters])
    assert sum(done) == 120
    given = list(Response.objects.filter(late=False).values_list("assignment__item", "assignment__rater"))
    assert set(Counter(item for item, _ in given).values()) == {3}
    assert len(set(given)) == len(given) == 120


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
