"""Heartbeats of workers, so that a stopped or hung one is noticed.

The main process reports from its own loop, not from a thread that would go on while the loop hangs. Each
process of the pool writes the time into memory that it shares with the main process, from a thread: that
stops with the process, and goes on while a job computes. A job that hangs in a living process is detected by
its own heartbeat.
"""

from __future__ import annotations

import logging
import mmap
import os
import socket
import struct
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from billiard.process import current_process
from celery import bootsteps
from celery.signals import worker_process_init, worker_shutdown
from celery.worker import state

from config.distribution import release
from config.operations.log_context import about_job

if TYPE_CHECKING:
    from annotation.models import Job
    from annotation.services.base.queues.worker_processes import Presence

logger = logging.getLogger(__name__)

MOST_SLOTS = 1024
TIME, JOB = struct.Struct("d"), struct.Struct("q")
SLOT_SIZE = TIME.size + JOB.size
# The processes of the pool inherit it: for each, when it was last heard of, and its job or 0.
SHARED = mmap.mmap(-1, SLOT_SIZE * MOST_SLOTS)


class PresenceStep(bootsteps.StartStopStep):
    """Reports the worker when it starts, and at intervals from its main loop."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, parent: Any) -> None:
        from django.conf import settings

        _here.begin(parent)
        # A timer may be a thread of its own; `call_soon` is done by the main loop.
        self.entry = parent.timer.call_repeatedly(
            settings.WORKER_BEAT_SECONDS, parent.call_soon, (_here.beat,)
        )

    def stop(self, parent: Any) -> None:  # noqa: ARG002
        if getattr(self, "entry", None) is not None:
            self.entry.cancel()
        # Also called when the connection to the broker is lost. A worker that stops takes no further jobs,
        # and may still be ending one.
        stops: object = state.should_stop
        if stops is not None:
            _here.end()


class Here:
    """The worker of this process, once it has started."""

    def __init__(self) -> None:
        self.presence: Presence | None = None
        self.pool: Any = None
        self.own_jobs: set[int] = set()

    def begin(self, consumer: Any) -> None:
        """Start reporting; continue after a lost connection to the broker."""
        from django.utils import timezone

        from annotation.services.base.queues.worker_processes import Presence, arrive

        self.pool = consumer.pool
        if self.presence is None:
            self.presence = Presence(
                key=uuid.uuid4(),
                name=str(consumer.hostname)[:200],
                host=socket.gethostname()[:200],
                pid=os.getpid(),
                version=release(),
                queues=tuple(sorted(consumer.app.amqp.queues.consume_from)),
                slots=consumer.pool.num_processes,
                started_at=timezone.now(),
            )
        _tell(arrive, presence=self.presence)

    @property
    def is_main(self) -> bool:
        return self.presence is not None and self.presence.pid == os.getpid()

    def beat(self) -> None:
        from annotation.services.base.queues.worker_processes import beat

        if self.is_main:
            times, jobs = _slots(self.pool)
            _tell(beat, presence=self.presence, jobs=sorted({*jobs, *tuple(self.own_jobs)}), slot_beats=times)

    def end(self) -> None:
        from annotation.services.base.queues.worker_processes import leave

        if self.presence is not None and self.is_main:
            _tell(leave, key=self.presence.key)
            self.presence = None


_here = Here()


@contextmanager
def working_on(job: Job) -> Iterator[None]:
    """Note which job this process does, for pages and for the log."""
    with about_job(job.pk, job.study_id):
        if _here.is_main:
            # A pool without processes does the job in the main loop, which is silent meanwhile.
            _here.own_jobs.add(job.pk)
            _here.beat()
        else:
            JOB.pack_into(SHARED, _offset_here() + TIME.size, job.pk)
        try:
            yield
        finally:
            _here.own_jobs.discard(job.pk)
            if not _here.is_main:
                JOB.pack_into(SHARED, _offset_here() + TIME.size, 0)


@worker_process_init.connect
def _begin_slot(**_: Any) -> None:
    JOB.pack_into(SHARED, _offset_here() + TIME.size, 0)
    threading.Thread(target=_beat_slot, name="slot-presence", daemon=True).start()


@worker_shutdown.connect
def _end(**_: Any) -> None:
    _here.end()


def _beat_slot() -> None:
    from django.conf import settings

    while True:
        TIME.pack_into(SHARED, _offset_here(), time.time())
        time.sleep(settings.WORKER_BEAT_SECONDS / 2)


def _offset_here() -> int:
    return int(getattr(current_process(), "index", 0)) % MOST_SLOTS * SLOT_SIZE


def _slots(pool: Any) -> tuple[list[float], list[int]]:
    """When the processes of the pool were last heard of, and their jobs; one that only starts is left out."""
    processes = getattr(getattr(pool, "_pool", None), "_pool", None) or ()
    offsets = [process.index % MOST_SLOTS * SLOT_SIZE for process in processes if hasattr(process, "index")]
    times = [TIME.unpack_from(SHARED, offset)[0] for offset in offsets]
    jobs = [JOB.unpack_from(SHARED, offset + TIME.size)[0] for offset in offsets]
    return [at for at in times if at], [job for job in jobs if job]


def _tell(service: Callable[..., None], **arguments: Any) -> None:
    """Call a service; if the database is unavailable, the next call reports again."""
    from django.db import DatabaseError, close_old_connections

    close_old_connections()
    try:
        service(**arguments)
    except DatabaseError as error:
        logger.warning("This worker could not say that it is there: %s", type(error).__name__)
