"""Parts of a computation side by side, with one count of how much is done."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import TypeVar

Progress = Callable[[int, int], None]
Tick = Callable[[int], None]
Result = TypeVar("Result")

# More threads would need more memory at once, and numpy's own work fills two cores.
THREADS = 2
PROGRESS_INTERVAL_S = 0.2


class Stopped(BaseException):
    """Ends a part whose siblings failed or whose caller no longer wants it; never leaves this module."""


def run_parallel(
    parts: Sequence[Callable[[Tick], Result]], total: int, progress: Progress | None = None
) -> list[Result]:
    """Compute all parts, two at a time.

    Parameters
    ----------
    parts
        Each is called with a function that takes how many steps were done since its last call.
    total
        Steps of all parts together.
    progress
        Called with (done, total) several times a second and at the end, from the thread of the caller;
        what it raises ends the parts and is passed on.

    Returns
    -------
    list
        What each part gave, in their order.

    Raises
    ------
    Exception
        What the first failing part raised.
    """
    count = _Count(total, progress)
    with ThreadPoolExecutor(THREADS) as pool:
        running = [pool.submit(part, count.advance) for part in parts]
        try:
            while not _ended(running):
                count.report()
        except BaseException:
            count.stop()
            for future in running:
                future.cancel()
            raise
    count.report()
    return [future.result() for future in running]


def _ended(running: Sequence[Future[Result]]) -> bool:
    done, waiting = wait(running, PROGRESS_INTERVAL_S, FIRST_EXCEPTION)
    for future in done:
        future.result()
    return not waiting


class _Count:
    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total = total
        self._progress = progress
        self._done = 0
        self._stopped = False
        self._lock = threading.Lock()

    def advance(self, steps: int) -> None:
        if self._stopped:
            raise Stopped
        with self._lock:
            self._done += steps

    def stop(self) -> None:
        self._stopped = True

    def report(self) -> None:
        if self._progress is not None:
            self._progress(self._done, self._total)
