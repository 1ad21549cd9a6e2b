"""Several acts at the same moment, each on a connection of its own."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connections

from annotation.domain.base.errors import NoSeatLeft
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from tests.support.studies.staged_study import SECOND, answer

T = TypeVar("T")


def at_once(acts: Sequence[Callable[[], T]]) -> list[T]:
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
    """Rate until nothing is left for this rater; how many pages."""
    done = 0
    while True:
        try:
            page = next_assignment(rater=rater)
        except NoSeatLeft:
            return done
        submission = Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"})
        submit(assignment=page, version=page.version, submission=submission)
        done += 1


def rate_both_stages(rater: Rater) -> int:
    """Rate whatever comes until nothing does; every item with an odd number is a metaphor."""
    done = 0
    while True:
        try:
            page = next_assignment(rater=rater)
        except NoSeatLeft:
            return done
        answer(page, answer_to(page))
        done += 1


def answer_to(page: Assignment) -> dict[str, str]:
    if page.form.key == SECOND:
        return {"quality": "3", "creativity": "3"}
    return {"metaphor": "yes" if int(page.item.key[1:]) % 2 else "no"}
