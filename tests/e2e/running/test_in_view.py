"""What members need stays on the screen: the matrix of all criteria, the bar of a selection, progress."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, ViewportSize, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, begin, rate_by_keys
from tests.e2e.studies.signing_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.processes]
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
REPORTED_SECONDS = 60
# The criteria of the demo, and six in the place of three: each row is as high as these.
CRITERIA, ASKED = 3, 6


def height(one: Locator) -> float:
    box = one.bounding_box()
    assert box is not None
    return box["height"]


def test_all_criteria_are_on_one_screen_and_each_is_opened_on_demand(browser: Browser, demo: Demo) -> None:
    page = browser.new_page(viewport=LAPTOP)
    page.goto(f"{sign_in(page, demo)}reliability/")
    expect(page.locator("table.matrix tbody tr")).to_have_count(CRITERIA, timeout=REPORTED_SECONDS * 1000)
    matrix = page.locator("table.matrix")
    added = (ASKED - CRITERIA) * height(matrix.locator("tbody tr").first)
    assert height(matrix) + added <= LAPTOP["height"] / 2
    forests = page.locator("details.of-criterion table.forest-table")
    assert not any(one.is_visible() for one in forests.all())
    page.locator("details.of-criterion > summary").first.focus()
    page.keyboard.press("Enter")
    expect(forests.first).to_be_visible()
    expect(forests.nth(1)).not_to_be_visible()
    page.emulate_media(media="print")
    for one in forests.all():
        expect(one).to_be_visible()
    page.close()


def test_the_bar_of_a_selection_stays_above_a_long_list(browser: Browser, demo: Demo) -> None:
    page = browser.new_page(viewport=LAPTOP)
    page.goto(f"{sign_in(page, demo)}disagreement/")
    boxes = page.get_by_role("checkbox", name="Select ")
    boxes.nth(1).check()
    boxes.last.check()
    expect(boxes.nth(1)).not_to_be_in_viewport()
    expect(page.get_by_text("Selected: 2 of 40 on this page")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Send selected items to adjudication")).to_be_in_viewport(ratio=1)
    page.close()


def test_progress_follows_what_raters_save_without_reloading(browser: Browser, demo: Demo) -> None:
    member, rater = browser.new_page(viewport=LAPTOP), browser.new_context().new_page()
    sign_in(member, demo)
    member.evaluate("() => { document.body.dataset.loaded = 'once' }")
    begin(rater, demo)
    before = int(member.locator("#live .big").first.inner_text().replace(",", ""))
    rate_by_keys(rater)
    rater.keyboard.press("Enter")
    at_item(rater, 2)
    expect(member.locator("#live .big").first).to_have_text(f"{before + 1:,}", timeout=60_000)
    assert member.locator("body").get_attribute("data-loaded") == "once"
    member.close()
    rater.context.close()
