"""`make test`: the suite on SQLite, then what touches a database again on PostgreSQL.

Everything runs once on SQLite. The second pass leaves out the tests marked `pure` or `once`, and those in
the browser, whose installations have a database of their own; it runs whether or not the first one passed.
PostgreSQL and Redis are used where they answer, or started for the time of the run where they are installed.
With `CI=true` these and the browser are obligatory; elsewhere what needs them is skipped, and listed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from config.settings import env
from tests.support import chromium, postgres, redis_server
from tests.support.running import tables

NO_TESTS_COLLECTED = 5
# Seconds of each file, the longest first, of each pass.
RECORDS = Path("var/durations")
# Which tests stay together, `tests.support.running.distribution` says.
PROCESSES = ["-n", "4", "--dist", "loadscope", "--durations", "20"]


def main() -> int:
    options = _options()
    obligatory = env.flag("CI", default=False)
    started = time.monotonic()
    with contextlib.ExitStack() as services:
        browser = chromium.find() or chromium.install()
        postgres_url = services.enter_context(postgres.running())
        redis_url = services.enter_context(redis_server.running())
        missing = _missing(browser=browser, postgres=postgres_url, redis=redis_url)
        for line in missing:
            _say(line)
        if missing and obligatory:
            _say("With CI=true none of them may be missing.")
            return 1
        folder = Path(services.enter_context(tempfile.TemporaryDirectory(prefix="groundwork-tables-")))
        services.enter_context(tables.shared(folder, postgres_url))
        environment = {**os.environ, "TEST_REDIS_URL": redis_url or "", "TEST_CHROMIUM": browser or ""}
        environment.pop("TEST_DATABASE_URL", None)
        # Each module is compiled once for all the processes of the run.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        marks = "slow" if options.slow else "not slow"
        lasted, failed = [], 0
        for name, extra, pass_marks in _passes(postgres_url, marks, folder / "files"):
            _say(f"== {name}")
            began = time.monotonic()
            record = {"TEST_DURATIONS": str(RECORDS / f"{name}.txt")}
            status = _pytest(pass_marks, options.arguments, environment | extra | record)
            lasted.append(f"{name} {_minutes(time.monotonic() - began)}")
            if status == NO_TESTS_COLLECTED and extra:
                _say("No test of this selection touches the database.")
            else:
                failed = failed or status
    _say(f"== {', '.join(lasted)}, in all {_minutes(time.monotonic() - started)} (minutes:seconds)")
    return failed


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.run", description=__doc__)
    parser.add_argument("--slow", action="store_true", help="only the proofs that take minutes")
    parser.add_argument("arguments", nargs="*", help="handed to pytest; put -- before options")
    return parser.parse_args()


def _missing(**found: str | None) -> list[str]:
    reasons = {
        "browser": "No Chromium: the browser tests are skipped (Debian: apt-get install chromium).",
        "postgres": "No PostgreSQL on 127.0.0.1:5432 and none installed: the PostgreSQL pass is skipped "
        "(or set TEST_POSTGRES_URL).",
        "redis": "No Redis on 127.0.0.1:6379 and none installed: the tests that need it are skipped "
        "(or set TEST_REDIS_URL).",
    }
    return [reasons[name] for name, value in found.items() if not value]


def _passes(postgres_url: str | None, marks: str, files: Path) -> Iterator[tuple[str, dict[str, str], str]]:
    """Name, environment and marks; the first pass writes down which files the second one needs."""
    yield "SQLite", {"TEST_FILES_OF_NEXT_PASS": str(files)}, marks
    if postgres_url:
        again = f"{marks} and not pure and not once and not browser"
        listed = {"TEST_FILES_OF_THIS_PASS": str(files)} if files.exists() else {}
        yield "PostgreSQL", {"TEST_DATABASE_URL": postgres_url} | listed, again


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def _pytest(marks: str, arguments: list[str], environment: Mapping[str, str]) -> int:
    command = [sys.executable, "-m", "pytest", *PROCESSES, "-m", marks, *arguments]
    return subprocess.run(command, env=dict(environment), check=False).returncode


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
