"""The examples of docs/api.md run as they are printed there, against a real server."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from annotation.models import Study, Upload, User
from annotation.services.base.tokens import make_token
from annotation.tasks import run_job

PAGE = Path(__file__).resolve().parents[3] / "docs" / "api.md"


@pytest.mark.django_db(transaction=True)
def test_the_examples_make_fill_export_and_read_a_study(live_server: LiveServer) -> None:
    example, reading = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    user = User.objects.create_user("me@example.org", "simile-and-metaphor-42")
    surroundings = {
        "GROUNDWORK": live_server.url,
        "GROUNDWORK_EMAIL": "me@example.org",
        "GROUNDWORK_PASSWORD": "simile-and-metaphor-42",
        "PYTHONIOENCODING": "utf-8",
    }
    with subprocess.Popen(
        [sys.executable, "-c", example],
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        upload = sent_upload(run)
        assert upload.job is not None
        time.sleep(1.5)  # it asks at least once while the file waits
        run_job(upload.job.pk)
        output, complaints = run.communicate(timeout=60)
    assert run.returncode == 0, complaints
    rows = list(csv.DictReader(io.StringIO(output)))
    assert [
        (row["item"], row["criterion"], row["value"]) for row in sorted(rows, key=lambda row: row["item"])
    ][:3] == [("L1", "aptness", "3")] * 3
    assert sorted(row["value"] for row in rows if row["item"] == "L2") == ["1", "1", "2"]
    assert Study.objects.get().state == "closed"
    token = {"GROUNDWORK_TOKEN": make_token(user=user, name="reading", scopes=["read"])[1]}
    command = [sys.executable, "-c", reading]
    printed = subprocess.run(
        command, env=surroundings | token, capture_output=True, text=True, timeout=60, check=False
    )
    assert printed.returncode == 0, printed.stderr
    means = [line.split() for line in printed.stdout.splitlines()[1:3]]
    assert means == [["L1", "3.000000"], ["L2", "1.333333"]]


def sent_upload(run: subprocess.Popen[str]) -> Upload:
    """The file that the example sends; there is no worker to read it."""
    until = time.monotonic() + 60
    while run.poll() is None and time.monotonic() < until:
        if upload := Upload.objects.select_related("job").first():
            return upload
        time.sleep(0.1)
    run.kill()
    pytest.fail(f"The example sent no file. {run.communicate()[1]}")
