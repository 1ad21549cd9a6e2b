"""Stored media files: written once under their digest, read in pieces from any position."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from django.core.files import File
from django.core.files.storage import Storage, storages

MEDIA = "media"
PIECE = 64 * 1024


def storage() -> Storage:
    """Where media files are: a folder, or a bucket."""
    return storages[MEDIA]


def write(name: str, path: Path) -> bool:
    """Store a file unless it exists completely; return whether it was stored now.

    Parameters
    ----------
    name : str
        That follows from the content, so that another file never has it.
    path : Path
        The file.
    """
    there = storage()
    if there.exists(name):
        if there.size(name) == path.stat().st_size:
            return False
        # An incomplete file of a killed worker.
        there.delete(name)
    with path.open("rb") as file:
        there.save(name, File(file))
    return True


def pieces(name: str, start: int, length: int) -> Iterator[bytes]:
    """Yield a part of a stored file in pieces, of which only one is in memory.

    Parameters
    ----------
    name : str
        Of the stored file.
    start, length : int
        The first byte and the number of bytes.
    """
    with ExitStack() as opened:
        file = opened.enter_context(storage().open(name))
        part = _from_bucket(file, start, length) if hasattr(file, "obj") else _from_file(file, start)
        source = opened.enter_context(closing(part))
        while length > 0 and (piece := source.read(min(PIECE, length))):
            length -= len(piece)
            yield piece


def _from_file(file: Any, start: int) -> IO[bytes]:
    file.seek(start)
    source: IO[bytes] = file
    return source


def _from_bucket(file: Any, start: int, length: int) -> IO[bytes]:
    """The body of an answer of the bucket's server, which sends only what is asked for.

    The file of `storages` itself would read the whole object into memory first.
    """
    body: IO[bytes] = file.obj.get(Range=f"bytes={start}-{start + length - 1}")["Body"]
    return body


def copy(name: str, other: str) -> None:
    """Store a file again under another name, unless it is there."""
    there = storage()
    if not there.exists(other):
        with there.open(name) as file:
            there.save(other, file)


def delete(name: str) -> None:
    """Delete a stored file, if it is there."""
    storage().delete(name)


def delete_folder(folder: str) -> None:
    """Delete all files of a folder, even if rows refer to them."""
    for name in names(folder):
        delete(f"{folder}/{name}")


def folders(folder: str) -> list[str]:
    """The names of the folders in a folder; none where it does not exist."""
    return _listed(folder)[0]


def names(folder: str) -> list[str]:
    """The names of the files in a folder; none where it does not exist."""
    return _listed(folder)[1]


def is_older(name: str, before: datetime) -> bool:
    """Whether a stored file was written before a moment; False where it is gone by now."""
    try:
        return storage().get_modified_time(name) < before
    except FileNotFoundError:
        return False


def _listed(folder: str) -> tuple[list[str], list[str]]:
    try:
        return storage().listdir(folder)
    except FileNotFoundError:
        return [], []
