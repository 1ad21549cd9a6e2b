"""Writing an archive of a running installation."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from django.apps import apps
from django.apps.registry import Apps
from django.conf import settings
from django.db import connection
from django.db.models import Model
from django.utils import timezone

from annotation.selectors.base.sequences import last_numbers
from annotation.selectors.base.snapshot import one_moment
from annotation.services.base.backup.folders import KEY, backup_folders, files_in
from annotation.services.base.backup.manifest import (
    MANIFEST,
    README,
    Manifest,
    Member,
    Table,
    key_fingerprint,
    readme,
)
from annotation.services.base.backup.refusals import BackupRefused
from annotation.services.base.backup.schema_state import State, current_state, is_migrated
from annotation.services.base.backup.sealed_file import COMMENT, PIECE, new_file
from annotation.services.base.backup.tables import columns_of, lines_of, stored_models
from config.command_line import command
from config.distribution import release

Progress = Callable[[str, int, int], None]
# File types that are compressed already.
PACKED = (".zip", ".gz", ".parquet", ".xlsx")


def write_backup(*, target: Path, with_key: bool, progress: Progress) -> Manifest:
    """Write everything that the installation holds at one moment to a new file, while it runs.

    Tables are read in one transaction that blocks no other, and written row by row. Files follow: they are
    complete before a row names them. Sessions are left out.

    Parameters
    ----------
    target : Path
        Path of the archive; its owner alone may read it.
    with_key : bool
        Whether the secret key, and those before it that are still accepted, are in it too.
    progress : callable
        Called as `progress(name, done, total)` with the tables and folders.

    Raises
    ------
    BackupRefused
        `file_exists`, `cannot_write`, `odd_key`: a key that is to be in the archive has several lines; and
        `not_migrated`: the tables are of another version.
    """
    if not is_migrated():
        message = f"The tables are from another version. Run `{command('migrate')}` first."
        raise BackupRefused(message, code="not_migrated")
    return write_archive(
        target=target, models=apps, state=current_state(), with_key=with_key, progress=progress
    )


def write_archive(
    *, target: Path, models: Apps, state: State, with_key: bool, progress: Progress
) -> Manifest:
    """Write an archive of tables in a given state of the migrations.

    Parameters
    ----------
    target, with_key, progress
        As of `write_backup`.
    models : Apps
        The models of that state.
    state : State
        That of the database.

    Raises
    ------
    BackupRefused
        `file_exists`, `cannot_write`, `odd_key`.
    """
    keys = _keys() if with_key else []
    started = Manifest(
        version=release(),
        made_at=timezone.now().isoformat(timespec="seconds"),
        database=connection.vendor,
        migrations=dict(state),
        key=key_fingerprint(settings.SECRET_KEY),
        key_included=with_key,
    )
    with new_file(target) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.comment = COMMENT
        writer = _Writer(archive)
        tables = _write_tables(writer, stored_models(models), progress)
        manifest = replace(started, tables=tables, members=writer.members)
        if keys:
            writer.add(KEY, ["\n".join(keys).encode()])
        writer.add(README, [readme(manifest).encode()])
        writer.add(MANIFEST, [manifest.as_json()])
    return manifest


def _keys() -> list[str]:
    """The secret key and earlier keys that are still accepted, one per line in the archive."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    if any(len(key.splitlines()) != 1 for key in keys):
        raise BackupRefused(
            "SECRET_KEY or SECRET_KEY_FALLBACKS has a line break, which a backup cannot contain. Replace the "
            "key (docs/secrets.md), or create the backup without --with-key and keep the key elsewhere.",
            code="odd_key",
        )
    return keys


class _Writer:
    """Adds files to an archive piece by piece and records their checksums."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._time = timezone.now().timetuple()[:6]
        self.members: dict[str, Member] = {}

    def add(self, name: str, pieces: Iterable[bytes]) -> None:
        entry = ZipInfo(name, self._time)
        entry.external_attr = 0o600 << 16
        entry.compress_type = ZIP_STORED if name.endswith(PACKED) else ZIP_DEFLATED
        digest, size = hashlib.sha256(), 0
        with self._archive.open(entry, "w", force_zip64=True) as member:
            for piece in pieces:
                member.write(piece)
                digest.update(piece)
                size += len(piece)
        self.members[name] = Member(size, digest.hexdigest())


def _write_tables(writer: _Writer, models: list[type[Model]], progress: Progress) -> list[Table]:
    """The tables at one moment; the files after that moment has begun, so that none is missing."""
    folders = backup_folders()
    total = len(models) + len(folders)
    tables = []
    with one_moment():
        numbers = last_numbers(models)
        for place, model in enumerate(models):
            label = model._meta.label_lower
            progress(label, place, total)
            table = Table(label, columns_of(model), 0, numbers.get(model._meta.db_table))
            counted = _Counted(lines_of(model))
            writer.add(table.member, counted)
            tables.append(replace(table, rows=counted.number))
    for place, (name, folder) in enumerate(folders.items(), start=len(models)):
        progress(name, place, total)
        _write_folder(writer, name, folder)
    progress("", total, total)
    return tables


def _write_folder(writer: _Writer, name: str, folder: Path) -> None:
    for path in files_in(folder):
        try:
            file = (folder / path).open("rb")
        except FileNotFoundError:
            # A bundle that was replaced by a newer one meanwhile.
            continue
        with file:
            writer.add(f"{name}/{path}", iter(partial(file.read, PIECE), b""))


class _Counted:
    """An iterable of pieces that counts them."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces
        self.number = 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self.number += 1
            yield piece
