"""SQLite where writers wait for each other in a queue.

A writer that finds the database locked sleeps and asks again, ever more seldom, up to a tenth of a second:
with many writers, the lock is free most of the time. Here a transaction first takes a lock of the operating
system on a file next to the database, for which it asks every millisecond. SQLite's own lock still decides: a
writer that does not use the queue, or has waited too long, only makes others sleep as before.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base

SOON, LATER, LONG = 0.001, 0.005, 0.1


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose transactions begin in turn."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._queue: int | None = None

    def _start_transaction_under_autocommit(self) -> None:
        self._wait_in_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._next_please()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._next_please()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._next_please()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._next_please()

    def _wait_in_turn(self) -> None:
        """Wait for the turn as long as for SQLite's own lock, then go on without: that one still decides."""
        self._next_please()
        name = str(self.settings_dict["NAME"])
        if self.is_in_memory_db() or "mode=memory" in name:
            return
        queue = _opened(name)
        if queue is None:
            return
        try:
            taken = _taken(queue, until=time.monotonic() + self._patience())
        except BaseException:
            os.close(queue)
            raise
        if taken:
            self._queue = queue
        else:
            os.close(queue)

    def _patience(self) -> float:
        return float(self.settings_dict["OPTIONS"].get("timeout", 5.0))

    def _next_please(self) -> None:
        if self._queue is not None:
            os.close(self._queue)
            self._queue = None


def _opened(name: str) -> int | None:
    """Open the file of the queue, with the mode of the database; None if it cannot be opened."""
    try:
        mode = stat.S_IMODE(Path(name).stat().st_mode)
        return os.open(f"{name}-queue", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, mode)
    except OSError:
        return None


def _taken(queue: int, *, until: float) -> bool:
    """Whether the turn came in time; who waits long asks less often."""
    begun = time.monotonic()
    while True:
        try:
            fcntl.flock(queue, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            now = time.monotonic()
            if now >= until:
                return False
            time.sleep(SOON if now - begun < LONG else LATER)
        else:
            return True
