"""A worker that is stopped, not dead, is noticed everywhere, and so is a stopped process of its pool."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.base.jobs.queues import Queue
from tests.support.installation import Installation, Server, descendants
from tests.support.running import tables

pytestmark = [pytest.mark.processes]

HASTE = {"GROUNDWORK_WORKER_BEAT_SECONDS": "1", "GROUNDWORK_WORKER_SILENT_SECONDS": "4"}
# With the defaults, 10 and 40 seconds, within the minute that is promised.
LAST = 60.0
QUEUE = Queue.REPORTS.broker_name

# Enough items that its report takes far longer than the test watches it.
STUDY = """
from tests.support.studies.rated_study import rated_study
rated_study(items=4_000, with_scores=False)
"""
REPORT = """
from annotation.models import Study
from scoring.services.reports.reliability import request_report
print(request_report(study=Study.objects.get(), actor=None, replicates=100_000, seed=1).pk)
"""
PAGES = """
import json, re
from django.test import Client
from annotation.models import Job, User
def page(who, path):
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.get(email=f"{who}-lamps@example.org"))
    answer = client.get(path)
    assert answer.status_code in (200, 286), (path, answer.status_code)
    return re.sub(r"\\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))
job = Job.objects.filter(study__slug="lamps").order_by("-pk").first()
print(json.dumps({
    "system": page("superuser", "/site/system/"),
    "jobs": page("owner", "/studies/lamps/jobs/"),
    "job": page("owner", f"/jobs/{job.pk}/") if job else "",
    "state": job.state if job else "",
    "done": job.done if job else 0,
}))
"""


def ready(server: Server) -> tuple[int, dict[str, str]]:
    try:
        with urllib.request.urlopen(f"{server.url}/health/ready", timeout=20) as answer:
            return answer.status, json.load(answer)["checks"]["workers"]
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)["checks"]["workers"]


def wait(found: Callable[[], Any], fits: Callable[[Any], bool]) -> Any:
    until = time.monotonic() + LAST
    while not fits(value := found()):
        assert time.monotonic() < until, value
        time.sleep(0.3)
    return value


def stop_between_writes(installation: Installation, process: int) -> None:
    """A process stopped while it writes into SQLite's file would stop the beats of all workers too."""
    file = installation.var / tables.DATABASE
    while True:
        os.kill(process, signal.SIGSTOP)
        if not file.exists() or can_be_written(file):
            return
        os.kill(process, signal.SIGCONT)
        time.sleep(0.2)


def can_be_written(file: Path) -> bool:
    with contextlib.closing(sqlite3.connect(file, timeout=5, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        connection.execute("ROLLBACK")
    return True


def test_a_stopped_worker_and_a_stopped_process_of_its_pool_are_noticed_and_heal(migrated: Installation):
    installation = replace(migrated, settings={**migrated.settings, **HASTE})
    installation.run_script(STUDY)

    def pages() -> dict[str, Any]:
        found: dict[str, Any] = json.loads(installation.run_script(PAGES))
        return found

    with installation.serve("--bind", "127.0.0.1:0") as server:
        server.wait_until_ready()
        worker = server.child(QUEUE)
        assert pages()["system"].count("idle") == 3

        os.kill(worker, signal.SIGSTOP)
        # The processes of its pool are silent a moment before it is.
        silent = "1 of 3 workers has not responded for"
        _, answer = wait(lambda: ready(server), lambda found: silent in found[1]["message"])
        installation.run_script(REPORT)
        shown = pages()
        os.kill(worker, signal.SIGCONT)
        assert (answer["state"], answer["code"]) == ("failed", "workers_silent")
        for text in (answer["message"], shown["system"]):
            assert silent in text
            assert f"No responding worker serves these queues: {QUEUE}." in text
        assert "not responding" in shown["system"]
        for text in (shown["job"], shown["jobs"]):
            assert f"No responding worker serves the queue {QUEUE}." in text
        server.wait_until_ready()

        # The worker says with its next beat what it does.
        wait(pages, lambda found: found["state"] == "running" and "working" in found["system"])
        (child, *_) = descendants(worker)
        stop_between_writes(installation, child)
        stopped = "1 worker process has stopped or hangs."
        status, _ = wait(lambda: ready(server), lambda found: stopped in found[1]["message"])
        shown = wait(pages, lambda found: "has not responded for" in found["job"])
        os.kill(child, signal.SIGCONT)
        assert status == 503
        assert "1 of 1 processes stopped" in shown["system"]
        assert "has not responded for" in shown["jobs"]
        server.wait_until_ready()
    installation.close()
