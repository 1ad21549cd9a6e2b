"""The example of docs/api.md runs as it stands there, against a real server."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from annotation.models import Study, User

PAGE = Path(__file__).resolve().parents[3] / "docs" / "api.md"


@pytest.mark.django_db(transaction=True)
def test_the_example_makes_fills_and_exports_a_study(live_server: LiveServer) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    User.objects.create_user("me@example.org", "simile-and-metaphor-42")
    surroundings = {
        "GROUNDWORK": live_server.url,
        "GROUNDWORK_EMAIL": "me@example.org",
        "GROUNDWORK_PASSWORD": "simile-and-metaphor-42",
        "PYTHONIOENCODING": "utf-8",
    }
    run = subprocess.run(
        [sys.executable, "-c", example],
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    rows = list(csv.DictReader(io.StringIO(run.stdout)))
    assert [
        (row["item"], row["criterion"], row["value"]) for row in sorted(rows, key=lambda row: row["item"])
    ][:3] == [("L1", "aptness", "3")] * 3
    assert sorted(row["value"] for row in rows if row["item"] == "L2") == ["1", "1", "2"]
    assert Study.objects.get().state == "closed"
