"""Checks of jobs and webhook deliveries."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.db.models import F, Q

from annotation.domain.base.states import ENDED_JOBS, JobState
from annotation.models import Job, WebhookDelivery
from annotation.selectors.studies.verify.breach import Breach, Rule
from config.postgresql.shared_clock import now_in_queries

ABANDONED = Rule(
    "job_abandoned",
    "It is running, but no worker has renewed its lease for a long time.",
    "Start a worker. It restarts the job within seconds.",
)
NO_LEASE = Rule(
    "job_without_lease",
    "It is running without a lease, so no worker will finish it.",
    "Cancel it on the “Jobs” page, or set state to 'queued'.",
)
HELD_AFTER_END = Rule(
    "ended_job_held", "It has ended, but still has a lease.", "Set lease and lease_until to NULL."
)
NEVER_ENDED = Rule("job_end_missing", "It has ended, but finished_at is empty.", "Set finished_at.")
TOO_MUCH_DONE = Rule(
    "job_progress_wrong",
    "Its number of completed steps is higher than its total.",
    "Set done to total. Only the progress display uses it.",
)
SENT_AND_WAITING = Rule(
    "message_sent_and_waiting", "It was delivered, but is scheduled to be sent again.", "Set next_at to NULL."
)


def find_wrong_jobs() -> Iterator[Breach]:
    """Yield jobs whose row does not match their state; a worker may notice a lost lease late."""
    patience = timedelta(seconds=settings.JOB_LEASE_SECONDS + 4 * settings.JOB_SWEEP_SECONDS)
    running, ended = Job.objects.filter(state=JobState.RUNNING), Job.objects.filter(state__in=ENDED_JOBS)
    yield from ABANDONED.breaches(running.filter(lease_until__lt=now_in_queries() - patience))
    yield from NO_LEASE.breaches(running.filter(Q(lease=None) | Q(lease_until=None)))
    yield from NEVER_ENDED.breaches(ended.filter(finished_at=None))
    yield from HELD_AFTER_END.breaches(ended.filter(state=JobState.DONE, lease__isnull=False))
    yield from TOO_MUCH_DONE.breaches(Job.objects.filter(done__gt=F("total"), total__gt=0))
    both = WebhookDelivery.objects.filter(delivered_at__isnull=False, next_at__isnull=False)
    yield from SENT_AND_WAITING.breaches(both)
