"""A file that ends with a checksum of its content, written completely or not at all, for its owner only."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from annotation.services.base.backup.refusals import ArchiveRefused, BackupRefused

SUM_LENGTH = 64
# The comment is the end of a ZIP file; the checksum replaces its zeros.
COMMENT = b"sha256 " + b"0" * SUM_LENGTH
PIECE = 1024 * 1024


@contextmanager
def new_file(target: Path) -> Iterator[IO[bytes]]:
    """Open a file that gets its name once it is complete and sealed; after an error there is no file.

    Parameters
    ----------
    target : Path
        What is written to the file must end with `COMMENT`.

    Raises
    ------
    BackupRefused
        `file_exists`; `cannot_write`: no such folder, or no place left.
    """
    if target.exists() or target.is_symlink():
        raise _exists(target)
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        descriptor = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w+b") as file:
            os.fchmod(file.fileno(), 0o600)
            yield file
            _seal(file)
            os.fsync(file.fileno())
        _name(partial, target)
        _keep_name(target.parent)
    except OSError as problem:
        message = f"{target} cannot be written: {problem.strerror}. Nothing is left of it."
        raise BackupRefused(message, code="cannot_write") from problem
    finally:
        partial.unlink(missing_ok=True)


def check_seal(file: IO[bytes], name: str) -> None:
    """Compare the checksum at the end of a file with its content.

    Parameters
    ----------
    file : binary file
        Of `new_file`, or anything else.
    name : str
        For the message.

    Raises
    ------
    ArchiveRefused
        `not_an_archive`, or `archive_damaged`: it was cut off or changed.
    """
    if file.read(4) not in {b"PK\x03\x04", b"PK\x05\x06"}:
        raise ArchiveRefused(f"{name} is not a backup of Groundwork.", code="not_an_archive")
    length = file.seek(0, os.SEEK_END) - SUM_LENGTH
    digest = _sum_of(file, length)
    if file.read(SUM_LENGTH) != digest:
        raise ArchiveRefused(
            f"{name} is damaged: it was cut off or changed after it was written. Nothing was restored; "
            "use another copy of it, or an earlier backup."
        )


def _seal(file: IO[bytes]) -> None:
    file.flush()
    length = file.seek(0, os.SEEK_END) - SUM_LENGTH
    digest = _sum_of(file, length)
    file.seek(length)
    file.write(digest)
    file.flush()


def _sum_of(file: IO[bytes], length: int) -> bytes:
    """Return the checksum of the first bytes; the file position is then behind them."""
    file.seek(0)
    digest, left = hashlib.sha256(), max(length, 0)
    while left:
        piece = file.read(min(PIECE, left))
        if not piece:
            break
        digest.update(piece)
        left -= len(piece)
    return digest.hexdigest().encode("ascii")


def _name(partial: Path, target: Path) -> None:
    """Give the file its name by a hard link, because renaming would replace an existing file."""
    try:
        os.link(partial, target)
    except FileExistsError as taken:
        raise _exists(target) from taken
    except OSError as problem:
        if problem.errno not in {errno.EPERM, errno.EOPNOTSUPP, errno.EMLINK}:
            raise
        # A file system without hard links, such as that of some USB sticks.
        if target.exists():
            raise _exists(target) from problem
        partial.replace(target)


def _keep_name(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _exists(target: Path) -> BackupRefused:
    return BackupRefused(f"{target} already exists. Name a new file; a backup does not replace files.")
