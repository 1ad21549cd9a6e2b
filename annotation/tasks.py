"""Tasks of workers: one for jobs of every kind, and the sweep."""

from __future__ import annotations

import logging
import time
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from celery import Task, current_app, shared_task
from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections
from django.utils.module_loading import import_string

from annotation.domain.base.errors import DiskFull, FileRefused, GroundworkError, InvalidContent, LeaseLost
from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.messages import message
from annotation.io.base.full_disk import is_disk_full
from annotation.models import Job
from annotation.services.base import jobs
from annotation.services.base.job_kinds import JobKind, kind_named, queue_of
from annotation.services.base.queues.guard import Guard
from annotation.services.base.queues.turns import claim_next, shared_leases, turn_over, waiting
from annotation.services.base.uploads.receiving import forget_uploads
from annotation.services.base.webhooks import retry_due
from annotation.services.pay.sending import request_due_readings
from annotation.services.people.nightly import request_nightly
from annotation.services.studies.deletion import request_due_deletions
from annotation.services.studies.demo import request_results_of_demo_scores
from annotation.services.studies.notices.flag_search import request_flag_searches
from annotation.services.studies.notices.mailing import request_notices
from annotation.services.studies.notices.noticing import note_events
from config.operations.worker_presence import working_on

logger = logging.getLogger(__name__)


def sweep_jobs(*, starting: bool = False) -> None:
    """Run by a timer inside every worker process; a database that is away is tried again next time."""
    close_old_connections()
    try:
        request_nightly()
        request_due_deletions()
        found = jobs.sweep(starting=starting)
        note_events()
        request_flag_searches()
        request_results_of_demo_scores()
        request_notices()
        request_due_readings()
        retry_due()
        forget_uploads()
    except DatabaseError:
        logger.exception("The sweep for unclaimed jobs failed")
        return
    if found:
        logger.info("Published %s unclaimed jobs again", found)


@shared_task(name=jobs.TASK, bind=True)
def run_next(task: Task[Any, Any], queue: str) -> None:
    """Do the job of a queue whose turn it is, or help with one that several can share; else do nothing."""
    guarded = not task.request.called_directly
    lease = claim_next(queue=Queue(queue))
    if lease is not None:
        with working_on(lease.job):
            _run(lease, guarded=guarded)
        return
    for shared in shared_leases(queue=Queue(queue)):
        with working_on(shared.job):
            _help(shared, guarded=guarded)


@shared_task(name="annotation.run_job", bind=True)
def run_job(task: Task[Any, Any], job_id: int) -> None:
    """Do one job, as messages of the version before name it; one of another worker's queue is passed on."""
    job = Job.objects.filter(pk=job_id).first()
    if job is None or job.ended:
        return
    if queue_of(job.kind) not in _consumed():
        jobs.publish(job=job)
    elif (lease := jobs.claim(job_id=job_id)) is not None:
        with working_on(lease.job):
            _run(lease, guarded=not task.request.called_directly)


def _run(lease: jobs.Lease, *, guarded: bool) -> None:
    """Do a job that this worker holds, and store why it failed where it did."""
    job = lease.job
    try:
        kind = kind_named(job.kind)
        begun = time.monotonic()
        lease.soft_end = begun + kind.soft_seconds
        if kind.helpers:
            lease.needed_elsewhere = lambda: turn_over(job, begun)
        with _watch(lease, kind, guarded=guarded):
            import_string(kind.run)(lease=lease)
    except LeaseLost:
        logger.warning("Job %s was taken over or cancelled", job.pk)
    except FileRefused as refusal:
        sentence = message("Nothing was saved. %(reason)s", reason=refusal.problems[0].sentence)
        lease.fail(code=refusal.code, message=sentence, quotes_input=True)
    except InvalidContent as refusal:
        lease.fail(code=refusal.code, message=refusal.message, quotes_input=True)
    except GroundworkError as refusal:
        lease.fail(code=refusal.code, message=refusal.message)
    except Exception as fault:  # the task boundary: the job must say that it failed
        logger.exception("Job %s met a fault", job.pk)
        _note_fault(lease, fault)


def _note_fault(lease: jobs.Lease, fault: Exception) -> None:
    """Store why a job failed; without its database, leave it to the worker that finds its lease expired."""
    if is_disk_full(fault):
        lease.fail(code=DiskFull.code, message=DiskFull().message)
    elif isinstance(fault, OperationalError | InterfaceError):
        logger.warning("Job %s lost its database and will be begun again", lease.job.pk)
    else:
        sentence = message("The work failed (%(error)s); see the worker's log.", error=type(fault).__name__)
        lease.fail(code="fault", message=sentence)


def _help(shared: jobs.Lease, *, guarded: bool) -> None:
    """Take pieces of a job that another worker holds, until other work waits for this one."""
    job = shared.job
    shared.needed_elsewhere = lambda: waiting(_consumed()).exists()
    try:
        kind = kind_named(job.kind)
        with _watch(shared, kind, guarded=guarded):
            import_string(kind.run)(lease=shared, helping=True)
    except LeaseLost:
        logger.warning("Job %s was taken over or cancelled", job.pk)
    except GroundworkError as refusal:
        logger.warning("This worker cannot help with job %s: %s", job.pk, refusal.message)
    else:
        if shared.needed_elsewhere() and not shared.lost():
            jobs.publish(job=job)


def _watch(lease: jobs.Lease, kind: JobKind, *, guarded: bool) -> AbstractContextManager[object]:
    """The guard of a job in a worker; a command or a test must not be killed for its job."""
    return Guard(lease, kind.hard_seconds) if guarded else nullcontext()


def _consumed() -> list[Queue]:
    """The queues of this worker."""
    names = current_app.amqp.queues.consume_from
    return [queue for queue in Queue if queue.broker_name in names]
