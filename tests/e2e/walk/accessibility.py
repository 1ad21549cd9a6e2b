"""`make accessibility`: axe-core on every page, in each window, theme and language."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.e2e.walk.all_views import walk
from tests.e2e.walk.choice import View


def violations(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """What axe-core finds wrong on a page, by the given rules or by all, those of best practice too."""
    # To load axe-core takes longer than to run it, so that a page that is looked at again keeps it.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    found: list[dict[str, Any]] = page.evaluate("options => axe.run(options)", options)["violations"]
    return [
        f"{rule['id']} ({rule['help']}): {', '.join(' '.join(node['target']) for node in rule['nodes'])}"
        for rule in found
    ]


def look(_: View, page: Page) -> list[str]:
    return violations(page)


if __name__ == "__main__":
    sys.exit(walk(sys.argv[1:], name="accessibility", description=__doc__, look=look))
