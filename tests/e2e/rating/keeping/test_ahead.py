"""The next two items are there already: a rater goes on without a connection, and nothing is lost."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.keeping.pages_ahead import begin_with_pages_ahead, stored
from tests.e2e.rating.rating_pages import at_item, rate_by_keys, saved, set_state
from tests.e2e.rating.stillness.layout_shifts import Stillness

pytestmark = [pytest.mark.browser, pytest.mark.processes]

BREAK_OFF_ONE_ANSWER = """() => {
  const whole = Response.prototype.text;
  let broken = false;
  Response.prototype.text = function () {
    if (broken || this.url.endsWith("/ahead/")) return whole.call(this);
    broken = true;
    return Promise.reject(new TypeError("network error"));
  };
}"""


def test_the_progress_of_a_page_fetched_ahead_is_that_of_the_moment_it_is_shown(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    for number in (1, 2, 3):
        at_item(page, number)
        thread = page.locator("progress.thread")
        expect(thread).to_have_attribute("aria-label", re.compile(f"^Items saved: {number - 1} of "))
        assert thread.evaluate("(one) => one.value") == number - 1
        rate_by_keys(page)
        page.keyboard.press("Enter")


def test_three_answers_wait_without_a_connection_and_are_stored_once_in_order(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    still = Stillness(page)
    begin_with_pages_ahead(page, demo)
    context.set_offline(True)
    for number in (1, 2, 3):
        at_item(page, number)
        page.wait_for_timeout(1000)
        rate_by_keys(page)
        page.keyboard.press("Enter")
    notice = page.locator("#offline")
    expect(notice).to_contain_text("Answers waiting on this device: 3.")
    expect(notice).to_contain_text("No more items are loaded.")
    expect(page.get_by_text("Item 3 not saved yet")).to_be_visible()
    at_item(page, 3)
    page.wait_for_timeout(4000)
    context.set_offline(False)
    at_item(page, 4)
    expect(page.get_by_text("Answers sent from this device: 3.")).to_be_visible()
    rows = stored(demo)
    assert [row[:3] for row in rows] == [(1, 1, False), (2, 1, False), (3, 1, False)]
    assert all(1 <= row[3] < 4 for row in rows[1:]), rows
    assert page.evaluate("JSON.stringify(Object.keys(localStorage))") == "[]"
    assert still.shifts() == []


def test_an_answer_that_breaks_off_holds_nothing_up(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    page.evaluate(BREAK_OFF_ONE_ANSWER)
    for number in (1, 2):
        at_item(page, number)
        rate_by_keys(page)
        page.keyboard.press("Enter")
    at_item(page, 3)
    saved(page, 2)
    assert [row[:3] for row in stored(demo)] == [(1, 1, False), (2, 1, False)]
    assert page.evaluate("JSON.stringify(Object.keys(localStorage))") == "[]"


def test_a_study_that_closes_while_answers_wait_says_so(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    context.set_offline(True)
    rate_by_keys(page)
    page.keyboard.press("Enter")
    at_item(page, 2)
    set_state(demo, "closed")
    try:
        context.set_offline(False)
        notice = page.locator("#undelivered")
        expect(notice).to_contain_text("An answer waiting on this device was not saved.", timeout=20_000)
        expect(notice).to_contain_text("This study is closed. Your saved answers are kept.")
        assert stored(demo) == []
    finally:
        set_state(demo, "open")


def test_undo_leads_back_without_the_notice_of_a_correction(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    rate_by_keys(page)
    page.keyboard.press("Enter")
    at_item(page, 2)
    page.get_by_role("button", name="Back to saved item").click()
    at_item(page, 1)
    expect(page.locator("[name=answer-quality][value='4']")).to_be_checked()
    expect(page.locator("#correction")).to_have_count(0)
    # A digit replaces no answer of a criterion that has no frame: it leads there first.
    page.keyboard.press("2")
    expect(page.locator("fieldset[data-key=quality]")).to_be_focused()
    expect(page.locator("[name=answer-quality][value='4']")).to_be_checked()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    at_item(page, 2)
    saved(page, 1)
    assert [row[:2] for row in stored(demo)] == [(1, 1), (1, 2)]


def test_an_item_that_was_answered_elsewhere_is_shown_again_with_what_was_chosen(
    browser: Browser, context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    other = browser.new_context(storage_state=context.storage_state()).new_page()
    other.goto(page.url)
    at_item(other, 1)
    rate_by_keys(other, "111")
    other.keyboard.press("Enter")
    saved(other, 1)
    rate_by_keys(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("this answer was changed in another tab")).to_be_visible()
    at_item(page, 1)
    expect(page.locator("[name=answer-quality][value='4']")).to_be_checked()
    expect(page.get_by_role("link", name="Keep and continue")).to_be_focused()
