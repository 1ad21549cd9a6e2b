"""A number of the rater's own is refused on the page if it is not above zero, before anything is sent."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import saved
from tests.e2e.rating.scales.scale_study import MAGNITUDES, begin, script_output, stored

pytestmark = [pytest.mark.browser, pytest.mark.processes]
REFUSED = "Enter a number above zero, such as 50 or 12.5."


@pytest.fixture
def study(demo: Demo) -> tuple[str, str]:
    slug, token = script_output(demo, MAGNITUDES).split()
    return slug, f"{demo.url.rstrip('/')}/join/{token}/"


def sent(page: Page) -> list[str]:
    """The addresses to which the page sends answers."""
    found: list[str] = []

    def note(request: Request) -> None:
        if request.method == "POST" and "submission_key" in (request.post_data or ""):
            found.append(request.url)

    page.on("request", note)
    return found


def test_zero_is_refused_by_keys_alone_without_a_request_and_a_number_is_saved(
    context: BrowserContext, demo: Demo, study: tuple[str, str]
) -> None:
    slug, link = study
    page = context.new_page()
    begin(page, link)
    posts = sent(page)
    number = page.get_by_role("textbox", name="Aptness, any number above zero")
    for typed in ("0", "0,0", "-5", "much"):
        number.fill(typed)
        page.keyboard.press("Enter")
        expect(page.locator("#answer-apt-error").get_by_text(REFUSED)).to_be_visible()
        expect(number).to_be_focused()
        expect(number).to_have_attribute("aria-invalid", "true")
    assert posts == []
    number.fill("12,5")
    expect(page.locator("#answer-apt-error").get_by_text(REFUSED)).to_have_count(0)
    page.keyboard.press("Enter")
    saved(page, 1)
    assert stored(demo, slug) == [["apt", 12.5]]


def test_without_scripts_the_browser_refuses_zero(browser: Browser, study: tuple[str, str]) -> None:
    _, link = study
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    begin(page, link)
    posts = sent(page)
    number = page.get_by_role("textbox", name="Aptness, any number above zero")
    number.fill("0")
    page.get_by_role("button", name="Save and next").click()
    expect(number).to_be_focused()
    expect(page.locator("input:invalid")).to_have_count(1)
    assert posts == []
    context.close()
