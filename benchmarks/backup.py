"""A backup of a million ratings, its restore, and `verify`: time and memory, with SQLite's own backup.

    python -m benchmarks.backup [--ratings 1000000]

Each command runs in a process of its own, as users start it; memory is the most that this process held.
Baselines of the same run are a process that starts Django and ends, and SQLite's online backup of the same
file, which keeps no sums, packs nothing and fits SQLite alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
COPY = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).backup(sqlite3.connect(sys.argv[2]))"
DATABASE = "groundwork.sqlite3"
# Every assignment has a slot of its number, which its rater fills.
SEATS = """
INSERT INTO annotation_seat (id, form_id, item_id, slot, shuffle, state, rater_id)
SELECT id, form_id, item_id, row_number() OVER (PARTITION BY item_id ORDER BY id), 0, 'filled', rater_id
FROM annotation_assignment"""


@dataclass(frozen=True)
class Taken:
    """What a process took."""

    name: str
    seconds: float
    processor: float
    megabytes: float

    def __str__(self) -> str:
        return (
            f"{self.name:<24} {self.seconds:>7.1f} s {self.processor:>7.1f} s of processor time "
            f"{self.megabytes:>6.0f} MB"
        )


def run(name: str, words: list[str], var: Path) -> Taken:
    """Run a process to its end; one that fails ends the benchmark."""
    environment = {**os.environ, "GROUNDWORK_VAR": str(var), "PYTHONPATH": str(ROOT)}
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, *words], env=environment, cwd=ROOT)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{name} ended with status {os.waitstatus_to_exitcode(status)}.")
    return Taken(name, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def make(ratings: int) -> None:
    """An opened study of so many ratings, with a filled slot for each of its answers."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.utils import timezone

    from annotation.models import Study
    from benchmarks.export import made

    call_command("migrate", verbosity=0)
    study: Any = made(ratings)
    Study.objects.filter(pk=study.pk).update(opened_at=timezone.now())
    study.items.filter(assignments=None).delete()
    # The first and the last item have fewer answers than the others.
    study.forms.update(overlap=1)
    with connection.cursor() as cursor:
        cursor.execute(SEATS)
        cursor.execute("UPDATE annotation_assignment SET seat_id = id, submitted_at = created_at")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--ratings", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="groundwork-") as name:
        folder = Path(name)
        source, target, archive = folder / "source", folder / "target", folder / "backup.zip"
        os.environ |= {"GROUNDWORK_VAR": str(source), "DJANGO_SETTINGS_MODULE": "config.settings.embedded"}
        make(options.ratings)
        copied = [str(source / DATABASE), str(folder / "copy.sqlite3")]
        for taken in (
            run("check (starts Django)", ["manage.py", "check"], source),
            run("SQLite's own backup", ["-c", COPY, *copied], source),
            run("backup", ["manage.py", "backup", str(archive)], source),
            run("verify", ["manage.py", "verify"], source),
            run("restore", ["manage.py", "restore", str(archive)], target),
            run("verify what was restored", ["manage.py", "verify"], target),
        ):
            print(taken)
        sizes = [(source / DATABASE).stat().st_size, archive.stat().st_size]
        print("database {:.0f} MB, archive {:.0f} MB".format(*(size / 1e6 for size in sizes)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
