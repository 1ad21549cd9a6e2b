"""`make accessibility`: axe-core on every page, in each window, theme and language."""

from __future__ import annotations

import sys
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.e2e.walk.all_views import asked_for, every_view, print_problems


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong on a page, by all its rules, those of best practice too."""
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{rule['id']} ({rule['help']}): {', '.join(' '.join(node['target']) for node in rule['nodes'])}"
        for rule in found
    ]


def main(arguments: list[str]) -> int:
    return print_problems(every_view(*asked_for(arguments)), violations)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
