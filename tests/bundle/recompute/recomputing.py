"""Run the program of a bundle, and read what it compared."""

from __future__ import annotations

import functools
import json
import os
import re
import sys
from pathlib import Path

import numpy as np

from scoring.bundle.recompute.command import run_checks
from scoring.bundle.recompute.ratings import Ratings as OfBundle
from scoring.stats.data.table import Ratings
from tests.support.running import script_runner
from tests.support.running.script_runner import ScriptRunner

# The libraries that the programme names; Python itself sees no folder of ours.
LIBRARIES = ("numpy", "pandas", "scipy.stats")
# Runs a programme where none of our packages, nor Django, can be imported.
ALONE = """
import runpy, sys
class Closed:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {{"annotation", "scoring", "config", "django"}}:
            raise ImportError(f"{{name}} must not be needed")
sys.meta_path.insert(0, Closed())
sys.argv = ["recompute", {folder!r}]
runpy.run_path({folder!r} + "/recompute", run_name="__main__")
"""


def recompute(folder: Path) -> tuple[int, str]:
    """Exit status and what was printed."""
    done = _programmes().run_to_end(ALONE.format(folder=str(folder)))
    return done.status, done.printed + done.error


@functools.cache
def _programmes() -> ScriptRunner:
    """One for all tests of this process: each programme would load the libraries for longer than it runs."""
    return ScriptRunner(os.environ, (sys.executable, "-I", script_runner.__file__, *LIBRARIES))


def compared(printed: str) -> dict[str, int]:
    """Numbers that were compared, by file."""
    lines = re.findall(r"^(\S+) +(\d+) +\d+ +\S+$", printed, flags=re.MULTILINE)
    return {name: int(number) for name, number in lines}


def is_the_same(printed: str, what: str = "Every number") -> bool:
    """Whether it says that all numbers agree, exactly or within their tolerances."""
    return re.search(rf"^{what} is the same(\.$| within its tolerance\. )", printed, re.MULTILINE) is not None


def change_numbers(folder: Path, table: str) -> set[str]:
    """Change every number in the first row of a table of the reliability report; return their names."""
    path = folder / "reports" / "reliability.json"
    report = json.loads(path.read_text(encoding="utf-8"))
    row = report["tables"][table][0]
    numbers = {name for name, value in row.items() if type(value) in {int, float}}
    row.update({name: row[name] + 1e-3 for name in numbers})
    path.write_text(json.dumps(report), encoding="utf-8")
    return numbers


def found_changed(folder: Path) -> set[str]:
    """Names of the numbers that differ from what is stored, computed in this process."""
    return reported("".join(f"\n{line}" for check in run_checks(folder) for line in check.wrong))


def reported(printed: str) -> set[str]:
    """Names of the numbers that differ from what is stored; the sum of the changed file is no number."""
    return set(re.findall(r"(?<=\s)(\w+): stored ", printed))


def coded(ratings: Ratings) -> OfBundle:
    """The ratings of one criterion as the program of a bundle holds them."""
    return OfBundle(
        name=ratings.criterion,
        item=ratings.item,
        rater=ratings.rater,
        value=ratings.value,
        items=np.array(ratings.items),
        raters=np.array(ratings.raters),
        group=None,
        categories=np.unique(ratings.value),
        identified=True,
    )
