"""Reading the database as it is at one moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """Read one consistent state, however long it takes, while others continue to write.

    Inside a caller's transaction nothing is started: that transaction determines the moment.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        # `atomic` would take the write lock, for which raters wait.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                # What is seen is settled by the first read.
                cursor.execute("SELECT count(*) FROM sqlite_master")
                cursor.fetchone()
                yield
            finally:
                cursor.execute("ROLLBACK")
