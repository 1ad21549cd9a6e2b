"""What moves on a page, measured by the browser."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

PARTS = ".specimen, .criterion__head, .point, .option, .side, .rate__actions > :not(.remark)"
PLACES = """
(parts) => [...document.querySelectorAll(parts)].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  const scrolled = one.closest(".rate__foot") ? 0 : window.scrollY;
  return [one.textContent.trim().slice(0, 20), x, y + scrolled, width, height].join(" ");
})
"""


class Stillness:
    """Every layout shift of a page from now on, on all its documents, with scripts and without.

    Chromium's own score leaves out what moves within half a second of an input: here everything counts.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self._shifts: list[dict[str, Any]] = []
        browser = page.context.new_cdp_session(page)
        browser.on("PerformanceTimeline.timelineEventAdded", self._shifted)
        browser.send("PerformanceTimeline.enable", {"eventTypes": ["layout-shift"]})

    def _shifted(self, timeline_event: dict[str, Any]) -> None:
        self._shifts.append(timeline_event["event"]["layoutShiftDetails"])

    def shifts(self) -> list[dict[str, Any]]:
        """What has moved, from where to where, once the frame at hand is painted."""
        self.page.wait_for_timeout(50)
        return self._shifts


def places(page: Page) -> list[str]:
    """Where the texts and controls of the item are, the bar of a phone in its window."""
    page.evaluate("window.scrollTo(0, 0)")
    found: list[str] = page.evaluate(PLACES, PARTS)
    return found
