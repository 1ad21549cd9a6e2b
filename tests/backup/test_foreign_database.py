"""A database that holds tables of another program is refused, and a restore drops no table but its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection

from annotation.services.base.backup.refusals import RestoreRefused
from annotation.services.base.backup.restoring import restore_backup
from annotation.services.base.backup.writing import write_backup
from tests.backup.making import on_sqlite, resealed
from tests.support.installation import Installation
from tests.support.people import make_cast

pytestmark = [pytest.mark.processes, pytest.mark.django_db]

# A table with the name of one of ours, and one with another name; no table says which migrations were run.
FOREIGN_TABLES = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("CREATE TABLE annotation_study (title varchar(20))")
    cursor.execute("INSERT INTO annotation_study VALUES ('theirs')")
    cursor.execute("CREATE TABLE lab_results (title varchar(20))")
    cursor.execute("INSERT INTO lab_results VALUES ('theirs')")
"""
# As if the last migration were still to come.
ONE_MIGRATION_LESS = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("DELETE FROM django_migrations WHERE id = (SELECT MAX(id) FROM django_migrations)")
"""
CACHE_TABLES = """
from annotation.services.base.backup.schema_state import all_tables
print([name for name in sorted(all_tables()) if "cache" in name])
"""
THEIRS = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT title FROM annotation_study UNION ALL SELECT title FROM lab_results")
    print(cursor.fetchall())
"""
NO_LONGER = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("DROP TABLE annotation_study")
    cursor.execute("DROP TABLE lab_results")
"""
# While rows are loaded another program creates a table.
TRY = """
from pathlib import Path
from django.db import connection
from annotation.domain.base.errors import GroundworkError
from annotation.services.base.backup.restoring import restore_backup
from annotation.services.base.backup.schema_state import all_tables
def meanwhile(what, done, total):
    if {meanwhile} and done == 1:
        with connection.cursor() as cursor:
            cursor.execute("COMMIT")
            cursor.execute("CREATE TABLE lab_results (title varchar(20))")
            # PostgreSQL's driver begins a transaction by itself.
            cursor.execute("BEGIN" if connection.vendor == "sqlite" else "COMMIT")
try:
    restore_backup(source=Path({source!r}), largest=None, progress=meanwhile)
    print("restored")
except GroundworkError as refusal:
    print(refusal.code, sorted(all_tables()))
"""


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    make_cast(items=2)
    write_backup(target=tmp_path / "sound.zip", with_key=False, progress=lambda *_: None)
    return tmp_path / "sound.zip"


def test_a_database_with_foreign_tables_is_refused_and_only_tables_that_the_restore_made_are_dropped(
    installation: Installation, sound: Path, tmp_path: Path
) -> None:
    def shorten(_files: object, manifest: dict[str, list[dict[str, int]]]) -> None:
        manifest["tables"][-1]["rows"] += 1

    broken = resealed(sound, tmp_path / "broken.zip", shorten)
    installation.run_script(FOREIGN_TABLES)
    refused = "foreign_tables ['annotation_study', 'lab_results']\n"
    assert installation.run_script(TRY.format(source=str(sound), meanwhile=False)) == refused
    assert installation.run_script(THEIRS) == "[('theirs',), ('theirs',)]\n"
    installation.run_script(NO_LONGER)
    left = "archive_damaged ['lab_results']\n"
    assert installation.run_script(TRY.format(source=str(broken), meanwhile=True)) == left


def test_after_migrate_in_the_embedded_settings_a_restore_takes_place_once(
    tmp_path: Path, sound: Path
) -> None:
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings.embedded"}
    embedded = Installation(on_sqlite(tmp_path / "embedded").var, settings)
    assert embedded.run_script(CACHE_TABLES) == "['groundwork_cache']\n"
    done = embedded.manage("restore", str(sound))
    assert done.returncode == 0, done.stderr
    again = TRY.format(source=str(sound), meanwhile=False)
    assert embedded.run_script(again).startswith("not_empty ")
    embedded.run_script(ONE_MIGRATION_LESS)
    assert embedded.run_script(again).startswith("not_migrated ")
    embedded.close()


@pytest.mark.parametrize(
    "order",
    [
        "CREATE TABLE lab_results (title varchar(20))",
        "CREATE VIEW lab_report AS SELECT 1 AS one",
        "ALTER TABLE django_migrations RENAME TO lab_migrations",
    ],
)
def test_one_table_or_view_too_many_is_named_before_anything_is_changed(sound: Path, order: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(order)
    with pytest.raises(RestoreRefused) as refused:
        restore_backup(source=sound, largest=None, progress=lambda *_: None)
    assert refused.value.code == "foreign_tables"
    assert ("account_" if "RENAME" in order else "lab_re") in refused.value.message
