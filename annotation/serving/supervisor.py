"""Keep child processes running until a stop is requested, then stop all of them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from config.settings.env import STARTED_IN
from config.settings.places import ROOT

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOOK_EVERY = 0.2
GRACE_SECONDS = 3.0
MAX_RESTARTS = 5
RESTART_WINDOW = 60.0
PR_SET_PDEATHSIG = 1

Say = Callable[[str], None]


@dataclass
class Child:
    """One process with a name, a command and a file that receives what it prints."""

    name: str
    command: Sequence[str]
    log: Path
    pass_fds: tuple[int, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    deaths: deque[float] = field(default_factory=lambda: deque(maxlen=MAX_RESTARTS))

    def start(self) -> None:
        """A session of its own: a Ctrl-C in the terminal reaches the parent alone, which decides."""
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(  # noqa: S603 - our own fixed command
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=self.pass_fds,
                start_new_session=True,
                # Python would import modules from the folder of the caller instead of ours.
                cwd=ROOT,
                env={STARTED_IN: str(Path.cwd()), **os.environ},
                preexec_fn=die_with_parent(os.getpid()),  # noqa: PLW1509 - before any thread is started
            )

    def last_words(self, lines: int = 5) -> str:
        return "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])

    def died(self) -> int | None:
        return self.process.poll() if self.process else None

    def signal(self, number: signal.Signals) -> None:
        """To the whole group, so that nothing is left over when the child itself is gone."""
        if self.process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)

    def dies_too_often(self) -> bool:
        self.deaths.append(time.monotonic())
        return len(self.deaths) == MAX_RESTARTS and self.deaths[-1] - self.deaths[0] < RESTART_WINDOW


class Supervisor:
    """Starts children, restarts one that ends by itself, and stops all at a signal."""

    def __init__(self, children: Sequence[Child], say: Say) -> None:
        self.children = children
        self.say = say
        self.stop_requested = threading.Event()

    def run(self, when_started: Callable[[], bool]) -> int:
        """Run until a signal comes; returns the exit status.

        Parameters
        ----------
        when_started : callable
            Called at each look until it returns True.
        """
        for number in STOP_SIGNALS:
            signal.signal(number, self._request_stop)
        try:
            for child in self.children:
                child.start()
            return self._watch(when_started)
        finally:
            self._stop_all()

    def _watch(self, when_started: Callable[[], bool]) -> int:
        started = False
        while not self.stop_requested.wait(LOOK_EVERY):
            if not all(self._restart_if_dead(child) for child in self.children):
                return 1
            started = started or when_started()
        self.say("Stopping …")
        return 0

    def _restart_if_dead(self, child: Child) -> bool:
        status = child.died()
        if status is None:
            return True
        child.signal(signal.SIGKILL)
        if child.dies_too_often():
            self.say(
                f"The {child.name} ended {MAX_RESTARTS} times within {RESTART_WINDOW:.0f} seconds "
                f"(last with {_ending(status)}); giving up. {child.log} ends with:\n{child.last_words()}"
            )
            return False
        child.start()
        self.say(f"The {child.name} ended unexpectedly ({_ending(status)}) and was started again.")
        return True

    def _request_stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stop_requested.set()

    def _stop_all(self) -> None:
        for child in self.children:
            if child.died() is None and child.process:
                child.process.send_signal(signal.SIGTERM)
        until = time.monotonic() + GRACE_SECONDS
        for child in self.children:
            if child.process:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.process.wait(timeout=max(0.0, until - time.monotonic()))
            child.signal(signal.SIGKILL)
        for child in self.children:
            if child.process:
                child.process.wait()


def _ending(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"


def die_with_parent(parent: int) -> Callable[[], None] | None:
    """What a child runs first so that it ends with its parent, even a killed one; None outside Linux."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None, use_errno=True)

    def ask_the_kernel() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return ask_the_kernel
