"""A production installation as `docs/deployment.md` has it: its commands, its settings, real services."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.support import postgres, redis_server
from tests.support.installation import OURS, ROOT
from tests.support.ports import free_port
from tests.support.running.script_runner import ScriptRunner

HOST = "ratings.example.org"
EXAMPLE = ROOT / "docker" / "systemd" / "environment.example"
LAST = 60.0


def documented() -> list[list[str]]:
    """The words of each command of the fenced block that names the web server."""
    return _commands(naming="gunicorn")


def documented_workers() -> list[list[str]]:
    """Those of the workers that leave long work to one of their own."""
    return _commands(naming="celery -A config worker --loglevel INFO --concurrency 1 -n")


def _commands(*, naming: str) -> list[list[str]]:
    text = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    (block,) = (found for found in re.findall(r"```\n(.*?)```", text, re.DOTALL) if naming in found)
    return [shlex.split(line) for line in block.splitlines() if line.strip()]


def example_settings() -> dict[str, str]:
    """What the example for administrators sets."""
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


@dataclass
class Site:
    """One installation; each program of it is started by a command."""

    folder: Path
    environment: Mapping[str, str]
    port: int
    _scripts: ScriptRunner | None = field(default=None, init=False, repr=False)

    def run(self, command: list[str], **changed: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            command,
            env=dict(self.environment) | changed,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def run_script(self, script: str) -> str:
        """Run Python code in the installation; what it printed."""
        if self._scripts is None:
            self._scripts = ScriptRunner(self.environment)
        return self._scripts.run(script).strip()

    def close(self) -> None:
        if self._scripts is not None:
            self._scripts.close()

    @contextlib.contextmanager
    def web(self, **changed: str) -> Iterator[None]:
        """The documented web server, from when it listens."""
        with self.running(documented()[-2], "web", **changed) as process:
            log = self.log("web")
            wait_until(lambda: "Booting worker" in log.read_text() or process.poll() is not None)
            yield

    @contextlib.contextmanager
    def worker(self, **changed: str) -> Iterator[Path]:
        """The documented worker, when it is ready; where it writes its log."""
        with self.running(documented()[-1], "worker", **changed) as process:
            log = self.log("worker")
            wait_until(lambda: "ready." in log.read_text() or process.poll() is not None)
            yield log

    def log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    @contextlib.contextmanager
    def running(self, command: list[str], name: str, **changed: str) -> Iterator[subprocess.Popen[bytes]]:
        """A program that has not ended by itself at the end of the block."""
        with self.log(name).open("wb") as file:
            process = subprocess.Popen(
                command,
                env=dict(self.environment) | changed,
                cwd=ROOT,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            yield process
            assert process.poll() is None, self.log(name).read_text()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=20)


def wait_until(holds: object, seconds: float = LAST) -> None:
    """Look again until it holds; the time is for a busy machine, and not what a test is about."""
    assert callable(holds)
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it did not come true in time"
        time.sleep(0.2)


@contextlib.contextmanager
def new_site(folder: Path) -> Iterator[Site | None]:
    """The example's settings, with a database and a queue of its own; None without PostgreSQL and Redis."""
    with postgres.running() as server, redis_server.empty_queue() as broker, contextlib.ExitStack() as stack:
        if server is None or broker is None:
            yield None
            return
        name = f"groundwork_production_{os.getpid()}"
        database = stack.enter_context(postgres.scratch_database(server, name))
        port = free_port()
        ours = {name: value for name, value in os.environ.items() if name not in OURS}
        programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        here = {
            "PATH": programs,
            "PYTHONPATH": str(ROOT),
            "SECRET_KEY": "a long and random key of this installation alone",
            "GROUNDWORK_VAR": str(folder / "var"),
            "DATABASE_URL": database,
            "CELERY_BROKER_URL": broker,
            "GUNICORN_CMD_ARGS": f"--bind 127.0.0.1:{port}",
        }
        site = Site(folder, ours | example_settings() | here, port)
        stack.callback(site.close)
        yield site
