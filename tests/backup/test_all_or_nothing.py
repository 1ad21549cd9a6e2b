"""A restore that fails leaves an empty installation, into which a sound archive can be restored."""

from __future__ import annotations

import ast
import signal
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Study
from annotation.services.base.backup.writing import write_backup
from tests.backup.making import VERIFY, resealed
from tests.support.installation import Installation
from tests.support.people import make_cast

pytestmark = [pytest.mark.processes, pytest.mark.django_db]

TRY = """
from pathlib import Path
from django.conf import settings
from annotation.models import Study, User
from annotation.domain.base.errors import GroundworkError
from annotation.services.base.backup.restoring import restore_backup
try:
    restore_backup(source=Path({source!r}), largest=None, progress=lambda *_: None)
    print("restored", end=" ")
except GroundworkError as refusal:
    print(refusal.code, end=" ")
files = [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]
print(User.objects.count(), Study.objects.count(), len(files))
"""


KILLED = """
import os, signal
from pathlib import Path
from annotation.services.base.backup.restoring import restore_backup
def progress(table, *_):
    if table == {table!r}:
        os.kill(os.getpid(), signal.SIGKILL)
restore_backup(source=Path({source!r}), largest=None, progress=progress)
"""


KEYS = """
from pathlib import Path
from django.conf import settings
folder = Path(settings.VAR_DIR)
print([(path.name, path.read_text()) for path in sorted(folder.glob("secret-key*")) if path.is_file()])
"""


@pytest.fixture
def sound(tmp_path: Path, settings: Any) -> Path:
    """An archive of two items and a file, with its keys."""
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the key of the archive", ["the one before"]
    settings.MEDIA_ROOT = tmp_path / "media"
    (tmp_path / "media" / "bundles").mkdir(parents=True)
    (tmp_path / "media" / "bundles" / "1-1.zip").write_bytes(b"a bundle")
    make_cast(items=2)
    write_backup(target=tmp_path / "sound.zip", with_key=True, progress=lambda *_: None)
    return tmp_path / "sound.zip"


def test_a_row_that_the_database_refuses_leaves_nothing_behind(
    migrated: Installation, sound: Path, tmp_path: Path
) -> None:
    def orphan(files: dict[str, bytes], _manifest: object) -> None:
        rows, study = files["tables/annotation.membership.jsonl"], Study.objects.get().pk
        files["tables/annotation.membership.jsonl"] = rows.replace(b",%d," % study, b",999999,")

    def shorten(_files: object, manifest: dict[str, list[dict[str, int]]]) -> None:
        manifest["tables"][0]["rows"] += 1

    broken = resealed(sound, tmp_path / "broken.zip", orphan)
    shorter = resealed(sound, tmp_path / "shorter.zip", shorten)
    assert migrated.run_script(TRY.format(source=str(broken))) == "restore_failed 0 0 0\n"
    assert migrated.run_script(TRY.format(source=str(shorter))) == "archive_damaged 0 0 0\n"
    outcome = migrated.run_script(TRY.format(source=str(sound))).split()
    assert (outcome[0], outcome[2:]) == ("restored", ["1", "1"])
    assert migrated.run_script(TRY.format(source=str(sound))).startswith("not_empty ")
    assert migrated.run_script(VERIFY) == "[]\n"


def test_keys_that_cannot_be_stored_leave_nothing_behind_and_no_row_without_its_key(
    migrated: Installation, sound: Path
) -> None:
    before = migrated.run_script(KEYS)
    in_the_way = migrated.var / "secret-key.new"
    in_the_way.mkdir()
    assert migrated.run_script(TRY.format(source=str(sound))) == "no_space 0 0 0\n"
    assert migrated.run_script(KEYS) == before
    in_the_way.rmdir()
    assert migrated.run_script(TRY.format(source=str(sound))).startswith("restored ")
    assert ast.literal_eval(migrated.run_script(KEYS)) == [
        ("secret-key", "the key of the archive"),
        ("secret-key-fallbacks", "the one before"),
    ]


def test_rows_that_the_database_refuses_leave_the_keys_that_were_there(
    migrated: Installation, sound: Path, tmp_path: Path
) -> None:
    def shorten(_files: object, manifest: dict[str, list[dict[str, int]]]) -> None:
        manifest["tables"][-1]["rows"] += 1

    before = migrated.run_script(KEYS)
    assert len(ast.literal_eval(before)) == 1
    broken = resealed(sound, tmp_path / "broken.zip", shorten)
    assert migrated.run_script(TRY.format(source=str(broken))) == "archive_damaged 0 0 0\n"
    assert migrated.run_script(KEYS) == before


@pytest.mark.parametrize("table", ["annotation.study", ""], ids=["among the rows", "after the last row"])
def test_a_restore_that_is_killed_is_repeated_and_no_row_was_there_without_its_key(
    migrated: Installation, sound: Path, table: str
) -> None:
    ended = migrated.manage("shell", "-c", KILLED.format(source=str(sound), table=table))
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    stored = dict(ast.literal_eval(migrated.run_script(KEYS)))
    assert stored["secret-key"] == "the key of the archive"
    outcome = migrated.run_script(TRY.format(source=str(sound))).split()
    assert (outcome[0], outcome[2:]) == ("restored", ["1", "1"])
    assert ast.literal_eval(migrated.run_script(KEYS)) == [
        ("secret-key", "the key of the archive"),
        ("secret-key-fallbacks", "the one before"),
    ]
    assert migrated.run_script(VERIFY) == "[]\n"
