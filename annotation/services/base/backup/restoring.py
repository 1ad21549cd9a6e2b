"""Restoring an archive into an empty installation: all of it, or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from django.apps import apps
from django.apps.registry import Apps
from django.conf import settings
from django.db import DatabaseError, connection, transaction

from annotation.services.base.backup import schema_state
from annotation.services.base.backup.folders import (
    backup_folders,
    foreign_files,
    staging,
)
from annotation.services.base.backup.manifest import Manifest, key_fingerprint
from annotation.services.base.backup.reading import Archive, open_archive
from annotation.services.base.backup.refusals import ArchiveRefused, RestoreRefused
from annotation.services.base.backup.schema_state import State
from annotation.services.base.backup.sequences import set_last_numbers
from annotation.services.base.backup.settling import Settled, settle
from annotation.services.base.backup.tables import MADE_BY_MIGRATE, columns_of, load_lines, stored_models
from annotation.services.base.backup.writing import Progress
from config.command_line import command
from config.settings.secret_key_file import key_is_set, read_fallbacks, read_or_create_key, with_keys


@dataclass(frozen=True)
class Restored:
    """What was restored. `key` is true if the installation has the key of the archive now."""

    manifest: Manifest
    files: int
    key: bool
    settled: Settled


def restore_backup(*, source: Path, largest: int | None, progress: Progress) -> Restored:
    """Restore an archive into this installation, which must be empty and must not be running.

    The archive is checked wholly before anything is written. Its rows are loaded into tables as they were
    when it was made, in one transaction, and then brought to this version, as an upgrade would. What was
    being computed begins again; what was waiting to be sent is given up (`settle`).

    Parameters
    ----------
    source : Path
        Of the archive.
    largest : int or None
        Bytes that it may unpack to; None for as many as an ordinary archive of its size.
    progress : callable
        As of `write_backup`.

    Raises
    ------
    ArchiveRefused
        As of `open_archive`.
    RestoreRefused
        `not_empty`; `foreign_tables`: the database has tables that are not Groundwork's; `not_migrated`: the
        tables are of another version; `no_space`; `restore_failed`: the database refused a row.
    """
    with open_archive(source, largest=largest) as archive:
        _check_place(archive)
        with _staged(archive) as staged, _with_keys(archive):
            settled = _restore_rows(archive, staged, progress)
        has_key = archive.manifest.key in map(key_fingerprint, _accepted_keys())
        return Restored(archive.manifest, len(staged), has_key, settled)


def _check_place(archive: Archive) -> None:
    _check_tables()
    if found := foreign_files():
        message = f"This installation is not empty: {found[0]} exists. Nothing was changed."
        raise RestoreRefused(message)
    free = shutil.disk_usage(settings.VAR_DIR).free
    if archive.size > free:
        message = f"The archive needs {archive.size >> 20} MB of space, and {free >> 20} MB are free."
        raise RestoreRefused(message, code="no_space")


def _check_tables() -> None:
    """Refuse a database with any table that `migrate` of this version did not make, or with rows."""
    has_tables = schema_state.has_tables()
    own = schema_state.own_tables() if has_tables else set()
    if foreign := sorted(schema_state.all_tables() - own):
        raise RestoreRefused(
            f"The database has a table that is not of this installation: {foreign[0]}. Restore into a new, "
            "empty database (DATABASE_URL); nothing was changed.",
            code="foreign_tables",
        )
    if has_tables and not schema_state.is_migrated():
        message = f"The tables are from another version. Run `{command('migrate')}` first."
        raise RestoreRefused(message, code="not_migrated")
    for model in stored_models(apps) if own else []:
        if model._meta.label_lower not in MADE_BY_MIGRATE and model._base_manager.exists():
            raise RestoreRefused(
                f"This installation is not empty: {model._meta.db_table} has rows. Restore into a new "
                "database and a new folder (DATABASE_URL, GROUNDWORK_VAR); nothing was changed."
            )


@contextmanager
def _staged(archive: Archive) -> Iterator[dict[Path, Path]]:
    """The files of the archive, unpacked next to their targets: target by staged file."""
    staged: dict[Path, Path] = {}
    places = []
    try:
        for name, folder in backup_folders().items():
            place = staging(folder)
            places.append(place)
            for member in archive.files(name):
                path = member.partition("/")[2]
                archive.copy(member, place / path)
                staged[place / path] = folder / path
        yield staged
    except OSError as problem:
        message = f"The files could not be written: {problem.strerror}. Nothing was restored."
        raise RestoreRefused(message, code="no_space") from problem
    finally:
        for place in places:
            shutil.rmtree(place, ignore_errors=True)


def _restore_rows(archive: Archive, staged: dict[Path, Path], progress: Progress) -> Settled:
    """Load the rows and move the files to their places; an error leaves an empty installation.

    Tables that were there, which the caller has found empty, are taken as they are where they are in the
    state of the archive; else they are dropped, and created again after an error. After an error only
    tables that were created here are dropped.
    """
    state = archive.manifest.state
    had_tables = schema_state.has_tables()
    fits = had_tables and state == schema_state.current_state()
    made: set[str] = set()
    moved: list[Path] = []
    try:
        if not fits:
            _make_tables(state, made)
        settled = _load_all(archive, staged, moved, progress)
        if not fits:
            with schema_state.noting_new_tables(made):
                schema_state.migrate()
    except BaseException as problem:
        for path in moved:
            path.unlink(missing_ok=True)
        with suppress(DatabaseError):
            schema_state.drop_tables(made)
            if had_tables and not fits:
                schema_state.migrate()
        if isinstance(problem, DatabaseError):
            message = f"The database refused the archive: {problem}. Nothing was restored."
            raise RestoreRefused(message, code="restore_failed") from problem
        raise
    return settled


def _make_tables(state: State, made: set[str]) -> None:
    # Unpacking took a while: the database is looked at again.
    _check_tables()
    schema_state.drop_tables(schema_state.own_tables())
    with schema_state.noting_new_tables(made):
        schema_state.make_tables(state)


def _load_all(archive: Archive, staged: dict[Path, Path], moved: list[Path], progress: Progress) -> Settled:
    """Load all rows in one transaction and move the files at its end; `moved` lists their final paths."""
    models = schema_state.models_at(archive.manifest.state)
    with transaction.atomic(durable=True):
        _load(archive, models, progress)
        settled = settle(models)
        connection.check_constraints()
        for source, target in staged.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            source.replace(target)
            moved.append(target)
    return settled


def _load(archive: Archive, models: Apps, progress: Progress) -> None:
    known = {model._meta.label_lower: model for model in stored_models(models)}
    tables = archive.manifest.tables
    if known.keys() != {table.model for table in tables}:
        raise ArchiveRefused("The archive is damaged: its tables are not those of its version.")
    for label in MADE_BY_MIGRATE:
        known[label]._base_manager.all().delete()
    for place, table in enumerate(tables):
        progress(table.model, place, len(tables))
        if sorted(table.columns) != sorted(columns_of(known[table.model])):
            raise ArchiveRefused(f"The archive is damaged: {table.model} has other columns in its version.")
        number = load_lines(known[table.model], table.columns, archive.lines(table))
        if number != table.rows:
            raise ArchiveRefused(f"The archive is damaged: {table.model} should have {table.rows} rows.")
    set_last_numbers({known[table.model]: table.last for table in tables})
    progress("", len(tables), len(tables))


def _with_keys(archive: Archive) -> AbstractContextManager[None]:
    """Store the keys of the archive before its rows, which without them could not be read.

    Those of the installation stay where the archive has none, where the environment gives one, and after
    an error.
    """
    if not archive.keys or key_is_set():
        return nullcontext()
    return with_keys(Path(settings.VAR_DIR), archive.keys)


def _accepted_keys() -> list[str]:
    """The keys that are accepted from now on."""
    if key_is_set():
        return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    folder = Path(settings.VAR_DIR)
    return [read_or_create_key(folder), *read_fallbacks(folder)]
