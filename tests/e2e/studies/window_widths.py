"""What on a page is wider than its window, or cut off without a sign that it goes on."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

# A table that is wider than the screen scrolls in a region that the keyboard reaches and whose edge shows it.
CUT_WITHOUT_SIGN = """() => [...document.querySelectorAll("main table")].filter((table) => {
  const region = table.parentElement;
  const cut = table.getBoundingClientRect().right > region.getBoundingClientRect().right + 1;
  return cut && !(region.tabIndex === 0 && getComputedStyle(region).backgroundImage.includes("gradient"));
}).length"""

# The most raters that a heat map of pairs has.
MOST_RATERS = 30
AS_MANY_RATERS = """(most) => document.querySelectorAll(".heat tr").forEach((row) => {
  while (row.cells.length <= most) row.append(row.lastElementChild.cloneNode(true));
})"""


def too_wide(page: Page) -> Iterator[str]:
    """Say whether the page scrolls sideways, and how many of its tables are cut without a sign."""
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if over > 0:
        yield f"{over} px wider than the window"
    if cut := page.evaluate(CUT_WITHOUT_SIGN):
        yield f"{cut} tables are cut without a sign"
