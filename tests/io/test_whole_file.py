"""A file appears under its name once it is complete, and a full disk is known by what it makes fail."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

import psycopg.errors
import pytest
from django.db import OperationalError

from annotation.io.base.full_disk import is_disk_full
from annotation.io.base.whole_file import whole_file


def write_half(target: Path) -> None:
    with whole_file(target) as file:
        file.write(b"half of it")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_file_that_fails_in_the_middle_leaves_the_earlier_one_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "ratings.csv"
    target.write_bytes(b"earlier")
    with pytest.raises(OSError, match="No space left"):
        write_half(target)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("ratings.csv", b"earlier")]


def test_a_file_takes_the_place_and_the_rights_of_the_earlier_one_where_a_link_leads(tmp_path: Path) -> None:
    target, link = tmp_path / "ratings.csv", tmp_path / "newest.csv"
    target.write_bytes(b"earlier")
    target.chmod(0o640)
    link.symlink_to(target)
    with whole_file(link) as file:
        file.write(b"now")
        assert target.read_bytes() == b"earlier"
    assert (link.is_symlink(), target.read_bytes()) == (True, b"now")
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_to_and_not_replaced() -> None:
    with whole_file(Path(os.devnull)) as file:
        file.write(b"nothing")
    assert Path(os.devnull).is_char_device()


def sqlite_error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("said by SQLite")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("cause", "full"),
    [
        (psycopg.errors.DiskFull("could not extend file"), True),
        (psycopg.errors.QueryCanceled("canceling statement"), False),
        (sqlite_error(sqlite3.SQLITE_FULL), True),
        (sqlite_error(sqlite3.SQLITE_BUSY), False),
        (OSError(errno.ENOSPC, "No space left on device"), True),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), True),
        (OSError(errno.EACCES, "Permission denied"), False),
        (ValueError("the disk is full"), False),
    ],
)
def test_a_full_disk_is_known_also_through_what_django_makes_of_it(cause: Exception, *, full: bool) -> None:
    assert is_disk_full(cause) is full
    wrapped = OperationalError("as Django raises it")
    wrapped.__cause__ = cause
    assert is_disk_full(wrapped) is full
