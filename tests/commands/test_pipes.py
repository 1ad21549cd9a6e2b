"""A command whose reader goes away stops quietly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.stats.samples import likert, long_form

ROOT = Path(__file__).resolve().parents[2]


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path):
    path = tmp_path / "ratings.csv"
    long_form(likert(1, 12, 60)).to_csv(path, index=False)
    command = [sys.executable, "manage.py", "agreement", str(path), "--bootstrap", "20"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read().decode()
        assert process.wait(timeout=60) == 141
    assert errors == ""
