"""Opening of archives; the whole archive is checked before any of it is used."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from annotation.services.base.backup.folders import KEY, KNOWLEDGE, MEDIA
from annotation.services.base.backup.manifest import (
    FORMAT,
    MANIFEST,
    README,
    Manifest,
    Table,
    key_fingerprint,
)
from annotation.services.base.backup.refusals import ArchiveRefused
from annotation.services.base.backup.schema_state import unknown_migrations
from annotation.services.base.backup.sealed_file import PIECE, check_seal
from config.distribution import release

GIB = 1024**3
LONGEST_MANIFEST = 64 * 1024**2
# Compression makes rows ten times smaller; a far higher ratio indicates an archive made to fill the disk.
LARGEST_GROWTH = 50
UNREADABLE = (BadZipFile, EOFError, NotImplementedError, ValueError, zlib.error)


@dataclass(frozen=True)
class Archive:
    """An archive that has been checked."""

    manifest: Manifest
    _zip: ZipFile

    def lines(self, table: Table) -> Iterator[bytes]:
        """The rows of a table."""
        with self._zip.open(table.member) as member:
            yield from member

    def files(self, folder: str) -> list[str]:
        """The members that belong into a folder."""
        return [name for name in self.manifest.members if name.startswith(f"{folder}/")]

    def copy(self, name: str, target: Path) -> None:
        """Write a member to a new file."""
        target.parent.mkdir(parents=True, exist_ok=True)
        with self._zip.open(name) as member, target.open("xb") as file:
            while piece := member.read(PIECE):
                file.write(piece)

    @property
    def keys(self) -> list[str]:
        """The secret key and earlier keys that were still accepted, if the archive has them."""
        return self._zip.read(KEY).decode().splitlines() if self.manifest.key_included else []

    @property
    def size(self) -> int:
        """Unpacked size of all members in bytes."""
        return sum(member.size for member in self.manifest.members.values())


@contextmanager
def open_archive(path: Path, *, largest: int | None = None) -> Iterator[Archive]:
    """Check a whole archive and open it.

    Parameters
    ----------
    path : Path
        Path of the archive.
    largest : int or None
        Bytes that it may unpack to; None for as many as an ordinary archive of its size.

    Raises
    ------
    ArchiveRefused
        `not_an_archive`, `archive_damaged`, `archive_unsafe` (a name that leads elsewhere, or contents that
        would fill the disk) or `archive_newer`.
    """
    with ExitStack() as opened:
        try:
            file = opened.enter_context(path.open("rb"))
            check_seal(file, path.name)
            packed = opened.enter_context(ZipFile(file))
            archive = _checked(packed, path.name, largest or max(GIB, LARGEST_GROWTH * path.stat().st_size))
        except OSError as problem:
            message = f"{path} cannot be read: {problem.strerror}."
            raise ArchiveRefused(message, code="not_an_archive") from problem
        except UNREADABLE as problem:
            raise ArchiveRefused(f"{path.name} is damaged: {problem}. Nothing was restored.") from problem
        yield archive


def _checked(packed: ZipFile, name: str, largest: int) -> Archive:
    entries = packed.infolist()
    _check_entries(entries, name)
    grown = sum(entry.file_size for entry in entries)
    if grown > largest:
        raise ArchiveRefused(
            f"{name} would unpack to {grown / GIB:.1f} GB, {LARGEST_GROWTH} times its size or more. "
            f"Nothing was restored. If you created it yourself, add --max-gb {grown // GIB + 1}.",
            code="archive_unsafe",
        )
    if packed.getinfo(MANIFEST).file_size > LONGEST_MANIFEST:
        raise ValueError("its manifest is too long")
    manifest = Manifest.of_json(packed.read(MANIFEST))
    _check_version(manifest, name)
    _check_members(packed, manifest)
    archive = Archive(manifest, packed)
    if manifest.key_included and [key_fingerprint(key) for key in archive.keys[:1]] != [manifest.key]:
        raise ValueError(f"{KEY} does not hold the key that its manifest names")
    return archive


def _check_entries(entries: list[ZipInfo], name: str) -> None:
    names = [entry.filename for entry in entries]
    if len(set(names)) != len(names) or MANIFEST not in names:
        raise ValueError("a file is in it twice, or the manifest is missing")
    for entry in entries:
        if not _is_safe(entry.filename) or entry.flag_bits & 1:
            message = (
                f"{name} contains {entry.filename!r}, which is not part of a backup. Nothing was restored."
            )
            raise ArchiveRefused(message, code="archive_unsafe")
        if entry.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
            raise ValueError(f"{entry.filename} is packed in an unknown way")


def _is_safe(name: str) -> bool:
    """Whether the path of a member stays inside the folder that it begins with."""
    if name in {MANIFEST, README, KEY}:
        return True
    parts = name.split("/")
    if parts[0] == "tables":
        return len(parts) == 2 and PurePosixPath(name).suffix == ".jsonl"
    odd = {"", ".", ".."} & set(parts) or "\\" in name or any(ord(sign) < 32 for sign in name)
    return parts[0] in {MEDIA, KNOWLEDGE} and len(parts) > 1 and not odd


def _check_version(manifest: Manifest, name: str) -> None:
    unknown = unknown_migrations(manifest.state)
    if manifest.format > FORMAT or unknown:
        raise ArchiveRefused(
            f"{name} was made by Groundwork {manifest.version}, which is newer than this one "
            f"({release()}{f', without {unknown[0]}' if unknown else ''}). "
            "Install that version or a later one, then restore.",
            code="archive_newer",
        )


def _check_members(packed: ZipFile, manifest: Manifest) -> None:
    expected = {table.member for table in manifest.tables} | ({KEY} if manifest.key_included else set())
    if {*manifest.members, MANIFEST} != set(packed.namelist()) or not expected <= manifest.members.keys():
        raise ValueError("its files are not those that its manifest names")
    for name, member in manifest.members.items():
        with packed.open(name) as file:
            if _size_and_sum(file) != (member.size, member.sha256):
                raise ValueError(f"{name} is not what its manifest says")


def _size_and_sum(file: IO[bytes]) -> tuple[int, str]:
    digest, size = hashlib.sha256(), 0
    while piece := file.read(PIECE):
        digest.update(piece)
        size += len(piece)
    return size, digest.hexdigest()
