"""Runs short scripts in an installation: Django is loaded once, and each script gets a fork of that process.

A process of its own for each script would load Django for longer than most scripts run.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NoReturn

ROOT = Path(__file__).resolve().parents[3]


class ScriptFailed(AssertionError):
    """A script ended with an error, which this names."""


class ScriptRunner:
    """The process that has loaded Django; it ends when it is closed, or when the tests end."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.running.script_runner"],
            env=dict(environment),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, script: str) -> str:
        """Run a script to its end; what it printed."""
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        print(json.dumps(script), file=requests, flush=True)
        line = answers.readline()
        if not line:
            raise ScriptFailed(f"The process that runs scripts ended with status {self._process.wait()}.")
        ended: dict[str, Any] = json.loads(line)
        if ended["status"] != 0:
            raise ScriptFailed(ended["error"])
        printed: str = ended["printed"]
        return printed

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
    exec(compile(script, "<script>", "exec"), {"__name__": "__main__"})  # noqa: S102 - a test wrote it
    sys.stdout.flush()
    sys.stderr.flush()
    # Without taking down, module by module, all that was loaded before the fork.
    os._exit(0)


def _read(file: IO[str]) -> str:
    file.seek(0)
    return file.read()


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
    import django

    # What is loaded here stays: the garbage collector need not look through it.
    gc.disable()
    django.setup()
    # The addresses lead to all of the product, so that no script has to import it again.
    importlib.import_module("config.urls")
    gc.freeze()
    gc.enable()
    # What the scripts print goes to a file of their own, and nothing of ours into the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    serve(sys.stdin, answers)


if __name__ == "__main__":
    main()
