"""A clock that jumps by hours loses no answer, doubles none, and gives no item a rating too many."""

from __future__ import annotations

import random
from collections import Counter
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.domain.base.errors import LeaseLost
from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.states import StudyState
from annotation.models import Job, Response, Study
from annotation.services.base.jobs import claim, enqueue
from annotation.services.base.queues.turns import waiting
from annotation.services.people.retention import set_retention
from annotation.services.studies.lifecycle import change_state
from annotation.tasks import run_next
from scoring.services.reports.verification import verify
from tests.support.people import Cast, join, make_cast
from tests.support.studies.answers import answer_for

pytestmark = pytest.mark.django_db
RIGHT = timezone.now
JUMPS = [timedelta(hours=hours) for hours in (-26, -3, -1, 0, 0, 0, 1, 3, 26)]


class Clock:
    """The clock of the machine, some time before or after the right one."""

    def __init__(self) -> None:
        self.off = timedelta()

    def now(self) -> datetime:
        return RIGHT() + self.off


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    monkeypatch.setattr(timezone, "now", moved.now)
    return moved


def rate_in_any_order(cast: Cast, raters: list[APIClient], clock: Clock, seed: int) -> int:
    """Raters ask for pages and answer them, and the clock jumps in between; how many are acknowledged."""
    chance, open_pages, acknowledged = random.Random(seed), dict[int, dict[str, object]](), 0
    address, working = f"/api/v1/rate/{cast.slug}/next/", list(range(len(raters)))
    for _ in range(200):
        if not working:
            return acknowledged
        clock.off = chance.choice(JUMPS)
        number = chance.choice(working)
        if number in open_pages:
            answer = raters[number].post(address, answer_for(open_pages.pop(number)), format="json")
            assert answer.status_code == 201, answer.json()
            acknowledged += 1
        elif (page := raters[number].get(address)).status_code == 200:
            open_pages[number] = page.json()
        elif len(open_pages) < len(working):
            working.remove(number)
    raise AssertionError("Raters who have answered all they may are not told so.")


@pytest.mark.parametrize("seed", range(3))
def test_an_acknowledged_answer_is_stored_once_and_every_item_has_its_ratings(
    clock: Clock, seed: int
) -> None:
    cast = make_cast(items=2, overlap=2)
    raters = [join(cast.invitation)[1] for _ in range(6)]
    acknowledged = rate_in_any_order(cast, raters, clock, seed)
    clock.off = timedelta()
    assert Response.objects.count() == acknowledged
    in_time = Counter(Response.objects.filter(late=False).values_list("assignment__item__key", flat=True))
    assert set(in_time.values()) == {2}
    assert len(in_time) == 2
    assert verify() == []


def test_a_job_is_claimed_once_while_its_worker_renews_it_and_again_when_it_does_not(clock: Clock) -> None:
    cast = make_cast(items=1)
    job = enqueue(kind="reliability", study=cast.study, params={}, created_by=None, announce=False)
    first = claim(job_id=job.pk)
    assert first is not None
    clock.off = timedelta(hours=-3)
    first.renew()
    assert claim(job_id=job.pk) is None
    clock.off = timedelta(hours=3)
    if connection.vendor == "postgresql":
        # Its clock goes on as before, and it alone says when a lease is over.
        assert claim(job_id=job.pk) is None
        Job.objects.filter(pk=job.pk).update(lease_until=RIGHT() - timedelta(seconds=1))
    second = claim(job_id=job.pk)
    assert second is not None
    with pytest.raises(LeaseLost):
        first.renew()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="with SQLite there is one machine")
@pytest.mark.parametrize("off", [timedelta(minutes=-30), timedelta(minutes=30)])
def test_a_worker_whose_clock_is_wrong_keeps_what_it_holds_and_takes_nothing_from_others(
    clock: Clock, off: timedelta
) -> None:
    """More than `FAR_AHEAD` leases: another worker took it for one from before the clock was set back."""
    cast = make_cast(items=1)
    job = enqueue(kind="reliability", study=cast.study, params={}, created_by=None, announce=False)
    clock.off = off
    lease = claim(job_id=job.pk)
    assert lease is not None
    clock.off = timedelta()
    assert claim(job_id=job.pk) is None
    assert not waiting(list(Queue)).exists()
    lease.renew()
    clock.off = off
    assert claim(job_id=job.pk) is None
    lease.complete(lambda: None)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="with SQLite there is one machine")
@pytest.mark.parametrize(("off", "difference"), [(26, "1,560 min ahead of"), (-26, "1,560 min behind")])
def test_nothing_is_erased_by_a_worker_whose_clock_is_not_the_databases(
    clock: Clock, off: int, difference: str
) -> None:
    cast = make_cast(items=1)
    periods = {"keep_about_days": None, "keep_ids_days": 1, "keep_activity_days": None}
    set_retention(study=cast.study, actor=cast.users["owner"], periods=periods)
    clock.off = timedelta(hours=-off)
    study = change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    assert study.closed_at is not None
    assert abs(study.closed_at - RIGHT()) < timedelta(minutes=1)
    clock.off = timedelta(hours=off)
    job = Job.objects.create(kind="nightly", params={"day": "2026-01-01"})
    run_next(Queue.SHORT.value)
    job.refresh_from_db()
    assert (job.state, job.error_code) == ("failed", "clocks_differ")
    assert difference in job.error
    assert study.raters.filter(user__isnull=False).exists()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="with SQLite there is one machine")
def test_no_study_is_deleted_by_a_worker_whose_clock_is_not_the_databases(clock: Clock) -> None:
    study = make_cast(items=1).study
    Study.objects.filter(pk=study.pk).update(state="closed", deleted_after=RIGHT() - timedelta(days=1))
    clock.off = timedelta(hours=26)
    job = Job.objects.create(kind="delete_study", params={"study": study.pk})
    run_next(Queue.SHORT.value)
    job.refresh_from_db()
    assert (job.state, job.error_code) == ("failed", "clocks_differ")
    assert Study.objects.get(pk=study.pk).deletion_began_at is None
