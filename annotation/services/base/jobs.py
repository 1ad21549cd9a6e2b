"""Jobs: enqueued as rows, announced to the workers of their queue, claimed by compare-and-set on a lease.

The row is the truth. A message only says that something of a queue may be claimed, so one that is lost,
doubled or late changes nothing: who receives it claims the job whose turn it is, or none, and the sweep
publishes again the jobs that no worker holds.
"""

from __future__ import annotations

import logging
import math
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from celery import current_app
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from annotation.domain.base.errors import LeaseLost, NotAllowedNow, OutOfTime
from annotation.domain.base.jobs.pace import Pace
from annotation.domain.base.messages import as_stored, message
from annotation.domain.base.states import JobState
from annotation.models import Job, Study, User
from annotation.services.base.job_kinds import kind_named, queue_of
from config.postgresql.shared_clock import now_in_queries

logger = logging.getLogger(__name__)

TASK = "annotation.run_next"
# How many workers are notified of work that they can share.
SHARED_BY = 8
UNFINISHED = Q(state__in=[JobState.QUEUED, JobState.RUNNING])
BEAT_EVERY = 0.4
# A lease that ends more than this many lease periods from now was granted before the clock was set back.
FAR_AHEAD = 10
PAUSED = "paused"
T = TypeVar("T")


def enqueue(
    *, kind: str, study: Study | None, params: dict[str, Any], created_by: User | None, announce: bool = True
) -> Job:
    """Ask for long work; if the same work is already under way in the study, its job is returned.

    Parameters
    ----------
    kind : str
        The key of a registered kind.
    study, created_by
        None for work without a study, or without a requester.
    params : dict
        JSON values for the task.
    announce : bool
        Notify the workers when the transaction commits; False where the caller claims the job itself.

    Raises
    ------
    UnknownJobKind
        No application has registered the kind (`unknown_job_kind`).
    """
    kind_named(kind)
    if study is None:
        same = Job.objects.filter(UNFINISHED, kind=kind, study=None, params=params).first()
        if same is not None:
            return same
    while True:
        try:
            with transaction.atomic():
                job = Job.objects.create(kind=kind, study=study, params=params, created_by=created_by)
                if announce:
                    transaction.on_commit(partial(publish, job=job))
                return job
        except IntegrityError:
            under_way = Job.objects.filter(UNFINISHED, kind=kind, study=study, params=params).first()
        # If that one has just ended, the new job is created after all.
        if under_way is not None:
            return under_way


def publish(*, job: Job) -> None:
    """Notify the workers of a job's queue. If the broker is down, the sweep does so later.

    Parameters
    ----------
    job : Job
        Waiting, or under way where several can share it.
    """
    queue = queue_of(job.kind)
    try:
        current_app.send_task(TASK, args=[queue.value], queue=queue.broker_name)
    except (OperationalError, OSError) as error:
        logger.warning("Job %s was not published, the sweep will: %s", job.pk, error)
        return
    Job.objects.filter(pk=job.pk).update(published_at=timezone.now())


def never() -> bool:
    """Nothing else waits."""
    return False


@dataclass
class Lease:
    """The right of one worker to work on one job, until it runs out unrenewed.

    Parameters
    ----------
    job : Job
        As it was when it was claimed.
    token : UUID
        Distinguishes this claim from all others.
    soft_end : float
        When the job has had its time, on the clock of `time.monotonic`; without end for commands.
    needed_elsewhere : callable
        Asked between pieces of work that can be shared: whether other work has waited long enough for this
        worker.
    """

    job: Job
    token: uuid.UUID
    soft_end: float = math.inf
    needed_elsewhere: Callable[[], bool] = never
    _beaten: float = field(default=0.0, repr=False)
    _pace: Pace = field(default_factory=Pace, repr=False)

    def beat(self, done: int, total: int, step: str = "") -> None:
        """Renew the lease and store the progress; at most every `BEAT_EVERY` seconds.

        Raises
        ------
        LeaseLost
            The job was taken over or cancelled: stop, and write nothing.
        OutOfTime
            The job has worked longer than its kind may (`time_limit`).
        """
        if time.monotonic() - self._beaten < BEAT_EVERY and done < total:
            return
        self._beaten = time.monotonic()
        self._renew(done=done, total=total, step=step[:120], expected_end=self._expected_end(done, total))

    def renew(self) -> None:
        """Renew the lease and leave the progress as it is; the same errors as `beat`."""
        self._renew()

    def advance(self, by: int) -> None:
        """Count pieces of shared work as done, and renew the lease; the same errors as `beat`."""
        done, total = self._mine().values_list("done", "total").first() or (0, 0)
        self._renew(done=F("done") + by, expected_end=self._expected_end(done + by, total))

    def hold(self) -> bool:
        """Renew the lease for a worker that is in the middle of a step; False where it is lost."""
        return bool(self._mine().update(heartbeat=timezone.now(), lease_until=lease_end()))

    def lost(self) -> bool:
        """Whether the job was cancelled, deleted or taken over; one that is done is not lost."""
        state, token = Job.objects.filter(pk=self.job.pk).values_list("state", "lease").first() or ("", None)
        return state != JobState.DONE and (state != JobState.RUNNING or token != self.token)

    def complete(self, write: Callable[[], T]) -> T:
        """Store the result by `write` and end the job, both or neither.

        Parameters
        ----------
        write : callable
            Stores the result; runs only where the lease still holds.
        """
        with transaction.atomic():
            changed = self._mine().update(
                state=JobState.DONE, done=F("total"), lease=None, lease_until=None, finished_at=timezone.now()
            )
            if not changed:
                raise LeaseLost(f"Job {self.job.pk} is no longer held by this worker.")
            return write()

    def give_back(self) -> None:
        """Let the job wait again, if it has not ended; what it stored stays, and no attempt is counted.

        Its study counts as served until now: with several workers another study may have been served while
        this one was at work, and would otherwise wait for its turn again.
        """
        waits = self._mine().update(
            state=JobState.QUEUED,
            lease=None,
            lease_until=None,
            expected_end=None,
            attempt=F("attempt") - 1,
            started_at=timezone.now(),
        )
        if waits:
            publish(job=self.job)

    def fail(self, *, code: str, message: str, quotes_input: bool = False) -> None:
        """End the job with a stable code and a sentence for a person.

        Parameters
        ----------
        code : str
            Stable code of the error.
        message : str
            What happened and what to do. The log has it too.
        quotes_input : bool
            The sentence quotes input that may be about a person: the log has only the code.
        """
        ended = self._mine().update(
            state=JobState.FAILED,
            error_code=code[:60],
            error=message,
            error_sentence=as_stored(message),
            lease=None,
            lease_until=None,
            finished_at=timezone.now(),
        )
        if ended:
            logged = "The “Jobs” page has the reason." if quotes_input else message
            logger.warning("Job %s failed: %s: %s", self.job.pk, code, logged)

    def _renew(self, **progress: Any) -> None:
        if time.monotonic() > self.soft_end:
            raise OutOfTime(kind_named(self.job.kind).soft_seconds)
        if not self._mine().update(heartbeat=timezone.now(), lease_until=lease_end(), **progress):
            raise LeaseLost(f"Job {self.job.pk} is no longer held by this worker.")

    def _expected_end(self, done: int, total: int) -> datetime | None:
        left = self._pace.seconds_left(time.monotonic(), done, total)
        return None if left is None else timezone.now() + timedelta(seconds=left)

    def _mine(self) -> Any:
        return Job.objects.filter(pk=self.job.pk, lease=self.token, state=JobState.RUNNING)


def lease_over() -> Q:
    """Leases that have run out, and those from before the shared clock was set back.

    A worker that still holds one of these renews it within seconds; without one it would be held for as
    long as the clock was set back. The clocks of workers do not matter, unless the database is SQLite.
    """
    now = now_in_queries()
    far_ahead = now + timedelta(seconds=FAR_AHEAD * settings.JOB_LEASE_SECONDS)
    return Q(lease_until__lt=now) | Q(lease_until__gt=far_ahead)


def claim(*, job_id: int) -> Lease | None:
    """Claim a waiting job, or one whose worker has not renewed its lease; None where another has it.

    Parameters
    ----------
    job_id : int
        The job.
    """
    now, token = timezone.now(), uuid.uuid4()
    free = Q(state=JobState.QUEUED) | (Q(state=JobState.RUNNING) & lease_over())
    changed = Job.objects.filter(free, pk=job_id, attempt__lt=settings.JOB_MAX_ATTEMPTS).update(
        state=JobState.RUNNING,
        lease=token,
        lease_until=lease_end(),
        heartbeat=now,
        started_at=now,
        attempt=F("attempt") + 1,
        done=0,
        expected_end=None,
    )
    if not changed:
        return None
    return Lease(job=Job.objects.select_related("study").get(pk=job_id), token=token)


def shared_lease(*, job_id: int) -> Lease | None:
    """The lease of a job that another worker is working on, to help with its pieces; None if none is.

    Parameters
    ----------
    job_id : int
        The job. Its pieces must be claimed one by one, since several workers hold its lease then.
    """
    job = Job.objects.select_related("study").filter(pk=job_id, state=JobState.RUNNING).first()
    return Lease(job=job, token=job.lease) if job is not None and job.lease is not None else None


def share(*, job: Job, pieces: int) -> None:
    """Notify further workers of a job of which so many can work at a time; a late one finds nothing to do.

    Parameters
    ----------
    job : Job
        Under way.
    pieces : int
        How many workers could work on it at a time.
    """
    for _ in range(min(pieces, SHARED_BY) - 1):
        publish(job=job)


def _fail_interrupted(orphans: Q, now: datetime) -> None:
    """End the jobs that no worker holds and that were started too often; the log records each."""
    often = Job.objects.filter(orphans, attempt__gte=settings.JOB_MAX_ATTEMPTS)
    code = "too_many_attempts"
    sentence = message("The job was interrupted too often. Check the worker's log, then start the job again.")
    failed = {"error_code": code, "error": sentence, "error_sentence": as_stored(sentence)}
    for pk in list(often.values_list("pk", flat=True)):
        # Another worker may have ended it, or begun it again, meanwhile.
        if often.filter(pk=pk).update(state=JobState.FAILED, finished_at=now, **failed):
            logger.warning("Job %s failed: %s: %s", pk, code, sentence)


def sweep(*, starting: bool = False) -> int:
    """Publish again the jobs that no worker holds, and end those that failed too often; returns how many.

    At the `starting` of a worker every waiting job is published, however recently it was.

    Parameters
    ----------
    starting : bool
        A worker has just come up: every waiting job is published, however recently it was.
    """
    now = timezone.now()
    orphans = Q(state=JobState.RUNNING) & lease_over()
    _fail_interrupted(orphans, now)
    waiting = Q(state=JobState.QUEUED)
    if not starting:
        stale = now - timedelta(seconds=4 * settings.JOB_SWEEP_SECONDS)
        waiting &= Q(published_at__isnull=True) | Q(published_at__lt=stale)
    found = list(Job.objects.filter(orphans | waiting).order_by("pk"))
    for job in found:
        publish(job=job)
    return len(found)


def cancel(*, job: Job) -> Job:
    """Stop a job; a worker that holds it finds out at its next heartbeat, or is killed some seconds later.

    Raises
    ------
    NotAllowedNow
        It has ended already.
    """
    changed = Job.objects.filter(UNFINISHED, pk=job.pk).update(
        state=JobState.CANCELLED, lease=None, lease_until=None, finished_at=timezone.now()
    )
    job.refresh_from_db()
    if not changed:
        raise NotAllowedNow(
            message("Job %(job)d has already ended (%(state)s).", job=job.pk, state=job.state),
            code="job_ended",
        )
    return job


def stop_resumably(*, job: Job) -> Job:
    """Stop a job and mark it as paused, for kinds that continue from what is stored.

    Parameters
    ----------
    job : Job
        Waiting or running.

    Raises
    ------
    NotAllowedNow
        It has ended already (`job_ended`).
    """
    stopped = cancel(job=job)
    stopped.error_code, stopped.error = PAUSED, "Paused. Saved results remain."
    stopped.save(update_fields=["error_code", "error"])
    return stopped


def lease_end() -> Any:
    """When a lease that is given or renewed now runs out, for a query."""
    return now_in_queries() + timedelta(seconds=settings.JOB_LEASE_SECONDS)
