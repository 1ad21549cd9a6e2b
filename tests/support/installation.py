"""A real Groundwork in a folder of its own: `manage.py serve` with its web server and worker."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.running.script_runner import ScriptRunner

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = re.compile(r"https?://\S+")
START_SECONDS = 240.0
OURS = ("DATABASE_URL", "CELERY_BROKER_URL", "DJANGO_SETTINGS_MODULE", "SECRET_KEY", "GROUNDWORK_VAR")


class NotStarted(AssertionError):
    """The server did not come up."""


@dataclass
class Installation:
    """What one installation needs: its folder, and where its data and its queue are."""

    var: Path
    settings: Mapping[str, str]
    _scripts: ScriptRunner | None = field(default=None, init=False, repr=False)

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of the test run's own settings reaches the product."""
        ours = {name: value for name, value in os.environ.items() if name not in OURS}
        return ours | {"GROUNDWORK_VAR": str(self.var), "PYTHONUNBUFFERED": "1"} | dict(self.settings)

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one command to its end."""
        return subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    def run_script(self, script: str) -> str:
        """Run Python code in this installation; what it printed. `close` ends the process for it."""
        if self._scripts is None:
            self._scripts = ScriptRunner(self.environment)
        return self._scripts.run(script)

    def close(self) -> None:
        """Stop the process for scripts, where one was started."""
        if self._scripts is not None:
            self._scripts.close()
            self._scripts = None

    def serve(self, *arguments: str, ignoring_interrupts: bool = False) -> Server:
        """Start the server; `ignoring_interrupts` as a background shell would start it."""
        command = [sys.executable, str(ROOT / "manage.py"), "serve", *arguments]
        output = self.var.with_suffix(".printed")
        previous = signal.signal(signal.SIGINT, signal.SIG_IGN) if ignoring_interrupts else None
        try:
            with output.open("wb") as file:
                process = subprocess.Popen(
                    command,
                    env=self.environment,
                    cwd=ROOT,
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
        finally:
            if previous is not None:
                signal.signal(signal.SIGINT, previous)
        return Server(process, output)


@dataclass
class Server:
    """A running `manage.py serve`."""

    process: subprocess.Popen[bytes]
    output: Path

    def __enter__(self) -> Server:
        self.wait_for("Ctrl-C stops it.")
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def printed(self) -> str:
        return self.output.read_text(encoding="utf-8")

    @property
    def addresses(self) -> Sequence[str]:
        return ADDRESS.findall(self.printed)

    @property
    def url(self) -> str:
        return self.addresses[0].rstrip("/")

    def wait_for(self, text: str, seconds: float = START_SECONDS) -> None:
        until = time.monotonic() + seconds
        while text not in self.printed:
            if self.process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise NotStarted(f"{text!r} was not printed:\n{self.printed}")
            time.sleep(0.05)

    def wait_until_ready(self, seconds: float = START_SECONDS) -> None:
        """Until every part is in order, also the workers, which start together with the web server."""
        until = time.monotonic() + seconds
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}/health/ready", timeout=20):
                    return
            except urllib.error.HTTPError as refused:
                if time.monotonic() > until:
                    raise NotStarted(f"It is not ready: {refused.read().decode()}") from refused
            time.sleep(0.2)

    def child(self, word: str) -> int:
        """The process id of the child whose command line holds the word."""
        return next(pid for pid in descendants(self.process.pid) if word in command_line(pid))

    def stop(self, number: signal.Signals = signal.SIGTERM, seconds: float = 15.0) -> int:
        """Ask it to stop; returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


def descendants(pid: int) -> list[int]:
    """Children, then their children; nothing for a process that is gone."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    children = [int(word) for word in text.split()]
    return children + [below for child in children for below in descendants(child)]


def kilobytes_of_family(pid: int) -> int:
    """What a process and its descendants have alone, and their share of what they have with others (PSS)."""
    return sum(map(_kilobytes, [pid, *descendants(pid)]))


def _kilobytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def command_line(pid: int) -> str:
    """The words of a process, or nothing when it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def still_running(pids: Sequence[int], seconds: float = 5.0) -> list[int]:
    """Those that have not ended within the given time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and any(command_line(pid) for pid in pids):
        time.sleep(0.05)
    return [pid for pid in pids if command_line(pid)]
