"""`make accessibility`: axe-core on every page of raters, in each window, theme and language."""

from __future__ import annotations

import sys
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

from tests.e2e.walk.studies import served
from tests.e2e.walk.views import LANGUAGES, views
from tests.support import chromium


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong on a page, by all its rules, those of best practice too."""
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{rule['id']} ({rule['help']}): {', '.join(' '.join(node['target']) for node in rule['nodes'])}"
        for rule in found
    ]


def main(languages: list[str]) -> int:
    seen = failed = 0
    with served() as (_, links), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        for view, page in views(browser, links, languages):
            seen += 1
            for violation in violations(page):
                failed += 1
                sys.stdout.write(f"{view}: {violation}\n")
        browser.close()
    sys.stdout.write(f"{seen} views, {failed} violations\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(LANGUAGES)))
