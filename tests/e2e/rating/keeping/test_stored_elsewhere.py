"""What another tab has stored is not overwritten by pressing Enter again."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, begin, rate_by_keys, saved

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def values(page: Page) -> list[str]:
    checked = page.locator("form.criteria .point :checked")
    found: list[str] = checked.evaluate_all("(all) => all.map((one) => one.value)")
    return found


def test_a_second_enter_keeps_what_another_tab_stored(context: BrowserContext, demo: Demo) -> None:
    page, other = context.new_page(), context.new_page()
    begin(page, demo)
    item = page.url
    other.goto(item)
    at_item(other, 1)
    rate_by_keys(other, "111")
    other.keyboard.press("Enter")
    at_item(other, 2)
    saved(other, 1)
    rate_by_keys(page, "555")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Currently saved:")).to_be_visible()
    expect(page.get_by_role("link", name="Keep and continue")).to_be_focused()
    page.keyboard.press("Enter")
    at_item(page, 2)
    other.goto(item)
    at_item(other, 1)
    assert values(other) == ["1", "1", "1"]


def test_saving_again_on_purpose_replaces_it(context: BrowserContext, demo: Demo) -> None:
    page, other = context.new_page(), context.new_page()
    begin(page, demo)
    item = page.url
    other.goto(item)
    at_item(other, 1)
    rate_by_keys(other, "111")
    other.keyboard.press("Enter")
    at_item(other, 2)
    saved(other, 1)
    rate_by_keys(page, "555")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Currently saved:")).to_be_visible()
    page.get_by_role("button", name="Save and next").click()
    at_item(page, 2)
    saved(page, 1)
    other.goto(item)
    at_item(other, 1)
    assert values(other) == ["5", "5", "5"]
    # The notice of a correction is in the main part of the page, which lists of landmarks lead to.
    expect(other.get_by_role("main").get_by_text("You have already answered this item.")).to_be_visible()


def test_the_page_reports_a_withdrawal_in_another_tab_and_no_longer_offers_to_save_again(
    context: BrowserContext, demo: Demo
) -> None:
    page, other = context.new_page(), context.new_page()
    begin(page, demo)
    other.goto(page.url)
    at_item(other, 1)
    rate_by_keys(other, "111")
    other.keyboard.press("Enter")
    saved(other, 1)
    rate_by_keys(page, "555")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Currently saved:")).to_be_visible()
    other.get_by_role("link", name="Pause").click()
    other.get_by_role("link", name="Withdraw from the study").click()
    other.get_by_role("button", name="Withdraw from the study").click()
    expect(other.get_by_role("heading", name="You have withdrawn")).to_be_visible()
    page.get_by_role("button", name="Save and next").click()
    notice = page.locator("#not-saved")
    expect(notice).to_contain_text("An answer was not saved. You withdrew from this study on")
    expect(notice).to_contain_text("You will get no more items.")
    expect(page.get_by_text("Currently saved:")).to_have_count(0)
