"""Sent files and members of sent ZIP archives, under new names: sent names are never used as paths."""

from __future__ import annotations

import errno
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from annotation.domain.base.errors import FileRefused
from annotation.domain.base.limits import MOST_MEDIA_FILES
from annotation.domain.base.messages import message
from annotation.io.base.file_errors import refusal
from annotation.io.base.readers import READERS

PIECE = 1 << 20
ARCHIVE = b"PK\x03\x04"
# Other methods are rare, and their libraries raise other errors.
COMPRESSIONS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError),
    *(RuntimeError, ValueError, OverflowError),
)
# Files that file managers add to archives.
IGNORED_FOLDER = "__MACOSX"


@dataclass(frozen=True)
class Source:
    """A file to examine: the name that its sender gave it, and the path of its bytes."""

    name: str
    path: Path


@dataclass
class Room:
    """The limit of bytes of one file, and the bytes that are left for all files."""

    most_bytes: int
    left: int

    def take(self, name: str, size: int, piece: int) -> None:
        """Count a piece of a file that has `size` bytes so far.

        Raises
        ------
        FileRefused
            `media_too_large` or `media_too_much`.
        """
        if size > self.most_bytes:
            sentence = message("the file is larger than %(size)s MB", size=f"{self.most_bytes >> 20:,}")
            raise refusal(name, "media_too_large", sentence)
        self.left -= piece
        if self.left < 0:
            sentence = message("the files are larger than what is left for the media of this study")
            raise refusal(name, "media_too_much", sentence)


def unpacked(paths: Iterable[Path], into: Path, room: Room) -> Iterator[Source]:
    """The files, with the members of archives in their place.

    Parameters
    ----------
    paths : iterable of Path
        Files.
    into : Path
        A folder in which each member is written under its number, until the next one is asked for.
    room : Room
        Counted as the bytes are read, because the sizes that an archive states may be wrong.

    Raises
    ------
    FileRefused
        `damaged_archive`, `encrypted_archive`, `unsupported_compression`, `too_many_files`,
        `media_too_large` or `media_too_much`.
    """
    for path in paths:
        if _is_archive(path):
            yield from _members(path, into, room)
        else:
            size = path.stat().st_size
            room.take(path.name, size, size)
            yield Source(path.name, path)


def _is_archive(path: Path) -> bool:
    """Whether a file is an archive by its first bytes; workbooks are archives too."""
    with path.open("rb") as file:
        return file.read(len(ARCHIVE)) == ARCHIVE and path.suffix.lower().removeprefix(".") not in READERS


def _members(path: Path, into: Path, room: Room) -> Iterator[Source]:
    try:
        with zipfile.ZipFile(path) as archive:
            for number, member in enumerate(_checked_members(path, archive), start=1):
                name = _path_of(member).name
                target = into / f"member-{number}{PurePosixPath(name).suffix[:10]}"
                with archive.open(member) as source, target.open("wb") as copy:
                    _copy(name, source, copy, room)
                yield Source(name, target)
                target.unlink()
    except DAMAGE as problem:
        raise _damaged(path) from problem
    except OSError as problem:
        # A place before the beginning of the file; a full disk is no fault of the archive.
        if problem.errno != errno.EINVAL:
            raise
        raise _damaged(path) from problem


def _damaged(path: Path) -> FileRefused:
    return refusal(path.name, "damaged_archive", message("the archive is damaged; pack and send it again"))


def _checked_members(path: Path, archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    members = [one for one in archive.infolist() if not one.is_dir() and not _is_ignored(one)]
    if len(members) > MOST_MEDIA_FILES:
        sentence = message("the archive has more than %(n)s files", n=f"{MOST_MEDIA_FILES:,}")
        raise refusal(path.name, "too_many_files", sentence)
    if any(one.flag_bits & 1 for one in members):
        sentence = message("the archive is encrypted; send one without a password")
        raise refusal(path.name, "encrypted_archive", sentence)
    if any(one.compress_type not in COMPRESSIONS for one in members):
        sentence = message("the archive is compressed in an unusual way; pack it as an ordinary ZIP file")
        raise refusal(path.name, "unsupported_compression", sentence)
    return members


def _is_ignored(member: zipfile.ZipInfo) -> bool:
    path = _path_of(member)
    return IGNORED_FOLDER in path.parts or path.name.startswith(".")


def _path_of(member: zipfile.ZipInfo) -> PurePosixPath:
    """Its path in the archive, of which only the name is used."""
    return PurePosixPath(member.filename.replace("\\", "/"))


def _copy(name: str, source: IO[bytes], copy: IO[bytes], room: Room) -> None:
    size = 0
    while piece := source.read(PIECE):
        size += len(piece)
        room.take(name, size, len(piece))
        copy.write(piece)
