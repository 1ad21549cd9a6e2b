"""`make screenshots`: every page, in each window, theme and language, into `var/screenshots/`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.e2e.walk.all_views import asked_for, every_view

FOLDER = Path(__file__).parents[3] / "var" / "screenshots"


def main(arguments: list[str]) -> int:
    # An installation refuses to start in a `var` that others can read.
    FOLDER.parent.mkdir(mode=0o700, exist_ok=True)
    FOLDER.mkdir(exist_ok=True)
    made = 0
    for view, page in every_view(*asked_for(arguments)):
        page.screenshot(path=FOLDER / f"{view}.png", full_page=True, animations="disabled")
        made += 1
    sys.stdout.write(f"{made} pictures in {FOLDER}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
