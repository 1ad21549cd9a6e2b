"""How long each file of tests took: written by `make test` for people, and for the order of the next run."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest


class Durations:
    """Adds up what the tests of each file took, and writes it down, the longest first."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid.partition("::")[0]] += report.duration

    def pytest_sessionfinish(self) -> None:
        """Files that did not run now keep what they had."""
        took = recorded(self._path) | self._seconds
        lines = [f"{seconds:8.1f} {file}" for file, seconds in sorted(took.items(), key=lambda one: -one[1])]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text("\n".join(lines), encoding="utf-8")


def recorded(path: Path) -> dict[str, float]:
    """Seconds of each file that is still there."""
    if not path.exists():
        return {}
    lines = [line.split(maxsplit=1) for line in path.read_text(encoding="utf-8").splitlines()]
    return {file: float(seconds) for seconds, file in lines if Path(file).exists()}
