"""Which workers answer, which do not, and whether the work is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.states import JobState
from annotation.models import Job, WorkerProcess

# For so long after a start, workers that have not reported yet count as starting.
STARTING_SECONDS = 60


@dataclass(frozen=True)
class WorkerState:
    """A worker as it is now; times without a word are set where they are too long."""

    process: WorkerProcess
    silent_for: timedelta | None
    stopped_slots: int
    jobs: tuple[Job, ...]
    stuck: tuple[Job, ...]

    @property
    def slots_at_work(self) -> int:
        """How many jobs at a time this worker can still be relied on for."""
        if self.silent_for is not None:
            return 0
        return max(0, self.process.slots - max(self.stopped_slots, len(self.stuck)))

    @property
    def in_order(self) -> bool:
        return self.silent_for is None and not self.stopped_slots and not self.stuck


@dataclass(frozen=True)
class Workforce:
    """All workers, and the running jobs without a recent heartbeat."""

    workers: Sequence[WorkerState]
    stuck: Sequence[Job]
    at: datetime

    @property
    def idle_queues(self) -> list[str]:
        """The queues of some worker from which none that can be relied on takes jobs."""
        served = {queue for worker in self.workers if worker.slots_at_work for queue in worker.process.queues}
        return sorted(self._consumed - served)

    @property
    def queues_without_worker(self) -> list[str]:
        """The queues of which no worker was started."""
        return sorted({queue.broker_name for queue in Queue} - self._consumed)

    @property
    def _consumed(self) -> set[str]:
        return {queue for worker in self.workers for queue in worker.process.queues}

    @property
    def not_answering(self) -> list[WorkerState]:
        return [worker for worker in self.workers if worker.silent_for is not None]

    @property
    def is_starting(self) -> bool:
        """Whether workers were started so recently that some may not have reported yet.

        A worker that reported since and no longer responds is not starting.
        """
        answering = [worker.process for worker in self.workers if worker.silent_for is None]
        started = max([settings.SERVED_SINCE, *(process.started_at.timestamp() for process in answering)])
        failed = any(worker.process.seen_at.timestamp() > started for worker in self.not_answering)
        return started > self.at.timestamp() - STARTING_SECONDS and not failed

    @property
    def stopped_slots(self) -> int:
        """Processes of pools that are stopped while their worker answers."""
        return sum(worker.stopped_slots for worker in self.workers if worker.silent_for is None)

    @property
    def shortest_silence(self) -> timedelta:
        """The time since the last heartbeat of any worker; needs at least one worker."""
        return min(self.at - worker.process.seen_at for worker in self.workers)

    def takes(self, queue: str) -> bool:
        """Whether a worker that can be relied on takes jobs of a queue, by its name at the broker."""
        return any(worker.slots_at_work and queue in worker.process.queues for worker in self.workers)

    def holder_of(self, job: Job) -> WorkerState | None:
        return next((worker for worker in self.workers if job.pk in worker.process.jobs), None)


def workforce() -> Workforce:
    """Every worker that has not signed off, and the running jobs without a recent heartbeat."""
    now = timezone.now()
    running = list(Job.objects.filter(state=JobState.RUNNING).select_related("study").defer("params"))
    workers = [_state(process, running, now) for process in WorkerProcess.objects.all()]
    return Workforce(workers, [job for job in running if is_stuck(job, now)], now)


def is_stuck(job: Job, now: datetime) -> bool:
    """Whether a running job has not renewed its heartbeat for too long."""
    return job.state == JobState.RUNNING and job.heartbeat is not None and job.heartbeat < _too_long_ago(now)


def _state(process: WorkerProcess, running: Sequence[Job], now: datetime) -> WorkerState:
    jobs = tuple(job for job in running if job.pk in process.jobs)
    # A pool without processes does a job in the main loop, which is silent meanwhile: the job speaks for it.
    heard = [process.seen_at, *(job.heartbeat for job in jobs if job.heartbeat)]
    if process.slot_beats:
        heard = heard[:1]
    silent = now - max(heard) if max(heard) < _too_long_ago(now) else None
    oldest = _too_long_ago(now).timestamp()
    return WorkerState(
        process=process,
        silent_for=silent,
        stopped_slots=sum(beat < oldest for beat in process.slot_beats),
        jobs=jobs,
        stuck=tuple(job for job in jobs if is_stuck(job, now)),
    )


def _too_long_ago(now: datetime) -> datetime:
    return now - timedelta(seconds=settings.WORKER_SILENT_SECONDS)
