"""A thread that renews the lease during long steps, and ends work that has been stopped.

Work that is stopped between its steps ends by itself at its next heartbeat. In the middle of a step
nothing in this process can end it but the end of the process, which the pool of the worker replaces.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import signal
import sys
import threading
import time
from types import TracebackType
from typing import Self

from django.conf import settings
from django.db import DatabaseError, connections

from annotation.domain.base.errors import OutOfTime
from annotation.services.base.jobs import Lease

logger = logging.getLogger(__name__)

LOOK_EVERY = 1.0
# How long stopped work may continue until its next heartbeat.
GRACE_SECONDS = 3.0
# After the hard limit, if this thread is blocked: a library holds the interpreter, or the database is away.
LAST_RESORT_SECONDS = 10.0


class Guard:
    """Watches the work on one job, as a context: `with Guard(lease, seconds): ...`.

    Parameters
    ----------
    lease : Lease
        Of the job; its own, or shared with the worker that it helps.
    hard_seconds : float
        After so long the process is killed.
    """

    def __init__(self, lease: Lease, hard_seconds: float) -> None:
        self._lease = lease
        self._hard_seconds = hard_seconds
        self._hard_end = time.monotonic() + hard_seconds
        self._held_at = time.monotonic()
        self._over = threading.Event()
        self._ending = threading.Lock()
        self._thread = threading.Thread(target=self._watch, name="job guard", daemon=True)

    def __enter__(self) -> Self:
        faulthandler.dump_traceback_later(
            self._hard_seconds + LAST_RESORT_SECONDS, exit=True, file=sys.__stderr__ or sys.stderr
        )
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._ending:
            self._over.set()
        faulthandler.cancel_dump_traceback_later()
        self._thread.join(timeout=LOOK_EVERY)

    def _watch(self) -> None:
        try:
            while not self._over.wait(LOOK_EVERY):
                try:
                    self._look()
                except DatabaseError:
                    logger.warning("The holder of job %s is unknown", self._lease.job.pk, exc_info=True)
                    connections.close_all()
        finally:
            connections.close_all()

    def _look(self) -> None:
        job = self._lease.job
        if time.monotonic() > self._hard_end:
            limit = OutOfTime(self._hard_seconds)
            self._lease.fail(code=limit.code, message=limit.message)
            self._kill(f"Job {job.pk} did not stop at its time limit")
        elif self._lease.lost():
            if not self._over.wait(GRACE_SECONDS):
                self._kill(f"Job {job.pk} was stopped in the middle of a step")
        elif time.monotonic() - self._held_at > settings.JOB_LEASE_SECONDS / 3:
            self._held_at = time.monotonic()
            self._lease.hold()

    def _kill(self, why: str) -> None:
        """End this process, unless the work has just ended."""
        with self._ending:
            if self._over.is_set():
                return
            logger.warning("%s: the process that worked on it is ended, another one takes its place", why)
            os.kill(os.getpid(), signal.SIGKILL)
