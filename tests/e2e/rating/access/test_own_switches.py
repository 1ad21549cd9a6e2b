"""A rater's own switches: going on after a choice, and single keys; both are stored on the device."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, begin, rate_by_keys

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def switch_jump(page: Page) -> None:
    page.locator(".menu summary").click()
    page.get_by_role("switch", name="Go to the next criterion").click()
    page.keyboard.press("Escape")


def switch_single_keys(page: Page) -> None:
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_role("switch", name="Use single keys").click()
    page.get_by_role("button", name="Close").click()


def chosen(page: Page) -> list[str]:
    checked = page.locator("form.criteria :checked")
    values: list[str] = checked.evaluate_all("(all) => all.map((one) => one.value)")
    return values


def test_without_the_switch_a_choice_goes_nowhere(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    page.locator(".menu summary").click()
    expect(page.get_by_role("switch", name="Go to the next criterion")).not_to_be_checked()
    page.keyboard.press("Escape")
    page.keyboard.press("4")
    notice = page.locator("#replaced")
    expect(notice).to_be_hidden()
    page.keyboard.press("2")
    assert chosen(page) == ["2"]
    # Who expected the second digit to answer the second question sees that it did not.
    words = "Answer to “Quality” changed. Press ↓ for the next question."
    expect(notice).to_have_text(words)
    expect(page.locator("#announcer")).to_contain_text(words)
    page.keyboard.press("ArrowDown")
    expect(notice).to_be_hidden()
    page.keyboard.press("3")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("5")
    page.keyboard.press("4")
    assert chosen(page) == ["2", "3", "4"]
    # With every question answered, a correction is a correction.
    expect(notice).to_be_hidden()


def test_the_list_of_keys_has_the_switch_and_the_menu_follows_it(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    page.keyboard.press("?")
    page.get_by_role("switch", name="Go to the next criterion").click()
    page.get_by_role("button", name="Close").click()
    for key in "435":
        page.keyboard.press(key)
    assert chosen(page) == ["4", "3", "5"]
    page.locator(".menu summary").click()
    expect(page.get_by_role("switch", name="Go to the next criterion")).to_be_checked()


def test_after_a_choice_the_next_open_criterion_follows_and_is_announced(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin(page, demo)
    switch_jump(page)
    page.keyboard.press("4")
    expect(page.locator("fieldset[data-key=creativity]")).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="Next: Creativity")).to_be_attached()
    page.keyboard.press("3")
    page.keyboard.press("5")
    assert chosen(page) == ["4", "3", "5"]
    page.keyboard.press("Enter")
    at_item(page, 2)
    # The switch stays on, and a double click chooses one point only.
    page.locator("[name=answer-quality][value='2']").dblclick()
    expect(page.locator("fieldset[data-key=creativity]")).to_be_focused()
    assert chosen(page) == ["2"]
    # Arrow keys pass over points; the focus stays among them.
    page.locator("[name=answer-creativity][value='1']").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[name=answer-creativity][value='2']")).to_be_focused()
    # What is changed later, with nothing open after it, leads nowhere.
    page.locator("[name=answer-informativeness][value='3']").click()
    page.keyboard.press("5")
    expect(page.locator("[name=answer-informativeness][value='5']")).to_be_focused()


def test_single_keys_can_be_switched_off_and_the_others_stay(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    switch_single_keys(page)
    for key in ("4", "x", "?"):
        page.keyboard.press(key)
    assert chosen(page) == []
    expect(page.locator("#all-keys")).not_to_be_visible()
    expect(page.locator(".keys")).not_to_be_visible()
    page.reload()
    page.locator("html.has-script").wait_for(state="attached")
    page.keyboard.press("4")
    assert chosen(page) == []
    page.locator("[name=answer-quality][value='3']").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator(".criterion__error:visible")).to_have_count(2)
    switch_single_keys(page)
    rate_by_keys(page)
    page.keyboard.press("Enter")
    at_item(page, 2)


def test_the_list_of_keys_names_every_key_of_the_page(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    # The line below the page has those that do something here: there is no item before the first.
    expect(page.locator(".keys")).not_to_contain_text("previous item")
    page.keyboard.press("?")
    listed = page.locator("#all-keys dl").inner_text()
    named = ("1", "↑", "←", "X", "↵", "B", "Ctrl", "Esc", "?")
    assert [key for key in named if key not in listed] == []
    expect(page.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#all-keys")).not_to_be_visible()
