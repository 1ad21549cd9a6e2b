"""What workers do: one task for jobs of every kind, and the sweep."""

from __future__ import annotations

import logging

from celery import shared_task
from django.db import DatabaseError, close_old_connections
from django.utils.module_loading import import_string

from annotation.domain.base.errors import FileRefused, GroundworkError, LeaseLost
from annotation.services.base import jobs
from annotation.services.base.job_kinds import kind_named
from annotation.services.base.webhooks import retry_due

logger = logging.getLogger(__name__)


def sweep_jobs(*, starting: bool = False) -> None:
    """Run by a timer inside every worker process; a database that is away is tried again next time."""
    close_old_connections()
    try:
        found = jobs.sweep(starting=starting)
        retry_due()
    except DatabaseError:
        logger.exception("The sweep for unclaimed jobs failed")
        return
    if found:
        logger.info("Published %s unclaimed jobs again", found)


@shared_task(name=jobs.TASK)
def run_job(job_id: int) -> None:
    """Do a waiting job, or help the workers that share it; a job that neither applies to is left alone."""
    lease = jobs.claim(job_id=job_id)
    if lease is not None:
        _run(lease)
        return
    shared = jobs.shared_lease(job_id=job_id)
    if shared is not None:
        _help(shared)


def _run(lease: jobs.Lease) -> None:
    """Do a job that this worker holds, and store why it failed where it did."""
    job = lease.job
    try:
        import_string(kind_named(job.kind).run)(lease=lease)
    except LeaseLost:
        logger.warning("Job %s was taken over or cancelled", job.pk)
    except FileRefused as refusal:
        lease.fail(code=refusal.code, message=f"Nothing was stored. {refusal.problems[0]}")
    except GroundworkError as refusal:
        lease.fail(code=refusal.code, message=refusal.message)
    except Exception as fault:  # the task boundary: the job must say that it failed
        logger.exception("Job %s failed", job.pk)
        lease.fail(code="fault", message=f"The work failed ({type(fault).__name__}); see the worker's log.")


def _help(shared: jobs.Lease) -> None:
    """Take pieces of a job that another worker holds, where its kind can be shared."""
    job = shared.job
    try:
        kind = kind_named(job.kind)
        if kind.helpers:
            import_string(kind.run)(lease=shared, helping=True)
    except LeaseLost:
        logger.warning("Job %s was taken over or cancelled", job.pk)
    except GroundworkError as refusal:
        logger.warning("This worker cannot help with job %s: %s", job.pk, refusal.message)
