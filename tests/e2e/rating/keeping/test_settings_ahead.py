"""What a rater changes in the menu while pages are fetched ahead holds for the next item."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.keeping.pages_ahead import begin_with_pages_ahead, save_item, waiting_answers
from tests.e2e.rating.rating_pages import at_item, rate_by_keys

pytestmark = [pytest.mark.browser, pytest.mark.processes]

LOOK = """
import json
from annotation.models import Rater, Response, Seat
rater = Rater.objects.filter(simulated=False).exclude(consented_at=None).latest("pk")
given = list(rater.assignments.order_by("position").values_list("item__key", flat=True))
rows = Response.objects.filter(assignment__rater=rater).order_by("pk")
print("FOUND" + json.dumps({
    "given": given,
    "answers": [[r.assignment.position, r.interface_language] for r in rows],
    "reserved": Seat.objects.filter(rater=rater, state="reserved").count(),
}))
"""


def look(demo: Demo) -> dict[str, Any]:
    """The items that the rater was given, the language of each answer, and how many slots are reserved."""
    found: dict[str, Any] = json.loads(demo.installation.run_script(LOOK).partition("FOUND")[2])
    return found


def choose_language(page: Page, name: str) -> None:
    page.locator(".menu summary").click()
    page.get_by_role("button", name=name, exact=True).click()


def at_japanese_item(page: Page, number: int) -> None:
    expect(page).to_have_title(re.compile(f"件中{number}件目"), timeout=20_000)
    expect(page.locator("html.has-script")).to_have_attribute("lang", "ja")
    expect(page.get_by_role("button", name="保存して次へ")).to_be_visible()


def saved_in_japanese(page: Page, number: int) -> None:
    # The announcer for screen readers says the same for a moment.
    expect(page.get_by_role("banner").get_by_text(f"{number}件目を保存しました", exact=True)).to_be_visible()


def test_the_next_items_come_in_the_language_chosen_meanwhile(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    before = look(demo)
    choose_language(page, "日本語")
    for number in (1, 2, 3):
        at_japanese_item(page, number)
        rate_by_keys(page)
        page.keyboard.press("Enter")
    at_japanese_item(page, 4)
    saved_in_japanese(page, 3)
    after = look(demo)
    assert after["given"][:3] == before["given"]
    assert after["answers"] == [[1, "ja"], [2, "ja"], [3, "ja"]]
    assert (after["reserved"] <= 3, waiting_answers(page)) == (True, 0)


def test_the_next_item_comes_in_the_language_chosen_in_another_tab(
    context: BrowserContext, demo: Demo
) -> None:
    page, other = context.new_page(), context.new_page()
    begin_with_pages_ahead(page, demo)
    before = look(demo)
    other.goto(page.url)
    choose_language(other, "日本語")
    expect(other.locator("html")).to_have_attribute("lang", "ja")
    other.close()
    # What is shown stays as it is, and its answer is stored in its own language.
    save_item(page, 1)
    for number in (2, 3):
        at_japanese_item(page, number)
        rate_by_keys(page)
        page.keyboard.press("Enter")
    at_japanese_item(page, 4)
    saved_in_japanese(page, 3)
    after = look(demo)
    assert after["given"][:3] == before["given"]
    assert after["answers"] == [[1, "en"], [2, "ja"], [3, "ja"]]
    assert after["reserved"] <= 3


def test_answers_that_wait_keep_the_language_in_which_they_were_given(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    context.set_offline(True)
    save_item(page, 1)
    at_item(page, 2)
    page.route(
        "**/rate/*/*/", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    context.set_offline(False)
    choose_language(page, "日本語")
    at_japanese_item(page, 2)
    expect(page.locator("#offline")).to_contain_text("この端末で1件の回答が送信待ちです。")
    page.unroute("**/rate/*/*/")
    rate_by_keys(page)
    page.keyboard.press("Enter")
    at_japanese_item(page, 3)
    expect(page.locator("#delivered")).to_be_visible()
    assert (look(demo)["answers"], waiting_answers(page)) == ([[1, "en"], [2, "ja"]], 0)


def test_theme_and_text_size_hold_for_the_next_item_and_its_menu(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Dark").click()
    page.get_by_role("button", name="Very large").click()
    page.keyboard.press("Escape")
    context.set_offline(True)
    save_item(page, 1)
    at_item(page, 2)
    assert page.evaluate(
        "[document.getElementById('dark').media, document.documentElement.dataset.textSize]"
    ) == [
        "screen",
        "larger",
    ]
    page.locator(".menu summary").click()
    for name, pressed in (
        ("Dark", "true"),
        ("System", "false"),
        ("Very large", "true"),
        ("Standard", "false"),
    ):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", pressed)


def test_what_is_chosen_in_another_tab_holds_for_the_next_item(context: BrowserContext, demo: Demo) -> None:
    page, other = context.new_page(), context.new_page()
    begin_with_pages_ahead(page, demo)
    other.goto(page.url)
    other.locator(".menu summary").click()
    other.get_by_role("button", name="Dark").click()
    save_item(page, 1)
    at_item(page, 2)
    assert page.evaluate("document.getElementById('dark').media") == "screen"


def test_switches_hold_for_the_next_item(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    rate_by_keys(page)
    page.locator(".menu summary").click()
    page.get_by_role("switch", name="Go to the next criterion").click()
    page.keyboard.press("Escape")
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_role("switch", name="Use single keys").click()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Save and next").click()
    at_item(page, 2)
    page.keyboard.press("4")
    expect(page.locator("form.criteria .point :checked")).to_have_count(0)
    page.locator("[name=answer-quality][value='2']").click()
    expect(page.locator("fieldset[data-key=creativity]")).to_be_focused()
    page.locator(".menu summary").click()
    expect(page.get_by_role("switch", name="Go to the next criterion")).to_be_checked()
