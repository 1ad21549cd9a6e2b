"""Storing many rows in pieces, with progress reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from django.db.models import Manager, Model

CHUNK_SIZE = 2000

Row = TypeVar("Row", bound=Model)
Progress = Callable[[str, int, int], None]


def ignore_progress(_what: str, _done: int, _total: int) -> None:
    """Ignore the progress."""


def store(
    manager: Manager[Row], rows: Iterable[Row], what: str, progress: Progress = ignore_progress
) -> list[Row]:
    """Store unsaved rows of one kind; called inside the loading transaction.

    Parameters
    ----------
    manager, rows
        The manager of the rows' model, and the rows.
    what, progress
        What the rows are called in `progress(what, stored, total)`, which is called after each chunk.

    Returns
    -------
    list of Model
        With their keys, in the same order.
    """
    every: Sequence[Row] = list(rows)
    stored: list[Row] = []
    for start in range(0, len(every), CHUNK_SIZE):
        stored += manager.bulk_create(every[start : start + CHUNK_SIZE])
        progress(what, len(stored), len(every))
    return stored
