"""Seconds in front, leaving the tab and pasting are noticed in a real browser and stored with the answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, begin, rate_by_keys, saved

pytestmark = [pytest.mark.browser, pytest.mark.processes]

LOOK = """
import json
from annotation.models import Rater, Response
rater = Rater.objects.filter(simulated=False).exclude(consented_at=None).latest("pk")
row = Response.objects.get(assignment__rater=rater)
print("FOUND" + json.dumps([row.seconds, row.active_seconds, row.away_seconds, row.times_away, row.pastes]))
"""
# Playwright keeps every page of a headless browser visible: the state is set, the event is the browser's own.
TURN = """state => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def stored(demo: Demo) -> list[Any]:
    printed = demo.installation.run_script(LOOK)
    found: list[Any] = json.loads(printed.partition("FOUND")[2])
    return found


def leave_for(page: Page, milliseconds: int) -> None:
    page.evaluate(TURN, "hidden")
    page.wait_for_timeout(milliseconds)
    page.evaluate(TURN, "visible")


def paste_remark(page: Page) -> None:
    page.locator("label.check").click()
    page.locator("textarea[name=remark]").fill("copied")
    page.keyboard.press("Control+A")
    page.keyboard.press("Control+C")
    page.keyboard.press("Control+V")


def test_leaving_and_pasting_are_stored_also_over_a_reload(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    leave_for(page, 2000)
    leave_for(page, 500)
    page.reload()
    at_item(page, 1)
    paste_remark(page)
    page.get_by_role("button", name="Save and next").click()
    at_item(page, 2)
    saved(page, 1)
    seconds, active, away, times, pastes = stored(demo)
    assert (times, pastes) == (2, 1)
    assert away == pytest.approx(2.5, abs=0.5)
    assert 0 < active <= seconds - away


def test_the_next_page_begins_at_nothing(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    leave_for(page, 200)
    rate_by_keys(page)
    page.keyboard.press("Enter")
    at_item(page, 2)
    saved(page, 1)
    remaining = page.evaluate("Object.entries(sessionStorage).filter(([key]) => key.startsWith('presence:'))")
    assert remaining == []


def test_without_scripts_nothing_is_known_and_a_pause_is_no_time_of_the_page(
    browser: Browser, demo: Demo
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(demo.link)
    page.get_by_role("button", name="I agree – start").click()
    page.get_by_role("link", name="Pause", exact=True).first.click()
    page.wait_for_timeout(8000)
    page.get_by_role("link", name="Continue rating").click()
    for name in ("quality", "creativity", "informativeness"):
        page.locator(f"input[name=answer-{name}][value='2']").check()
    page.get_by_role("button", name="Save and next").click()
    seconds, *measured = stored(demo)
    assert measured == [None, None, None, None]
    assert seconds < 8
    context.close()
