"""A job that waits says why where no worker takes its queue, and other jobs say nothing of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.states import Role
from annotation.models import Job, Membership, Study, User, WorkerProcess
from annotation.services.base.job_kinds import queue_of

pytestmark = pytest.mark.django_db

MODELS = Queue.MODELS.broker_name
OTHERS = [queue.broker_name for queue in Queue if queue is not Queue.MODELS]


@pytest.fixture
def member(client: Client) -> Client:
    study = Study.objects.create(slug="lamps", title="Lamps")
    user = User.objects.create_user("one@example.org")
    Membership.objects.create(study=study, user=user, role=Role.RESEARCHER)
    client.force_login(user)
    return client


def start_worker(*queues: str, silent: int = 0, age: int = 3600) -> None:
    now = timezone.now()
    WorkerProcess.objects.create(
        name=f"celery@{queues[0]}",
        host="here",
        pid=1,
        version="1",
        queues=list(queues),
        slot_beats=[now.timestamp()],
        started_at=now - timedelta(seconds=age),
        seen_at=now - timedelta(seconds=silent),
    )


def waiting(kind: str, queue: Queue) -> Job:
    assert queue_of(kind) is queue
    return Job.objects.create(kind=kind, study=Study.objects.get(), params={})


def pages(client: Client, job: Job) -> tuple[str, str]:
    """The page of the job, and that of all jobs."""
    one = client.get(reverse("job", args=[job.pk])).content.decode()
    return one, client.get(reverse("study-jobs", args=["lamps"])).content.decode()


def test_a_job_whose_queue_no_worker_takes_says_so_and_others_do_not(member: Client) -> None:
    start_worker(*OTHERS)
    scores, report = waiting("score", Queue.MODELS), waiting("reliability", Queue.REPORTS)
    sentence = f"No worker serves the queue {MODELS}. Jobs wait until one is started for it."
    one, every = pages(member, scores)
    assert sentence in one
    assert every.count(sentence) == 1
    assert "No worker" not in pages(member, report)[0]


def test_while_workers_start_a_job_says_so_instead_of_that_none_serves_its_queue(
    member: Client, settings: Any
) -> None:
    job = waiting("score", Queue.MODELS)
    settings.SERVED_SINCE = int(timezone.now().timestamp()) - 20
    assert all("Workers are starting." in page for page in pages(member, job))
    start_worker(MODELS, silent=70)
    assert all("Workers are starting." in page for page in pages(member, job))
    settings.SERVED_SINCE -= 60
    assert not any("starting" in page for page in pages(member, job))
    start_worker(*OTHERS, age=20)
    sentence = f"Workers are still starting. None serves the queue {MODELS} yet."
    assert all(sentence in page and "No worker" not in page for page in pages(member, job))


def test_a_job_whose_queue_only_a_silent_worker_takes_says_so(member: Client) -> None:
    start_worker(*OTHERS)
    start_worker(MODELS, silent=70)
    sentence = f"No responding worker serves the queue {MODELS}. Jobs wait until one does."
    assert all(sentence in page for page in pages(member, waiting("score", Queue.MODELS)))


def test_a_worker_that_reported_since_the_start_and_stopped_responding_is_not_starting(
    member: Client, settings: Any
) -> None:
    settings.SERVED_SINCE = int(timezone.now().timestamp()) - 55
    start_worker(*OTHERS, age=54)
    start_worker(MODELS, silent=45, age=54)
    sentence = f"No responding worker serves the queue {MODELS}. Jobs wait until one does."
    assert all(sentence in page for page in pages(member, waiting("score", Queue.MODELS)))


def test_a_job_whose_queue_a_worker_takes_says_nothing(member: Client) -> None:
    start_worker(*OTHERS)
    start_worker(MODELS)
    assert not any("No worker" in page for page in pages(member, waiting("score", Queue.MODELS)))


def test_without_any_worker_a_list_says_so_once(member: Client) -> None:
    job = waiting("score", Queue.MODELS)
    waiting("reliability", Queue.REPORTS)
    one, every = pages(member, job)
    assert "No worker is running." in one
    assert every.count("No worker") == 1


def test_a_silent_worker_s_job_is_taken_over_only_where_another_takes_its_queue(member: Client) -> None:
    start_worker(*OTHERS)
    long_ago = timezone.now() - timedelta(seconds=70)
    job = waiting("score", Queue.MODELS)
    Job.objects.update(state="running", started_at=long_ago, heartbeat=long_ago)
    assert "Another worker will take over the job" not in pages(member, job)[0]
    start_worker(MODELS)
    assert "Another worker will take over the job" in pages(member, job)[0]


PAGES = {
    "adjudication": "study-adjudication",
    "bundle": "study-exports",
    "generalisability": "study-generalisability",
    "item_figures": "study-disagreement",
    "judges": "study-judges",
    "metrics": "study-metrics",
    "mixed_model": "study-mixed-model",
    "multiverse": "study-multiverse",
    "new_raters": "study-new-raters",
    "power": "study-power",
    "release": "study-releases",
    "reliability": "study-reliability",
    "score": "study-score-runs",
}


@pytest.mark.parametrize(("kind", "name"), PAGES.items())
def test_the_page_that_shows_a_job_says_what_keeps_it_waiting_before_any_script_asks(
    member: Client, kind: str, name: str
) -> None:
    Membership.objects.update(role=Role.OWNER)
    Job.objects.create(
        kind=kind, study=Study.objects.get(), params={"pay": False} if kind == "bundle" else {}
    )
    address = reverse(name, args=["lamps"])
    sentence = "No worker is running. Jobs wait until a worker starts."
    assert member.get(address).content.decode().count(sentence) == 1
    start_worker(*(queue.broker_name for queue in Queue))
    assert "No worker" not in member.get(address).content.decode()
