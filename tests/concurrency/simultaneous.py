"""Several acts at the same moment, each on a connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connections

T = TypeVar("T")


def at_once(acts: Sequence[Callable[[], T]]) -> list[T]:
    """Run acts in threads that begin together, each with a database connection of its own."""
    start = threading.Barrier(len(acts))

    def run(act: Callable[[], T]) -> T:
        start.wait(timeout=30)
        try:
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))
