"""Kinds of jobs: each application registers what its jobs run and how they are paused and resumed."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.utils.module_loading import import_string

from annotation.domain.base.errors import NotAllowedNow, UnknownJobKind
from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.messages import message
from annotation.domain.base.states import JobState
from annotation.models import Job, User


@dataclass(frozen=True, slots=True)
class JobKind:
    """What a worker does for the jobs of one kind.

    Functions are named by dotted paths, so that a process that only enqueues loads none of them.

    Parameters
    ----------
    key : str
        Stored in the job's row.
    run : str
        Does the work: `run(lease=...)`.
    queue : Queue
        Where its jobs wait, and which workers do them.
    soft_minutes : float
        After so long a job ends with `time_limit` at its next heartbeat.
    hard_minutes : float
        After so long its process is killed, and the job ends with `time_limit`.
    priority : int
        Of the jobs that wait in one queue for one study, those of the highest go first.
    pause : str, optional
        Stops a job so that it can be resumed: `pause(job=...)`.
    resume : str, optional
        Continues what is left of a job: `resume(job=..., actor=...)`.
    right : str
        What starting one needs in a study, and so stopping one: a value of `annotation.permissions.Act`.
    managed_by : str
        A parameter which only those who manage the study set; a job that has it is theirs to stop, too.
    helpers : bool
        Several workers can share a job: each further one calls `run(lease=..., helping=True)`.
    """

    key: str
    run: str
    queue: Queue
    soft_minutes: float
    hard_minutes: float
    priority: int = 0
    pause: str | None = None
    resume: str | None = None
    right: str = "own"
    managed_by: str = ""
    helpers: bool = False

    @property
    def soft_seconds(self) -> float:
        """How long a job may work, on this installation."""
        return self.soft_minutes * 60 * settings.JOB_TIME_FACTOR

    @property
    def hard_seconds(self) -> float:
        """How long a job that does not stop by itself is left to work, on this installation."""
        return self.hard_minutes * 60 * settings.JOB_TIME_FACTOR


_kinds: dict[str, JobKind] = {}


def register(kind: JobKind) -> None:
    """Register a kind of job under its key; the application that owns it does so when it starts.

    Parameters
    ----------
    kind : JobKind
        Its key must be new.

    Raises
    ------
    ValueError
        Another kind has the same key.
    """
    if _kinds.setdefault(kind.key, kind) != kind:
        raise ValueError(f"The kind of job {kind.key!r} is registered twice.")


def registered_kinds() -> tuple[JobKind, ...]:
    """All kinds of jobs, in the order of their registration."""
    return tuple(_kinds.values())


def queue_of(key: str) -> Queue:
    """The queue of a kind of jobs; jobs of unregistered kinds are refused in the queue of short jobs."""
    return _kinds[key].queue if key in _kinds else Queue.SHORT


def kind_named(key: str) -> JobKind:
    """Return the kind of job with a key, as in `Job.kind`.

    Parameters
    ----------
    key : str
        As in `Job.kind`.

    Raises
    ------
    UnknownJobKind
        No application has registered it.
    """
    if key not in _kinds:
        raise UnknownJobKind(
            message(
                "No application of this installation runs jobs of kind %(kind)s. Add the application or "
                "upgrade.",
                kind=repr(key),
            )
        )
    return _kinds[key]


def pause(*, job: Job) -> Job:
    """Pause a job in the way of its kind.

    Parameters
    ----------
    job : Job
        Of a kind that can be paused.

    Raises
    ------
    NotAllowedNow
        Its kind cannot be paused (`cannot_be_paused`), or it has ended (`job_ended`).
    UnknownJobKind
        No application has registered its kind.
    """
    path = kind_named(job.kind).pause
    if path is None:
        raise NotAllowedNow(
            message(
                "Jobs of kind %(kind)s cannot be paused. Cancel job %(job)d instead.",
                kind=job.kind,
                job=job.pk,
            ),
            code="cannot_be_paused",
        )
    paused: Job = import_string(path)(job=job)
    return paused


def resume(*, job: Job, actor: User | None) -> Job:
    """Continue a paused, cancelled or failed job, in the way of its kind; returns a job for what is left.

    Parameters
    ----------
    job : Job
        Of a kind that can be resumed.
    actor : User or None
        User who asks.

    Raises
    ------
    NotAllowedNow
        Its kind cannot be resumed (`cannot_be_resumed`), it is under way (`job_under_way`) or done
        (`job_done`).
    UnknownJobKind
        No application has registered its kind.
    """
    path = kind_named(job.kind).resume
    if path is None:
        raise NotAllowedNow(
            message(
                "Jobs of kind %(kind)s cannot be resumed. Start a new job instead of job %(job)d.",
                kind=job.kind,
                job=job.pk,
            ),
            code="cannot_be_resumed",
        )
    if not job.ended:
        raise NotAllowedNow(message("Job %(job)d is still in progress.", job=job.pk), code="job_under_way")
    if job.state == JobState.DONE:
        raise NotAllowedNow(
            message("Job %(job)d is done. There is nothing to resume.", job=job.pk), code="job_done"
        )
    resumed: Job = import_string(path)(job=job, actor=actor)
    return resumed
