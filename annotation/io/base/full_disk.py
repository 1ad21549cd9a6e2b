"""Detection of a full disk in errors of files, SQLite and PostgreSQL."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator

FULL = (errno.ENOSPC, errno.EDQUOT)
# `disk_full` of PostgreSQL.
SQLSTATE = "53100"
# SQLite keeps the kind of an error in the last byte of its code.
KIND = 0xFF


def is_disk_full(error: BaseException) -> bool:
    """Whether an error, or one that caused it, reports a full disk.

    Parameters
    ----------
    error : BaseException
        An error of the file system or of the database, also as Django wraps it.
    """
    return any(_reports_full_disk(one) for one in _with_causes(error))


def _with_causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _reports_full_disk(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in FULL
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) & KIND == sqlite3.SQLITE_FULL
    return getattr(error, "sqlstate", None) == SQLSTATE
