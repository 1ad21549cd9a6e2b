"""Each application registers its jobs; a job of a kind that is not registered fails with a stable code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.db import OperationalError, connection
from django.utils import timezone
from django.utils.module_loading import import_string
from psycopg.errors import DiskFull

from annotation.domain.base.errors import NotAllowedNow, UnknownJobKind
from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.states import JobState
from annotation.models import Job, Study
from annotation.services.base.job_kinds import (
    JobKind,
    kind_named,
    pause,
    queue_of,
    register,
    registered_kinds,
    resume,
)
from annotation.services.base.jobs import claim, enqueue, sweep
from annotation.tasks import run_job, run_next

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return Study.objects.create(slug="lamps", title="Lamps")


def job_of(study: Study, kind: str, state: JobState = JobState.QUEUED) -> Job:
    return Job.objects.create(study=study, kind=kind, state=state)


@pytest.mark.parametrize("kind", registered_kinds(), ids=lambda kind: kind.key)
def test_every_path_of_a_kind_leads_to_a_function(kind: JobKind) -> None:
    paths = [path for path in (kind.run, kind.pause, kind.resume) if path is not None]
    assert all(callable(import_string(path)) for path in paths)


def test_both_applications_register_their_jobs() -> None:
    owners = {kind.run.partition(".")[0] for kind in registered_kinds()}
    assert owners == {"annotation", "scoring"}


def test_a_kind_is_registered_once() -> None:
    with pytest.raises(ValueError, match="reliability"):
        register(replace(kind_named("reliability"), run="scoring.services.metrics.metrics.compute_metrics"))


def test_work_of_an_unknown_kind_is_refused_and_stores_nothing(study: Study) -> None:
    with pytest.raises(UnknownJobKind) as refused:
        enqueue(kind="tea", study=study, params={}, created_by=None)
    assert refused.value.code == "unknown_job_kind"
    assert not Job.objects.exists()


def test_a_waiting_job_of_an_unknown_kind_fails_and_disturbs_no_other(study: Study) -> None:
    job = job_of(study, "tea")
    assert sweep() == 1
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error_code) == (JobState.FAILED, "unknown_job_kind")
    assert "'tea'" in job.error


def test_a_job_named_by_an_old_message_is_passed_on_by_a_worker_that_does_not_take_its_queue(
    study: Study,
) -> None:
    job = job_of(study, "score")
    queues = current_app.amqp.queues
    queues.select([queue_of("reliability").broker_name])
    try:
        run_job(job.pk)
    finally:
        queues.select([queue.broker_name for queue in Queue])
    job.refresh_from_db()
    assert (job.state, job.attempt, job.published_at is not None) == (JobState.QUEUED, 0, True)


def test_a_job_that_loses_its_database_is_begun_again_and_one_without_room_says_so(study: Study) -> None:
    job = job_of(study, "reliability")

    def fails_with(error: Exception) -> Callable[..., Any]:
        def execute(ask: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
            if "annotation_form" in sql:
                raise error
            return ask(sql, params, many, context)

        return execute

    away = OperationalError("server closed the connection unexpectedly")
    with connection.execute_wrapper(fails_with(away)):
        run_next(Queue.REPORTS)
    job.refresh_from_db()
    assert (job.state, job.attempt, job.error_code) == (JobState.RUNNING, 1, "")
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert sweep() == 1

    full = OperationalError("could not extend file")
    full.__cause__ = DiskFull("could not extend file")
    with connection.execute_wrapper(fails_with(full)):
        run_next(Queue.REPORTS)
    job.refresh_from_db()
    assert (job.state, job.attempt, job.error_code) == (JobState.FAILED, 2, "disk_full")
    assert job.error.startswith("Nothing was saved, because the disk of this installation is full.")


@pytest.mark.parametrize("kind", ["reliability", "tea"])
def test_a_worker_does_not_help_with_a_job_that_cannot_be_shared(study: Study, kind: str) -> None:
    job = job_of(study, kind)
    assert claim(job_id=job.pk) is not None
    run_next(queue_of(kind))
    job.refresh_from_db()
    assert (job.state, job.attempt, job.error_code) == (JobState.RUNNING, 1, "")


@pytest.mark.parametrize(
    ("kind", "state", "paused", "resumed"),
    [
        ("reliability", JobState.RUNNING, "cannot_be_paused", "cannot_be_resumed"),
        ("score", JobState.RUNNING, None, "job_under_way"),
        ("score", JobState.DONE, "job_ended", "job_done"),
        ("tea", JobState.RUNNING, "unknown_job_kind", "unknown_job_kind"),
    ],
)
def test_how_a_job_is_paused_and_resumed_is_for_its_kind_to_say(
    study: Study, kind: str, state: JobState, paused: str | None, resumed: str
) -> None:
    job = job_of(study, kind, state)
    with pytest.raises((NotAllowedNow, UnknownJobKind)) as refused:
        resume(job=job, actor=None)
    assert refused.value.code == resumed
    if paused is None:
        assert pause(job=job).error_code == "paused"
        return
    with pytest.raises((NotAllowedNow, UnknownJobKind)) as refused:
        pause(job=job)
    assert refused.value.code == paused
    job.refresh_from_db()
    assert job.state == state
