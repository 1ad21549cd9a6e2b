"""Data that version 0.1 or 0.2 wrote are brought to this version, in place and from a backup."""

from __future__ import annotations

import csv
import gzip
import io
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.backup.making import EVERY_TABLE, VERIFY, command
from tests.support import postgres
from tests.support.installation import Installation
from tests.support.running import tables

pytestmark = [pytest.mark.processes, pytest.mark.once]

INSTALLATIONS = Path(__file__).parent / "installations"
# A backup of the old tables as they are, as that version would have made one.
ARCHIVE = """
from pathlib import Path
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from annotation.services.base.backup.schema_state import models_at
from annotation.services.base.backup.writing import write_archive
loader = MigrationLoader(connection)
# Of the applications that are installed: Django REST framework's own tokens have gone since.
known = {{app: name for app, name in sorted(loader.applied_migrations) if app in loader.migrated_apps}}
write_archive(target=Path({target!r}), models=models_at(sorted(known.items())), state=sorted(known.items()),
              with_key=False, progress=lambda *_: None)
"""
EXPORT = """
from pathlib import Path
from annotation.io.base.writers import write_rows
from annotation.models import Study
from scoring.selectors.reports.exports import table_of
for name in {names!r}:
    slug, _, what = name.rpartition("-")
    columns, rows = table_of(Study.objects.get(slug=slug), what)
    Path({folder!r}, name + ".csv").write_bytes(b"".join(write_rows(rows, columns, "csv")))
"""


@pytest.fixture
def empty_postgresql(tmp_path: Path) -> Iterator[Installation]:
    with postgres.running() as server:
        if server is None:
            pytest.skip("no PostgreSQL")
        name = f"groundwork_upgrade_{os.getpid()}"
        with (
            postgres.scratch_database(server, name) as url,
            closing(Installation(tmp_path / "restored", {"DATABASE_URL": url})) as made,
        ):
            yield made


def recorded(version: str) -> dict[str, list[dict[str, str]]]:
    """The exports that the old version made, by name."""
    with ZipFile(INSTALLATIONS / version / "exports.zip") as archive:
        files = {name.removesuffix(".csv"): archive.read(name).decode() for name in archive.namelist()}
    assert files
    return {name: list(csv.DictReader(io.StringIO(text, newline=""))) for name, text in files.items()}


@pytest.mark.parametrize("version", [pytest.param("0.1", marks=pytest.mark.slow), "0.2"])
def test_old_data_are_upgraded_with_the_same_exports(
    tmp_path: Path, empty_postgresql: Installation, version: str
) -> None:
    var, archive, exported = tmp_path / "var", tmp_path / "old.zip", tmp_path / "exported"
    var.mkdir()
    exported.mkdir()
    with closing(sqlite3.connect(var / tables.DATABASE)) as database:
        database.executescript(
            gzip.decompress((INSTALLATIONS / version / "database.sql.gz").read_bytes()).decode()
        )
    with closing(Installation(var, {})) as old:
        old.run_script(ARCHIVE.format(target=str(archive)))
        command(old, "migrate", "-v", "0")
        assert old.run_script(VERIFY) == "[]\n"
        before = recorded(version)
        old.run_script(EXPORT.format(names=list(before), folder=str(exported)))
        for name, rows in before.items():
            with (exported / f"{name}.csv").open(encoding="utf-8", newline="") as file:
                now = list(csv.DictReader(file))
            # Later versions add columns and order some of them otherwise; none goes, and no cell changes.
            assert [{key: row[key] for key in rows[0]} for row in now] == rows, name
        every = old.run_script(EVERY_TABLE)
    command(empty_postgresql, "restore", str(archive))
    assert empty_postgresql.run_script(VERIFY) == "[]\n"
    assert empty_postgresql.run_script(EVERY_TABLE) == every
