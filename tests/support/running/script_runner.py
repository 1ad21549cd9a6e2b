"""Runs short scripts: what they need is loaded once, and each script gets a fork of that process.

A process of its own for each script would load Django, or pandas and scipy, for longer than most scripts run.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn

ROOT = Path(__file__).resolve().parents[3]
IN_DJANGO = (sys.executable, "-m", "tests.support.running.script_runner")


class ScriptFailed(AssertionError):
    """A script ended with an error, which this names."""


@dataclass(frozen=True)
class Ended:
    """What a script left."""

    status: int
    printed: str
    error: str


class ScriptRunner:
    """The process that has loaded what scripts need; it ends when it is closed, or when the tests end."""

    def __init__(self, environment: Mapping[str, str], command: Sequence[str] = IN_DJANGO) -> None:
        self._process = subprocess.Popen(
            command,
            env=dict(environment),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, script: str) -> str:
        """Run a script that must succeed; what it printed."""
        ended = self.run_to_end(script)
        if ended.status != 0:
            raise ScriptFailed(ended.error)
        return ended.printed

    def run_to_end(self, script: str) -> Ended:
        """Run a script, whatever status it ends with."""
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        print(json.dumps(script), file=requests, flush=True)
        line = answers.readline()
        if not line:
            raise ScriptFailed(f"The process that runs scripts ended with status {self._process.wait()}.")
        return Ended(**json.loads(line))

    def close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()
        self._process.wait(timeout=30)


def serve(requests: IO[str], answers: IO[str]) -> None:
    """Run one script for each line, until there are no more."""
    for line in requests:
        with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as error:
            child = os.fork()
            if child == 0:
                _run_here(json.loads(line), printed, error)
            _, status = os.waitpid(child, 0)
            texts = {"printed": _read(printed), "error": _read(error)}
        ended = {"status": os.waitstatus_to_exitcode(status)} | texts
        print(json.dumps(ended), file=answers, flush=True)


def _run_here(script: str, printed: IO[str], error: IO[str]) -> NoReturn:
    """Run the script in this process, and end it: with its traceback, if it fails."""
    os.dup2(printed.fileno(), sys.stdout.fileno())
    os.dup2(error.fileno(), sys.stderr.fileno())
    status = 0
    try:
        exec(compile(script, "<script>", "exec"), {"__name__": "__main__"})  # noqa: S102 - a test wrote it
    except SystemExit as ended:
        if not isinstance(ended.code, int):
            raise
        status = ended.code
    sys.stdout.flush()
    sys.stderr.flush()
    # Without taking down, module by module, all that was loaded before the fork.
    os._exit(status)


def _read(file: IO[str]) -> str:
    file.seek(0)
    return file.read()


def main(libraries: Sequence[str]) -> None:
    """Load these libraries, or Django with all of the product, and run scripts."""
    # What is loaded here stays: the garbage collector need not look through it.
    gc.disable()
    for name in libraries:
        importlib.import_module(name)
    if not libraries:
        _load_product()
    gc.freeze()
    gc.enable()
    # What the scripts print goes to a file of their own, and nothing of ours into the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    serve(sys.stdin, answers)


def _load_product() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
    import django

    django.setup()
    # The addresses lead to all of the product, so that no script has to import it again.
    importlib.import_module("config.urls")


if __name__ == "__main__":
    main(sys.argv[1:])
