"""Whose turn it is: the study that was served longest ago, then its most urgent job, then its oldest."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from datetime import UTC, datetime

from django.conf import settings
from django.db.models import Max, Min, Q, QuerySet

from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.states import JobState
from annotation.models import Job
from annotation.services.base.job_kinds import queue_of, registered_kinds
from annotation.services.base.jobs import Lease, claim, lease_over, shared_lease

NEVER = datetime.min.replace(tzinfo=UTC)


def waiting(queues: Collection[Queue]) -> QuerySet[Job]:
    """The jobs of some queues that a worker may claim: those that wait, and those without their worker.

    Parameters
    ----------
    queues : collection of Queue
        Theirs.
    """
    free = Q(state=JobState.QUEUED) | (Q(state=JobState.RUNNING) & lease_over())
    found = Job.objects.filter(free, attempt__lt=settings.JOB_MAX_ATTEMPTS)
    if Queue.SHORT in queues:
        # Also jobs of unregistered kinds, which end here with the reason.
        return found.exclude(kind__in=_kinds_in(set(Queue) - set(queues)))
    return found.filter(kind__in=_kinds_in(queues))


def claim_next(*, queue: Queue) -> Lease | None:
    """Claim the job of a queue whose turn it is; None where nothing waits.

    Parameters
    ----------
    queue : Queue
        Of which the worker has been notified.
    """
    while (chosen := _next(queue)) is not None:
        lease = claim(job_id=chosen)
        # If another worker has claimed it first, another job is chosen.
        if lease is not None:
            return lease
    return None


def turn_over(job: Job, begun: float) -> bool:
    """Whether an interruptible job has used up its turn while another study waits.

    Parameters
    ----------
    job : Job
        Under way.
    begun : float
        When the worker claimed it, on the clock of `time.monotonic`.
    """
    if time.monotonic() - begun < settings.JOB_TURN_SECONDS:
        return False
    return waiting([queue_of(job.kind)]).exclude(study=job.study_id).exists()


def shared_leases(*, queue: Queue) -> Iterator[Lease]:
    """The leases of the jobs of a queue that others are working on and that several can share.

    Parameters
    ----------
    queue : Queue
        Of which the worker has been notified.
    """
    kinds = [kind.key for kind in registered_kinds() if kind.queue == queue and kind.helpers]
    under_way = Job.objects.filter(kind__in=kinds, state=JobState.RUNNING).order_by("started_at", "pk")
    for job_id in list(under_way.values_list("pk", flat=True)):
        lease = shared_lease(job_id=job_id)
        if lease is not None:
            yield lease


def _next(queue: Queue) -> int | None:
    found = waiting([queue]).order_by().values_list("study_id", "kind").annotate(oldest=Min("pk"))
    oldest = list(found)
    if not oldest:
        return None
    studies = {study for study, _, _ in oldest}
    served = _last_served(queue, studies) if len(studies) > 1 else {}
    priority = {kind.key: kind.priority for kind in registered_kinds()}
    turns = ((served.get(study, NEVER), -priority.get(kind, 0), job_id) for study, kind, job_id in oldest)
    chosen: int = min(turns)[-1]
    return chosen


def _last_served(queue: Queue, studies: Collection[int | None]) -> dict[int | None, datetime]:
    """When each study was last served in the queue; jobs without a study count as one study."""
    theirs = Q(study__in=[study for study in studies if study is not None])
    if None in studies:
        theirs |= Q(study=None)
    begun = Job.objects.filter(theirs, kind__in=_kinds_in([queue]), started_at__isnull=False)
    return dict(begun.order_by().values_list("study_id").annotate(last=Max("started_at")))


def _kinds_in(queues: Collection[Queue]) -> list[str]:
    return [kind.key for kind in registered_kinds() if kind.queue in queues]
