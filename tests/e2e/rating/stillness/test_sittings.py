"""Sittings of twenty items: every answer is stored once, by one rater, and nothing on the pages moves."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, rate_by_keys, saved
from tests.e2e.rating.stillness.layout_shifts import Stillness, places

pytestmark = [pytest.mark.browser, pytest.mark.processes]

ITEMS = 20
CRITERIA = ("quality", "creativity", "informativeness")
GIVEN = [["creativity", 3], ["informativeness", 5], ["quality", 4]]
MAKE = """
from annotation.domain.base.states import StudyState
from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
study = create_from_template(template=TEMPLATES["hauser"], slug=f"sitting-{Study.objects.count()}",
    title="Twenty similes", owner=owner, overlap=9)
simile = "The lake was as calm as a cup in room {}."
add_items(study=study, rows=[NewItem(key=f"i{number}", fields={
    "literal": "The lake was calm.", "simile": simile.format(number), "vehicle": "a cup"})
    for number in range(20)])
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + study.slug + " " + invite(study=study, actor=owner).token)
"""
LOOK = """
import json
from annotation.models import Rater, Response
rows = Response.objects.filter(assignment__rater__study__slug="{slug}")
rows = rows.order_by("assignment__position", "revision")
print("FOUND" + json.dumps([Rater.objects.filter(study__slug="{slug}", kind="person").count(),
    [[row.assignment.position, row.revision, row.cannot_rate, row.interface_language,
        sorted(row.ratings.values_list("criterion__key", "value"))] for row in rows]]))
"""


class Study(NamedTuple):
    demo: Demo
    slug: str
    link: str

    def stored(self) -> list[Any]:
        """How many raters it has, and their responses."""
        printed = self.demo.installation.run_script(LOOK.format(slug=self.slug))
        found: list[Any] = json.loads(printed.partition("FOUND")[2])
        return found


@pytest.fixture
def study(demo: Demo) -> Study:
    slug, token = demo.installation.run_script(MAKE).partition("FOUND")[2].split()
    return Study(demo, slug, f"{demo.url.rstrip('/')}/join/{token}/")


def complete(language: str) -> list[Any]:
    return [1, [[number, 1, "", language, GIVEN] for number in range(1, ITEMS + 1)]]


class PagesAhead:
    """The items whose pages a browser has: asked for by their addresses, or sent with another answer."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._fetched = set[str]()
        page.on("response", self._note)

    def _note(self, answer: Response) -> None:
        asked = urlsplit(answer.url).path if answer.request.method == "GET" else ""
        address = answer.headers.get("content-location", asked)
        if re.fullmatch(r"/rate/[^/]+/\d+/", address):
            self._fetched.add(address)

    def wait_for(self, item: int) -> None:
        for _ in range(200):
            if len(self._fetched) >= item:
                return
            self._page.wait_for_timeout(50)
        raise AssertionError(f"Item {item} was not fetched ahead.")


def press_until(page: Page, words: str) -> None:
    for _ in range(30):
        if page.evaluate("document.activeElement.textContent").strip() == words:
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def rate_still(page: Page) -> None:
    """Rate and save the item by keyboard; nothing of it has moved meanwhile."""
    page.locator("html.has-script").wait_for(state="attached")
    before = places(page)
    rate_by_keys(page)
    assert places(page) == before
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


@pytest.mark.parametrize("language", WORDS)
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
            said = page.locator(".head__end > .state").get_by_text(words.saved.format(n=number - 1))
            expect(said).to_be_visible()
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
