"""Run the program of a bundle, and read what it compared."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

# Runs a programme where none of our packages, nor Django, can be imported.
ALONE = """
import runpy, sys
class Closed:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"annotation", "scoring", "config", "django"}:
            raise ImportError(f"{name} must not be needed")
sys.meta_path.insert(0, Closed())
sys.argv = ["recompute", *sys.argv[1:]]
runpy.run_path(sys.argv[1] + "/recompute", run_name="__main__")
"""


def recompute(folder: Path) -> tuple[int, str]:
    """Exit status and what was printed."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", ALONE, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        timeout=3000,
    )
    return done.returncode, done.stdout + done.stderr


def compared(printed: str) -> dict[str, int]:
    """Numbers that were compared, by file."""
    lines = re.findall(r"^(\S+) +(\d+) +\d+ +\S+$", printed, flags=re.MULTILINE)
    return {name: int(number) for name, number in lines}


def is_the_same(printed: str, what: str = "Every number") -> bool:
    """Whether it says that all numbers agree, exactly or within their tolerances."""
    return re.search(rf"^{what} is the same(\.$| within its tolerance\. )", printed, re.MULTILINE) is not None
