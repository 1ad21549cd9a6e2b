"""`make widths`: pages that are wider than their window, and tables that a desktop cuts, in each language."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from playwright.sync_api import Page

from tests.e2e.walk.all_views import walk
from tests.e2e.walk.choice import View

DESKTOP, PHONE = 1280, 390
# What sticks out of a page that scrolls sideways.
BEYOND = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return null;
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > width + 1)
    .map((one) => `${one.tagName.toLowerCase()}.${one.className}`).slice(-3);
}"""
CUT = """() => [...document.querySelectorAll("main table")]
  .map((table) => [table, table.parentElement])
  .filter(([table, region]) => table.scrollWidth > region.clientWidth + 1)
  .map(([, region]) => region.ariaLabel || region.getAttribute("aria-labelledby") || "a table")"""


def too_wide(page: Page) -> Iterator[str]:
    """What of the page is beyond a desktop's or a phone's window, and each table that a desktop cuts."""
    for width in (DESKTOP, PHONE):
        page.set_viewport_size({"width": width, "height": 900})
        beyond = page.evaluate(BEYOND)
        if beyond is not None:
            yield f"wider than {width} px: {', '.join(beyond)}"
        if width == DESKTOP:
            yield from (f"cut at {width} px: {name}" for name in page.evaluate(CUT))


def look(_: View, page: Page) -> Iterator[str]:
    return too_wide(page)


if __name__ == "__main__":
    once = ["--windows", "desktop", "--schemes", "light"]
    sys.exit(walk([*sys.argv[1:], *once], name="widths", description=__doc__, look=look))
