"""Storing many rows, piece by piece, telling whoever waits how far it has come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from django.db.models import Manager, Model

AT_ONCE = 2000

Row = TypeVar("Row", bound=Model)
Progress = Callable[[str, int, int], None]


def ignore_progress(_what: str, _done: int, _total: int) -> None:
    """Progress that nobody watches."""


def store(
    manager: Manager[Row], rows: Iterable[Row], what: str, progress: Progress = ignore_progress
) -> list[Row]:
    """Store rows of one kind; called inside the loading transaction.

    Parameters
    ----------
    manager : Manager
        Of the rows' model.
    rows : iterable of Model
        Unsaved.
    what : str
        What the rows are, for who watches.
    progress : callable
        Told what is stored, how many rows of it are and how many there will be.

    Returns
    -------
    list of Model
        With their keys, in the order given.
    """
    every: Sequence[Row] = list(rows)
    stored: list[Row] = []
    for start in range(0, len(every), AT_ONCE):
        stored += manager.bulk_create(every[start : start + AT_ONCE])
        progress(what, len(stored), len(every))
    return stored
