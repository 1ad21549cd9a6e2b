"""The evidence about one rater opens next to the list of raters, which keeps its place and the focus."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.studies.signing_in import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.processes]
LOW_WINDOW = {"width": 1280, "height": 420}


def raters_of(page: Page, demo: Demo) -> Locator:
    """The links of the list of raters, sorted so that nothing but its address tells the order."""
    sign_in_as(page, demo, "owner@example.org")
    page.goto(f"{demo.url}/studies/everyday-similes/raters/?sort=-code")
    expect(page.get_by_role("heading", name="Raters", level=1)).to_be_visible()
    return page.get_by_role("rowheader").get_by_role("link")


def expect_panel(page: Page, link: Locator) -> Locator:
    """The panel shows the rater of a link, begins with the focus, and the row is marked."""
    panel = page.get_by_role("complementary", name="Evidence about one rater")
    heading = panel.get_by_role("heading", name=link.inner_text(), exact=True)
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    expect(link).to_have_attribute("aria-current", "true")
    expect(page.locator("a[aria-current=true]")).to_have_count(1)
    return panel


def top_of(link: Locator) -> float:
    """Where a link is in the window, in pixels from above."""
    return float(link.evaluate("link => link.getBoundingClientRect().top"))


def test_the_panel_opens_by_mouse_and_keyboard_and_escape_returns_to_the_same_place(
    context: BrowserContext, demo: Demo
) -> None:
    page, problems = context.new_page(), []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.set_viewport_size(LOW_WINDOW)  # type: ignore[arg-type]
    links = raters_of(page, demo)
    here, last = page.url, links.last
    last.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 0, "the list is longer than the window"
    top = top_of(last)
    last.click()
    panel = expect_panel(page, last)
    expect(panel.get_by_role("heading", name="Flags")).to_be_visible()
    expect(panel.get_by_role("button", name="Next rater")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(panel.get_by_role("heading")).to_have_count(0)
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport()
    assert page.evaluate("scrollY") == before
    assert top_of(last) == pytest.approx(top, abs=1)
    links.first.focus()
    page.keyboard.press("Enter")
    panel = expect_panel(page, links.first)
    page.keyboard.press("Tab")
    expect(panel.get_by_role("button", name="Next rater")).to_be_focused()
    page.keyboard.press("Enter")
    expect_panel(page, links.nth(1))
    page.keyboard.press("Escape")
    expect(links.nth(1)).to_be_focused()
    assert page.url == here
    assert problems == []


def test_the_link_leads_to_the_page_of_the_rater_without_javascript(browser: Browser, demo: Demo) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=LOW_WINDOW)  # type: ignore[arg-type]
    page = context.new_page()
    raters_of(page, demo)
    code = "R-001"
    page.goto(f"{demo.url}/studies/everyday-similes/raters/?q={code}")
    link = page.get_by_role("rowheader").get_by_role("link", name=code, exact=True)
    link.click()
    expect(page).to_have_url(f"{demo.url}/studies/everyday-similes/raters/{code}/")
    expect(page.get_by_role("heading", level=1)).to_contain_text(code)
    expect(page.get_by_role("heading", name="Seconds per page")).to_be_visible()
    context.close()
