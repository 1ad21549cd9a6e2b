"""What a walk has found, a line for each view, so that a walk that was stopped can be resumed."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.walk.choice import View

VAR = Path(__file__).parents[3] / "var"
FOLDER = VAR / "walk"


class Record:
    """The views that were looked at, with the problems of each; stored in `var/walk/NAME.jsonl`."""

    def __init__(self, name: str, *, resume: bool) -> None:
        # An installation refuses to start in a `var` that others can read.
        VAR.mkdir(mode=0o700, exist_ok=True)
        FOLDER.mkdir(exist_ok=True)
        self.path = FOLDER / f"{name}.jsonl"
        if not resume:
            self.path.write_text("")
        self._problems: dict[str, list[str]] = {}
        for line in self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []:
            entry = json.loads(line)
            if not entry["failed"]:
                self._problems[entry["view"]] = entry["problems"]

    def __contains__(self, view: View) -> bool:
        return str(view) in self._problems

    def add(self, view: View, problems: Sequence[str], *, failed: bool = False) -> None:
        """Record a view; one that could not be shown is tried again when the walk is resumed."""
        self._problems[str(view)] = list(problems)
        entry = {"view": str(view), "problems": problems, "failed": failed}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        for problem in problems:
            sys.stdout.write(f"{view}: {problem}\n")
        sys.stdout.flush()

    def summary(self) -> int:
        """Print each problem with the number of its views; 1 where there is one, as a command's status."""
        counted = Counter(one for problems in self._problems.values() for one in problems)
        for problem, views in counted.most_common():
            sys.stdout.write(f"{views:>5} × {problem}\n")
        wrong = sum(bool(problems) for problems in self._problems.values())
        sys.stdout.write(f"{len(self._problems)} views, {wrong} with problems; see {self.path}\n")
        return 1 if wrong else 0
