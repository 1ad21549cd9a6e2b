"""Studies take turns in each queue; short work of one does not wait for fifty reports of another."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from annotation.domain.base.jobs.queues import Queue
from annotation.models import Job, Study
from annotation.services.base.jobs import enqueue
from annotation.services.base.queues.turns import claim_next, shared_leases, turn_over, waiting

pytestmark = pytest.mark.django_db


@pytest.fixture
def many() -> Study:
    return Study.objects.create(slug="lamps", title="Lamps")


@pytest.fixture
def one() -> Study:
    return Study.objects.create(slug="birds", title="Birds")


def ask(study: Study | None, kind: str, number: int = 0) -> Job:
    return enqueue(kind=kind, study=study, params={"n": number}, created_by=None, announce=False)


def served(queue: Queue, times: int) -> list[Job]:
    leases = [claim_next(queue=queue) for _ in range(times)]
    return [lease.job for lease in leases if lease is not None]


def test_a_study_that_asks_for_fifty_jobs_keeps_no_other_study_waiting(many: Study, one: Study) -> None:
    of_many = [ask(many, "reliability", number) for number in range(50)]
    assert served(Queue.REPORTS, 2) == of_many[:2]
    of_one = [ask(one, "multiverse", number) for number in range(3)]
    of_none = ask(None, "replication")
    expected = [of_one[0], of_none, of_many[2], of_one[1], of_many[3], of_one[2], *of_many[4:]]
    assert served(Queue.REPORTS, 60) == expected


def test_the_most_urgent_of_a_study_goes_first_and_never_before_another_study(
    many: Study, one: Study
) -> None:
    bundle, preview = ask(many, "bundle"), ask(many, "exclusion_preview")
    other = ask(one, "bundle")
    assert served(Queue.REPORTS, 4) == [preview, other, bundle]


def test_a_queue_gives_only_its_own_jobs(many: Study) -> None:
    jobs = {
        Queue.MODELS: ask(many, "score"),
        Queue.REPORTS: ask(many, "reliability"),
        Queue.SHORT: ask(many, "import_items"),
        Queue.MESSAGES: ask(many, "webhook"),
    }
    assert {queue: served(queue, 2) for queue in jobs} == {queue: [job] for queue, job in jobs.items()}


def test_a_job_whose_worker_is_gone_waits_again_and_one_that_is_held_does_not(many: Study) -> None:
    job = ask(many, "reliability")
    assert served(Queue.REPORTS, 2) == [job]
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert served(Queue.REPORTS, 2) == [job]


def test_work_that_another_queue_has_is_not_waited_for(many: Study) -> None:
    ask(many, "reliability")
    assert not waiting([Queue.MODELS, Queue.SHORT, Queue.MESSAGES]).exists()
    assert waiting([Queue.MODELS, Queue.REPORTS]).exists()


def test_only_what_several_can_share_is_helped_with(many: Study) -> None:
    score, corpus = ask(many, "score"), ask(many, "corpus")
    assert set(served(Queue.MODELS, 2)) == {score, corpus}
    assert [lease.job for lease in shared_leases(queue=Queue.MODELS)] == [score]
    assert list(shared_leases(queue=Queue.REPORTS)) == []


def test_a_turn_is_over_when_it_was_long_and_another_study_waits(many: Study, one: Study) -> None:
    job = ask(many, "score")
    served(Queue.MODELS, 1)
    long_ago = time.monotonic() - settings.JOB_TURN_SECONDS - 1
    ask(many, "corpus")
    ask(one, "reliability")
    assert not turn_over(job, long_ago)
    ask(one, "score")
    assert (turn_over(job, long_ago), turn_over(job, time.monotonic())) == (True, False)
