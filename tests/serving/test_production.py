"""A production installation, started by the commands of docs/deployment.md as they are written there."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.static_files import missing_manifest
from tests.support import postgres, redis_server
from tests.support.installation import OURS, ROOT
from tests.support.ports import free_port

together = [pytest.mark.processes]
HOST = "ratings.example.org"
LAST = 60


def documented() -> list[list[str]]:
    """The words of each command of the fenced block that names the web server."""
    text = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    (block,) = (found for found in re.findall(r"```\n(.*?)```", text, re.DOTALL) if "gunicorn" in found)
    return [shlex.split(line) for line in block.splitlines() if line.strip()]


@pytest.fixture
def surroundings(tmp_path: Path, redis_url: str) -> Iterator[dict[str, str]]:
    """What the documentation asks to be set, with a database and a queue of its own."""
    with postgres.running() as server, redis_server.empty_queue() as broker:
        if server is None or broker is None:
            pytest.skip("no PostgreSQL")
        with postgres.scratch_database(server, f"groundwork_production_{os.getpid()}") as database:
            ours = {name: value for name, value in os.environ.items() if name not in OURS}
            yield ours | {
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                "DJANGO_SETTINGS_MODULE": "config.settings.production",
                "SECRET_KEY": "a long and random key of this installation alone",
                "GROUNDWORK_HOSTS": HOST,
                "GROUNDWORK_VAR": str(tmp_path / "var"),
                "DATABASE_URL": database,
                "CELERY_BROKER_URL": broker,
                "GUNICORN_CMD_ARGS": f"--bind 127.0.0.1:{free_port()}",
            }


def run(command: list[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=dict(environment), cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )


@contextlib.contextmanager
def running(command: list[str], environment: Mapping[str, str], output: Path) -> Iterator[None]:
    with output.open("wb") as file:
        process = subprocess.Popen(
            command,
            env=dict(environment),
            cwd=ROOT,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield
        assert process.poll() is None, output.read_text()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=20)


def get(environment: Mapping[str, str], path: str) -> tuple[int, str]:
    """As the proxy in front asks; waits until the server answers."""
    port = int(environment["GUNICORN_CMD_ARGS"].rpartition(":")[2])
    until = time.monotonic() + LAST
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            connection.request("GET", path, headers={"Host": HOST, "X-Forwarded-Proto": "https"})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except ConnectionError:
            if time.monotonic() > until:
                raise
            time.sleep(0.3)
        finally:
            connection.close()


class TestProcesses:
    pytestmark = together

    def test_the_documented_commands_give_pages_with_their_style_sheets(self, surroundings, tmp_path):
        *first, web, worker = documented()
        assert (web[0], worker[0]) == ("gunicorn", "celery")
        for command in first:
            done = run(command, surroundings)
            assert done.returncode == 0, done.stderr
        with (
            running(web, surroundings, tmp_path / "web.out"),
            running(worker, surroundings, tmp_path / "worker.out"),
        ):
            assert get(surroundings, "/health/ready")[0] == 200, (tmp_path / "web.out").read_text()
            status, page = get(surroundings, "/account/login/")
            assert status == 200
            sheets = re.findall(r'<link[^>]*href="(/static/[^"]+\.css)"', page)
            assert sheets
            assert {get(surroundings, sheet)[0] for sheet in sheets} == {200}
            output, until = tmp_path / "worker.out", time.monotonic() + LAST
            while "ready." not in output.read_text() and time.monotonic() < until:
                time.sleep(0.3)
            assert "ready." in output.read_text()

    @pytest.mark.parametrize("preload", [True, False])
    def test_without_the_static_files_the_start_refuses_with_one_sentence(self, surroundings, preload):
        web = [word for word in documented()[-2] if preload or word != "--preload"]
        done = run(web, surroundings)
        assert done.returncode != 0
        assert "Traceback" not in done.stderr
        sentences = [line for line in done.stderr.splitlines() if not line.startswith("[")]
        assert set(sentences) == {missing_manifest()}

    def test_a_wrong_setting_stops_the_web_server_with_one_sentence(self, surroundings):
        done = run(documented()[-2], surroundings | {"SECRET_KEY": "short"})
        assert done.returncode != 0
        assert done.stderr.startswith("SECRET_KEY is too short")
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.django_db
def test_not_ready_without_the_manifest(client: Client, settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
    assert isinstance(staticfiles_storage, CompressedManifestStaticFilesStorage)
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()["code"]) == (503, "static_files_missing")
    assert "manifest" in answer.json()["message"]
    assert "collectstatic" in answer.json()["message"]
