"""SQLite where writers wait for each other in a queue.

SQLite lets who finds the database locked sleep and ask again, ever more seldom, up to a tenth of a second:
with many writers most of the time nobody holds the lock. Here a transaction first waits for a lock of the
operating system on a file beside the database, which is handed on the moment it is free. SQLite's own lock
still decides; whoever writes without the queue only makes others sleep as before.
"""

from __future__ import annotations

import fcntl
import os
from typing import Any

from django.db.backends.sqlite3 import base


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
        name = str(self.settings_dict["NAME"])
        if self.is_in_memory_db() or "mode=memory" in name:
            return
        self._queue = os.open(f"{name}-queue", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._queue, fcntl.LOCK_EX)

    def _next_please(self) -> None:
        if self._queue is not None:
            os.close(self._queue)
            self._queue = None
