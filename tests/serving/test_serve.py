"""`manage.py serve` with its real processes."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import signal
import socket
import time
import urllib.request
from pathlib import Path

import pytest

from tests.support.installation import Installation, command_line, descendants, still_running
from tests.support.ports import free_port

pytestmark = [pytest.mark.processes]

FREE = "127.0.0.1:0"
LONG_AND_SHORT = """
import time
from annotation.models import Job
from annotation.services.base.jobs import enqueue
from scoring.services.reports.reliability import request_report
from tests.support.studies.disagreement_study import make_study
study = make_study()
ask = lambda kind, steps: enqueue(kind=kind, study=study, params={"steps": steps}, created_by=None)
long = ask("trial_models", 36000)
def wait_for(state, *jobs):
    until = time.monotonic() + 120
    while time.monotonic() < until and any(job.state != state for job in jobs):
        time.sleep(0.2)
        [job.refresh_from_db() for job in jobs]
wait_for("running", long)
report = request_report(study=study, actor=None, replicates=100)
others = [ask("trial_short", 1), ask("trial_messages", 1)]
wait_for("done", report, *others)
long.refresh_from_db()
print(long.state, report.state, *(job.state for job in others))
"""


def get(url: str) -> http.client.HTTPResponse:
    response = urllib.request.urlopen(url, timeout=10)
    assert isinstance(response, http.client.HTTPResponse)
    return response


@pytest.mark.slow
def test_it_prints_the_home_page_first_and_only_when_it_answers(installation: Installation):
    with installation.serve("--bind", FREE) as server:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", server.addresses[0])
        assert get(server.url + "/health/live").status == 200
        server.wait_until_ready()


@pytest.mark.slow
def test_it_stops_everything_on_an_interrupt_that_a_background_shell_had_ignored(installation: Installation):
    with installation.serve("--bind", FREE, ignoring_interrupts=True) as server:
        family = descendants(server.process.pid)
        assert any("gunicorn" in command_line(pid) for pid in family)
        assert any("celery" in command_line(pid) for pid in family)
        assert server.stop(signal.SIGINT) == 0
        assert still_running(family, seconds=0) == []


def test_it_can_be_interrupted_while_it_still_prepares(installation: Installation):
    server = installation.serve("--bind", FREE, ignoring_interrupts=True)
    server.wait_for("Preparing")
    assert server.stop(signal.SIGINT) == 130
    assert "Stopped before" in server.printed


@pytest.mark.slow
def test_it_brings_back_a_killed_worker(migrated: Installation):
    with migrated.serve("--bind", FREE) as server:
        worker = server.child("celery")
        os.kill(worker, signal.SIGKILL)
        server.wait_for("The worker ended unexpectedly (signal SIGKILL) and was started again.", seconds=10)
        assert server.child("celery") != worker
        assert get(server.url + "/health/live").status == 200


def answers_again(url: str, *, seconds: float) -> bool:
    """A request that the dying server had taken is lost; soon another is answered at the same address."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, http.client.HTTPException):
            return get(url).status == 200
        time.sleep(0.2)
    return False


def test_it_keeps_its_port_while_a_killed_web_server_comes_back(migrated: Installation):
    with migrated.serve("--bind", FREE) as server:
        os.kill(server.child("gunicorn"), signal.SIGKILL)
        assert answers_again(server.url + "/health/live", seconds=30)


@pytest.mark.slow
def test_its_children_end_when_it_is_killed_outright(migrated: Installation):
    with migrated.serve("--bind", FREE) as server:
        family = descendants(server.process.pid)
        server.process.kill()
        assert still_running(family, seconds=15) == []


def test_reports_and_short_work_are_done_while_models_compute(migrated: Installation):
    trial = {"DJANGO_SETTINGS_MODULE": "tests.support.trial_jobs.settings"}
    installation = Installation(migrated.var, trial)
    with installation.serve("--bind", FREE):
        assert installation.run_script(LONG_AND_SHORT).split() == ["running", "done", "done", "done"]
    installation.close()


def busy(port: int) -> contextlib.AbstractContextManager[object]:
    """Hold the port, if no other process does already."""
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError:
        return contextlib.nullcontext()


@pytest.mark.slow
def test_it_says_which_port_it_took_when_the_usual_one_is_in_use(migrated: Installation):
    with busy(8000), migrated.serve() as server:
        port = int(server.addresses[0].rstrip("/").rpartition(":")[2])
        assert port != 8000
        assert f"port 8000 is in use, so this is port {port}" in server.printed
        assert get(server.url + "/health/live").status == 200


def test_it_refuses_a_taken_port_that_was_asked_for(installation: Installation):
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        result = installation.manage("serve", "--bind", f"127.0.0.1:{port}")
    assert result.returncode == 2
    assert f"Port {port} on 127.0.0.1 is in use" in result.stderr


@pytest.mark.parametrize("bind", ["nonsense", "127.0.0.1:", "127.0.0.1:99999", ":8000"])
def test_it_refuses_an_address_it_cannot_read(installation: Installation, bind: str):
    result = installation.manage("serve", "--bind", bind)
    assert result.returncode == 2
    assert f"--bind {bind!r} is not understood" in result.stderr
    assert "127.0.0.1:8000" in result.stderr


@pytest.mark.parametrize(
    ("name", "value", "accepts"),
    [
        ("DATABASE_URL", "mysql://127.0.0.1/x", "postgres://user:password@host:port/name"),
        ("GROUNDWORK_JOB_LEASE_SECONDS", "soon", "a whole number of at least 2"),
        ("GROUNDWORK_VAR", "/dev/null", "a folder"),
    ],
)
def test_a_wrong_setting_stops_it_with_one_sentence(tmp_path: Path, name: str, value: str, accepts: str):
    result = Installation(tmp_path / "var", {name: value}).manage("serve", "--bind", FREE)
    assert result.returncode == 2
    assert result.stderr.startswith(name)
    assert accepts in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_database_that_is_away_stops_it_with_what_to_check(tmp_path: Path):
    url = f"postgres://nobody@127.0.0.1:{free_port()}/nothing"
    result = Installation(tmp_path / "var", {"DATABASE_URL": url}).manage("serve", "--bind", FREE)
    assert result.returncode == 1
    assert "Check DATABASE_URL" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_second_start_creates_nothing_again_and_keeps_the_secret_and_the_data(migrated: Installation):
    with migrated.serve("--bind", FREE):
        secret = (migrated.var / "secret-key").read_bytes()
    before = written(migrated.var / "static")
    with migrated.serve("--bind", FREE):
        assert (migrated.var / "secret-key").read_bytes() == secret
    assert written(migrated.var / "static") == before


def written(folder: Path) -> dict[Path, int]:
    """The files of a folder, and when each was last written."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_free_port_is_named_as_it_was_asked_for(migrated: Installation):
    port = free_port()
    with migrated.serve("--bind", f"127.0.0.1:{port}") as server:
        assert server.addresses[0] == f"http://127.0.0.1:{port}/"


def test_the_pages_are_loaded_once_and_before_the_first_request(migrated: Installation) -> None:
    """Workers are forks of the process that has loaded them: no request waits, and they share the memory."""
    done = migrated.manage("shell", "-v", "0", "-c", "import sys, config.wsgi; print(*sys.modules)")
    assert "config.urls" in done.stdout.split(), done.stderr
