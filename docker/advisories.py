"""`make advisories`: known vulnerabilities of the pinned dependencies, their source, and the time.

pip-audit asks the first source that answers. What a source does not know is named: it was not checked.
It ends with 0 where nothing is known, 1 where something is, and 2 where some or all could not be checked.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# All that the web part and the worker may install.
PINS = "requirements-worker.txt"
SOURCES = {
    "pypi": "the Python Packaging Advisory Database, by the package index",
    "osv": "the Open Source Vulnerabilities database",
}


@dataclass(frozen=True)
class Answer:
    """What one source knows."""

    source: str
    checked: Sequence[dict[str, Any]]
    unknown: Sequence[str]  # Names that the source could not check

    @property
    def advisories(self) -> list[str]:
        """One line for each advisory: the package, the advisory, and the releases that fix it."""
        return [
            f"{one['name']} {one['version']}: {found['id']}, "
            f"mended in {', '.join(found['fix_versions']) or 'no release yet'}"
            for one in self.checked
            for found in one["vulns"]
        ]


def main() -> int:
    """Ask the sources in turn, until one knows any of the packages."""
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    for source in SOURCES:
        answer = asked(source)
        if answer and answer.checked:
            sys.stdout.write(in_words(answer, now))
            return 1 if answer.advisories else 2 * bool(answer.unknown)
    names = ", nor ".join(SOURCES.values())
    sys.stdout.write(f"{now}: no advisories were had, neither from {names}. Nothing was checked.\n")
    return 2


def asked(source: str) -> Answer | None:
    """What a source knows of the pins; None where it does not answer."""
    command = [sys.executable, "-m", "pip_audit", "-r", str(ROOT / PINS), "--no-deps", "--disable-pip"]
    command += ["-s", source, "-f", "json", "--progress-spinner", "off"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed
    try:
        found = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return None
    checked = [one for one in found if "vulns" in one]
    return Answer(source, checked, [one["name"] for one in found if "vulns" not in one])


def in_words(answer: Answer, now: str) -> str:
    """The source, the time, what was found, and what was not checked."""
    lines = [f"{now}, {SOURCES[answer.source]}: {len(answer.checked)} packages checked."]
    lines += answer.advisories or ["Nothing is known against them."]
    if answer.unknown:
        lines.append(f"Not checked: {', '.join(answer.unknown)}.")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.exit(main())
