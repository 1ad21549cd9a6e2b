"""An answer that takes a while: one thread at a time computes it, and others get the same one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
SHORTEST_WAIT = 1.0


class StillComputing(Exception):
    """Another thread has computed the answer for too long to wait for it."""


class RecentAnswer(Generic[T]):
    """What a function returned lately, for many threads that ask at once.

    Parameters
    ----------
    compute : callable
        Gives the answer; never runs in two threads at a time.
    while_computing : float
        Seconds for which the last answer is given while the next one is computed. A thread that asks
        when the last one is older waits for the next, for as many seconds at most.
    """

    def __init__(self, compute: Callable[[], T], *, while_computing: float) -> None:
        self._compute = compute
        self._while_computing = while_computing
        self._computing = threading.Lock()
        self._last: tuple[float, T] | None = None

    def get(self, seconds: float) -> T:
        """The answer, at most so many seconds old unless the next one is being computed.

        Raises
        ------
        StillComputing
            Another thread computes it, and has not come back in time.
        """
        asked = time.monotonic()
        last = self._since(asked - seconds)
        if last is None and self._computing.locked():
            last = self._since(asked - max(seconds, self._while_computing))
        return self._after_others(asked - seconds) if last is None else last[1]

    def _after_others(self, oldest: float) -> T:
        if not self._computing.acquire(timeout=max(self._while_computing, SHORTEST_WAIT)):
            raise StillComputing
        try:
            last = self._since(oldest)
            if last is None:
                answer = self._compute()
                last = self._last = (time.monotonic(), answer)
            return last[1]
        finally:
            self._computing.release()

    def _since(self, oldest: float) -> tuple[float, T] | None:
        last = self._last
        return last if last is not None and last[0] > oldest else None
