"""`make screenshots`: every page, in each window, theme and language, into `var/screenshots/`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from playwright.sync_api import Page

from tests.e2e.walk.all_views import walk
from tests.e2e.walk.choice import View
from tests.e2e.walk.record import VAR

FOLDER = VAR / "screenshots"


def picture(view: View, page: Page) -> Iterator[str]:
    """Make a picture of the whole page; there is nothing to find wrong."""
    page.screenshot(path=FOLDER / f"{view}.png", full_page=True, animations="disabled")
    yield from ()


if __name__ == "__main__":
    sys.exit(walk(sys.argv[1:], name=FOLDER.name, description=__doc__, look=picture))
