"""What workers do for the collecting side."""

from __future__ import annotations

import logging
from collections.abc import Callable

from celery import shared_task
from django.db import DatabaseError, close_old_connections

from annotation.domain.errors import FileRefused, GroundworkError, LeaseLost
from annotation.services import jobs
from annotation.services.adjudication_cases import run_search
from annotation.services.item_files import store_file
from annotation.services.webhooks import deliver, retry_due

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


@shared_task(name="annotation.import_items")
def import_items_task(job_id: int) -> None:
    """Store the items of a file that was checked."""
    _work(job_id, lambda lease: store_file(lease=lease))


@shared_task(name="annotation.webhook")
def webhook_task(job_id: int) -> None:
    """Send one message to an address that is told of events."""
    _work(job_id, lambda lease: deliver(lease=lease))


@shared_task(name="annotation.adjudication")
def adjudication_task(job_id: int) -> None:
    """Look for items on which raters differ by a rule."""
    _work(job_id, lambda lease: run_search(lease=lease))


def _work(job_id: int, do: Callable[[jobs.Lease], object]) -> None:
    """Claim a job and do it, and say how it ended where it failed."""
    lease = jobs.claim(job_id=job_id)
    if lease is None:
        return
    try:
        do(lease)
    except LeaseLost:
        logger.warning("Job %s was taken over or cancelled", job_id)
    except FileRefused as refusal:
        lease.fail(code=refusal.code, message=f"Nothing was stored. {refusal.problems[0]}")
    except GroundworkError as refusal:
        lease.fail(code=refusal.code, message=refusal.message)
    except Exception as fault:  # the task boundary: the job must say that it failed
        logger.exception("Job %s failed", job_id)
        lease.fail(code="fault", message=f"The work failed ({type(fault).__name__}); see the worker's log.")
