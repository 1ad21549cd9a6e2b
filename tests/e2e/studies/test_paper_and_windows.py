"""Pages on paper, and in windows of every language: nothing is cut, and nothing is wider than its page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.studies.signing_in import sign_in, sign_in_as
from tests.e2e.studies.window_widths import AS_MANY_RATERS, MOST_RATERS
from tests.e2e.walk.choice import LANGUAGES
from tests.e2e.walk.widths import too_wide

pytestmark = [pytest.mark.browser, pytest.mark.processes]
# A4 with margins of 12 mm.
PAPER_PIXELS = 703
RESULTS = ("reliability/", "disagreement/", "scores/", "scores/items/", "items/L1-1/", "raters/")
SAMPLE = ("", "raters/", "raters/R-001/", "reliability/", "planner/", "scores/", "settings/links/", "jobs/")
PRESSED = """() => [...document.querySelectorAll("nav, button, .btn")]
  .filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 80))"""
BEYOND_PAPER = """() => [...document.querySelectorAll("main table")]
  .filter((table) => table.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((table) => table.parentElement.outerHTML.slice(0, 120))"""
# Parts of words in heads, and names of items and metrics, that go on in the next line.
CUT_WORDS = """() => [...document.querySelectorAll("table:not(.heat) :is(thead th.n, tbody th)")].flatMap(
  (cell) => {
    const whole = cell.closest("thead") ? /[^\\s-]+-?/g : /\\S+/g;
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), cut = [];
    while (walker.nextNode()) for (const word of walker.currentNode.data.matchAll(whole)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, word.index);
      range.setEnd(walker.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size > 1) cut.push(word[0]);
    }
    return cut;
  })"""
PAPER = "getComputedStyle(document.documentElement).getPropertyValue('--paper')"


def wait_for_results(page: Page, study: str) -> None:
    page.goto(f"{study}reliability/")
    expect(page.locator("#raters")).to_be_visible(timeout=60_000)


def test_results_on_paper_have_no_navigation_and_no_table_beyond_the_page(
    browser: Browser, demo: Demo
) -> None:
    context = browser.new_context(color_scheme="dark", viewport={"width": 1280, "height": 900})
    page = context.new_page()
    study = sign_in(page, demo)
    wait_for_results(page, study)
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": PAPER_PIXELS, "height": 1000})
    for address in RESULTS:
        page.goto(study + address)
        page.evaluate(AS_MANY_RATERS, MOST_RATERS)
        assert page.evaluate(PRESSED) == [], address
        assert page.evaluate(BEYOND_PAPER) == [], address
        assert page.evaluate(CUT_WORDS) == [], address
        assert page.evaluate(PAPER) == "#ffffff", address
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("language", ["ja", "zh"])
def test_no_page_is_cut_in_a_language_with_wide_characters(
    browser: Browser, demo: Demo, language: str
) -> None:
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 900})
    page = context.new_page()
    study = sign_in(page, demo)
    wait_for_results(page, study)
    page.set_extra_http_headers({"Accept-Language": LANGUAGES[language]})
    for address in SAMPLE:
        page.goto(study + address)
        assert list(too_wide(page)) == [], address
    page.set_extra_http_headers({})
    context.clear_cookies()
    sign_in_as(page, demo, "site@example.org")
    page.set_extra_http_headers({"Accept-Language": LANGUAGES[language]})
    page.goto(f"{demo.url}/site/system/")
    assert list(too_wide(page)) == []
    context.close()


def test_the_pages_to_try_take_the_keys_of_a_rating_page(browser: Browser, demo: Demo) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{demo.url}/try/")
    page.locator("html.has-script").wait_for(state="attached")
    chosen = page.locator("form.criteria input:checked")
    page.keyboard.press("Enter")
    wrong = page.locator(".criterion__error:visible")
    expect(wrong).to_have_count(3)
    page.locator("html.has-script").wait_for(state="attached")
    for place, key in enumerate("432"):
        if place:
            page.keyboard.press("ArrowDown")
        page.keyboard.press(key)
        expect(wrong).to_have_count(2 - place)
    assert [one.get_attribute("value") for one in chosen.all()] == ["4", "3", "2"]
    page.keyboard.press("x")
    expect(page.locator("[name=cannot_rate]")).to_be_checked()
    page.keyboard.press("x")
    page.keyboard.press("Enter")
    page.wait_for_url("**/try/2/")
    page.close()
