"""`make screenshots`: every page of raters, in each window, theme and language, into `var/screenshots/`."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.e2e.walk.studies import served
from tests.e2e.walk.views import LANGUAGES, views
from tests.support import chromium

FOLDER = Path(__file__).parents[3] / "var" / "screenshots"


def main(languages: list[str]) -> int:
    # `var` is nobody else's: an installation refuses to start in one that others can read.
    FOLDER.parent.mkdir(mode=0o700, exist_ok=True)
    FOLDER.mkdir(exist_ok=True)
    with served() as (_, links), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        made = 0
        for view, page in views(browser, links, languages):
            page.screenshot(path=FOLDER / f"{view}.png", full_page=True, animations="disabled")
            made += 1
        browser.close()
    sys.stdout.write(f"{made} pictures in {FOLDER}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(LANGUAGES)))
