"""Workers that are started and killed, and what becomes of their job."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from tests.support.installation import ROOT, Installation

HASTE = {"GROUNDWORK_JOB_LEASE_SECONDS": "2", "GROUNDWORK_JOB_SWEEP_SECONDS": "1"}
LOOK = """
from annotation.models import Job
from scoring.models import Report
# The nightly job, which workers ask for by themselves, belongs to none.
job = Job.objects.exclude(study=None).latest("pk")
own = Report.objects.filter(job=job).count()
print("state", job.state, job.done, job.attempt, own, Report.objects.count())
"""


def python(installation: Installation, code: str) -> list[str]:
    """The words that a script in the installation prints."""
    return installation.run_script(code).split()


def worker(installation: Installation, concurrency: int = 1) -> subprocess.Popen[bytes]:
    """A worker of all queues in a process group of its own, so that it dies with its children."""
    command = [sys.executable, "-m", "celery", "-A", "config", "--skip-checks", "worker"]
    command += ["--concurrency", str(concurrency)]
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
