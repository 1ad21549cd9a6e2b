"""The folder of an installation is open to its owner alone, whatever the umask."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.installation import ROOT, Installation
from tests.support.running import tables

UMASKS = (0o000, 0o022, 0o077)
START = f"""
import os, sqlite3, sys
os.umask(int(sys.argv[1]))
sys.path.insert(0, {str(ROOT)!r})
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.embedded"
import django
django.setup()
from django.core.management import call_command
from django.db import connection, transaction
from annotation.models import User
from annotation.serving.startup_tasks import prepare
from pathlib import Path
from django.conf import settings
# The product's connection makes the file; the tables are copied into it, since making them takes long.
connection.ensure_connection()
sqlite3.connect(sys.argv[2]).backup(connection.connection)
prepare(Path(settings.VAR_DIR))
(Path(settings.VAR_DIR) / "knowledge" / "one").mkdir(parents=True)
(Path(settings.VAR_DIR) / "knowledge" / "one" / "pages").write_text("x")
from config.celery import app
app.send_task("nothing")
with transaction.atomic():
    User.objects.create_user("one@example.org", "simile-and-metaphor-42")
    os.system(f"find {{settings.VAR_DIR}} -printf '%m %y %p\\\\n'")
"""


def started(var: Path, umask: int) -> subprocess.CompletedProcess[str]:
    copied = var.parent / "copied.sqlite3"
    tables.copy_to(copied)
    return subprocess.run(
        [sys.executable, "-c", START, str(umask), str(copied)],
        env=Installation(var, {}).environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def check_closed(listed: str) -> set[str]:
    names = set()
    for line in listed.splitlines():
        mode, kind, path = line.split(" ", 2)
        assert int(mode, 8) & 0o077 == 0, line
        names.add(Path(path).name)
        if kind == "d":
            assert int(mode, 8) == 0o700, line
    return names


@pytest.mark.parametrize("umask", UMASKS)
def test_everything_that_a_start_writes_is_closed(tmp_path, umask):
    done = started(tmp_path / "var", umask)
    assert done.returncode == 0, done.stderr
    names = check_closed(done.stdout)
    base = "groundwork.sqlite3"
    wanted = {"var", base, f"{base}-wal", f"{base}-shm", f"{base}-queue", "secret-key", "queue", "messages"}
    assert wanted | {"media", "static", "staticfiles.json", "log", "pages"} <= names
    assert any(name.endswith(".groundwork.msg") for name in names), names


def checked(var: Path) -> subprocess.CompletedProcess[str]:
    return Installation(var, {}).manage("check", "--tag", "models")


def test_a_folder_that_was_open_is_closed_at_the_start(tmp_path):
    var = tmp_path / "var"
    (var / "media").mkdir(parents=True)
    (var / "groundwork.sqlite3").touch()
    (var / "groundwork.sqlite3-wal").touch()
    (var / "media" / "export.zip").touch()
    outside = tmp_path / "outside"
    outside.touch(0o644)
    (var / "media" / "link").symlink_to(outside)
    for path in (var, *var.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o777)
    assert checked(var).returncode == 0
    left = [path for path in (var, *var.rglob("*")) if not path.is_symlink()]
    assert [path for path in left if stat.S_IMODE(path.stat().st_mode) & 0o077] == []
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644 & ~_umask()


def test_what_was_open_in_a_closed_folder_is_closed(tmp_path):
    var = tmp_path / "var"
    var.mkdir(0o700)
    files = [var / name for name in ("groundwork.sqlite3", "groundwork.sqlite3-wal", "secret-key")]
    for path in files:
        path.touch()
    files[-1].write_text("a key that was kept")
    (var / "log").mkdir()
    for path in (*files, var / "log"):
        path.chmod(0o755)
    assert checked(var).returncode == 0
    assert {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in (*files, var / "log")} == {
        "groundwork.sqlite3": "0o700",
        "groundwork.sqlite3-wal": "0o700",
        "secret-key": "0o700",
        "log": "0o700",
    }


def test_a_database_elsewhere_is_closed_and_nothing_next_to_it(tmp_path):
    database, other = tmp_path / "ratings.sqlite3", tmp_path / "ratings.csv"
    for path in (database, tmp_path / "ratings.sqlite3-wal", other):
        path.touch()
        path.chmod(0o644)
    done = Installation(tmp_path / "var", {"DATABASE_URL": f"sqlite:///{database}"}).manage("check")
    assert done.returncode == 0, done.stderr
    assert [stat.S_IMODE(path.stat().st_mode) for path in (database, other)] == [0o600, 0o644]
    wal = tmp_path / "ratings.sqlite3-wal"
    assert not wal.exists() or stat.S_IMODE(wal.stat().st_mode) == 0o600


def test_an_open_folder_with_files_of_others_is_refused_and_left_as_it_is(tmp_path):
    var = tmp_path / "home"
    var.mkdir()
    var.chmod(0o755)
    (var / "thesis.txt").touch()
    done = checked(var)
    assert done.returncode == 2
    assert done.stderr.startswith("GROUNDWORK_VAR")
    assert "chmod -R go=" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert stat.S_IMODE(var.stat().st_mode) == 0o755


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
