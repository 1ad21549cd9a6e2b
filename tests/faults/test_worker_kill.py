"""A worker that dies in the middle of a report loses nothing: the job finishes, with one report."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.support.installation import ROOT, Installation

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("processes")]

HASTE = {"GROUNDWORK_JOB_LEASE_SECONDS": "2", "GROUNDWORK_JOB_SWEEP_SECONDS": "1"}
ASK = """
from annotation.models import Study
from scoring.services.reports.reliability import request_report
study = Study.objects.get(slug="everyday-similes")
print("job", request_report(study=study, actor=None, replicates=REPLICATES, seed=1).pk)
"""
LOOK = """
from annotation.models import Job
from scoring.models import Report
job = Job.objects.latest("pk")
own = Report.objects.filter(job=job).count()
print("state", job.state, job.done, job.attempt, own, Report.objects.count())
"""


def python(installation: Installation, code: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "shell", "-v", "0", "-c", code],
        env=installation.environment | HASTE,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout.split()


def worker(installation: Installation) -> subprocess.Popen[bytes]:
    """A worker in a process group of its own, so that it dies with its children."""
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency", "1"]
    log = installation.var.with_suffix(".worker").open("ab")
    return subprocess.Popen(
        command,
        env=installation.environment | HASTE,
        cwd=ROOT,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=30)


def look(installation: Installation) -> tuple[str, int, int, int, int]:
    _, state, *numbers = python(installation, LOOK)
    done, attempt, own, reports = map(int, numbers)
    return state, done, attempt, own, reports


def wait_for(installation: Installation, wanted: str, seconds: float = 90) -> tuple[str, int, int, int, int]:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = look(installation)
        if found[0] == wanted and (wanted != "running" or found[1] > 0):
            return found
        assert found[0] in {"queued", "running", wanted}, found
        time.sleep(0.2)
    raise AssertionError(f"not {wanted} after {seconds} s: {look(installation)}")


@pytest.mark.slow
def test_a_report_survives_the_kill_of_its_worker(installation: Installation) -> None:
    assert installation.manage("migrate", "-v", "0").returncode == 0
    assert installation.manage("seed_demo").returncode == 0
    python(installation, ASK.replace("REPLICATES", "200000"))
    first = worker(installation)
    try:
        wait_for(installation, "running")
    finally:
        kill(first)
    state, _, attempt, own, reports = look(installation)
    assert (state, attempt, own, reports) == ("running", 1, 0, 0)
    second = worker(installation)
    try:
        _, _, attempt, own, reports = wait_for(installation, "done", seconds=300)
    finally:
        kill(second)
    assert attempt == 2
    assert (own, reports) == (1, 1)
