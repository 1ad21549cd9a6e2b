"""The second click of a double click on the button meets the next page, and chooses nothing there."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.keeping.pages_ahead import begin_with_pages_ahead
from tests.e2e.rating.rating_pages import at_item, rate_by_keys, saved

pytestmark = [pytest.mark.browser, pytest.mark.processes]

# On the second item the points of one scale are wherever the button of the first one was.
EVERYWHERE = """
form[data-position="2"] [data-key="quality"] .point:first-of-type { position: fixed; inset: 0; z-index: 99; }
"""


def test_a_double_click_answers_nothing_on_the_next_page(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    # The policy of the page allows no style of another kind.
    page.evaluate(
        "(css) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(css);"
        "document.adoptedStyleSheets = [sheet]; }",
        EVERYWHERE,
    )
    rate_by_keys(page)
    place = page.get_by_role("button", name="Save and next").bounding_box()
    assert place
    middle = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    page.mouse.dblclick(*middle)
    at_item(page, 2)
    saved(page, 1)
    expect(page.locator("input:checked")).to_have_count(0)
    assert page.evaluate("String(window.getSelection())") == ""
    assert page.evaluate("([x, y]) => Boolean(document.elementFromPoint(x, y).closest('.point'))", middle)
    # A click of its own is one.
    page.wait_for_timeout(600)
    page.mouse.click(*middle)
    expect(page.locator("input:checked")).to_have_count(1)
