"""Sittings of twenty items: every answer is stored once, by one rater, and nothing on the pages moves."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.rating.rating_pages import at_item, saved
from tests.e2e.rating.stillness.layout_shifts import Stillness, places
from tests.e2e.rating.stillness.sittings import CRITERIA, ITEMS, PagesAhead, Study, complete, rate_still

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def press_until(page: Page, words: str) -> None:
    for _ in range(30):
        if page.evaluate("document.activeElement.textContent").strip() == words:
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")


class Words(NamedTuple):
    """What a rater reads in one language."""

    locale: str
    agree: str
    title: str
    saved: str
    end: str


WORDS = {
    "en": Words("en-GB", "I agree – start", "^Item {n} of 20", "Item {n} saved", "Done. Thank you!"),
    "zh-hans": Words(
        "zh-CN", "同意并开始", "^第 {n} 条，共 20 条", "第 {n} 条已保存", "已完成，感谢您的参与"
    ),
    "ja": Words("ja-JP", "同意して始める", "^20件中{n}件目", "{n}件目を保存しました", "完了しました。"),
}


@pytest.mark.parametrize(
    "language", ["en", *(pytest.param(one, marks=pytest.mark.slow) for one in WORDS if one != "en")]
)
def test_a_sitting_by_keyboard_in_each_language(browser: Browser, study: Study, language: str) -> None:
    words = WORDS[language]
    context = browser.new_context(locale=words.locale, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    still = Stillness(page)
    page.goto(study.link)
    press_until(page, words.agree)
    for number in range(1, ITEMS + 1):
        expect(page).to_have_title(re.compile(words.title.format(n=number)), timeout=20_000)
        if number > 1:
            state = page.locator(".head__end > .state").get_by_text(words.saved.format(n=number - 1))
            expect(state).to_be_visible()
        if number == ITEMS // 2:
            page.reload()
        rate_still(page)
    expect(page.get_by_role("heading", name=words.end)).to_be_visible()
    assert still.shifts() == []
    assert study.stored() == complete(language)
    context.close()


def test_a_sitting_by_touch_on_a_narrow_phone(browser: Browser, study: Study) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    still = Stillness(page)
    page.goto(study.link)
    page.get_by_role("button", name="I agree – start").tap()
    save = page.get_by_role("button", name="Save and next")
    for number in range(1, ITEMS + 1):
        at_item(page, number)
        before = places(page)
        if number == 1:
            save.tap()
            expect(page.locator(".criterion__error:visible")).to_have_count(3)
        if number == 2:
            page.get_by_text("Can’t rate: not enough context", exact=True).tap()
            page.get_by_label("What is missing?").fill("Which room?")
        else:
            for key, value in zip(CRITERIA, (4, 3, 5), strict=True):
                page.locator(f"fieldset[data-key={key}] .point").nth(value - 1).tap()
        assert places(page) == before
        save.tap()
    expect(page.get_by_role("heading", name="Done. Thank you!")).to_be_visible()
    assert still.shifts() == []
    expected = complete("en")
    expected[1][1] = [2, 1, "lacks_context", "en", []]
    assert study.stored() == expected
    context.close()


def test_a_sitting_without_scripts(browser: Browser, study: Study) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    still = Stillness(page)
    page.goto(study.link)
    page.get_by_role("button", name="I agree – start").click()
    save = page.get_by_role("button", name="Save and next")
    save.click()
    expect(page.get_by_role("alert")).to_contain_text("Not saved")
    for number in range(1, ITEMS + 1):
        expect(page).to_have_title(re.compile(f"^Item {number} of {ITEMS}"))
        before = places(page)
        for key, value in zip(CRITERIA, (4, 3, 5), strict=True):
            page.locator(f"input[name=answer-{key}][value='{value}']").check()
        assert places(page) == before
        save.click()
    expect(page.get_by_role("heading", name="Done. Thank you!")).to_be_visible()
    assert still.shifts() == []
    assert study.stored() == complete("en")
    context.close()


def test_a_sitting_that_loses_its_cookies_ends_with_one_rater_and_every_answer(
    context: BrowserContext, study: Study
) -> None:
    page = context.new_page()
    still = Stillness(page)
    page.goto(study.link)
    page.get_by_role("button", name="I agree – start").click()
    for number in range(1, ITEMS + 1):
        at_item(page, number)
        lost = number == ITEMS // 2
        if lost:
            saved(page, number - 1)
            context.clear_cookies()
        rate_still(page)
        if lost:
            expect(page.locator("#waiting")).to_be_visible()
            assert len(study.stored()[1]) == number - 1
            page.goto(study.link)
            page.get_by_role("link", name="Continue as R-001").click()
    expect(page.get_by_role("heading", name="Done. Thank you!")).to_be_visible()
    assert still.shifts() == []
    assert study.stored() == complete("en")


def test_a_sitting_that_is_offline_for_five_items_stores_each_answer_once(
    context: BrowserContext, study: Study
) -> None:
    page = context.new_page()
    still, fetched = Stillness(page), PagesAhead(page)
    page.goto(study.link)
    page.get_by_role("button", name="I agree – start").click()
    # No more than three answers can wait: the items after them are not reserved for this rater.
    for number in range(1, ITEMS + 1):
        at_item(page, number)
        if number in {5, 12}:
            saved(page, number - 1)
            fetched.wait_for(number + 2)
            context.set_offline(True)
        rate_still(page)
        if number in {7, 13}:
            expect(page.locator("#offline")).to_be_visible()
            assert len(study.stored()[1]) == {7: 4, 13: 11}[number]
            context.set_offline(False)
    expect(page.get_by_role("heading", name="Done. Thank you!")).to_be_visible()
    assert still.shifts() == []
    assert study.stored() == complete("en")
