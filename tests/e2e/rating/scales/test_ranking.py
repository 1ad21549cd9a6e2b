"""Options are put in order by keys, by mouse and touch, and without scripts; until then nothing is ranked."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import saved
from tests.e2e.rating.scales.order_study import LOOK, MAKE
from tests.e2e.rating.scales.scale_study import begin, script_output

pytestmark = [pytest.mark.browser, pytest.mark.processes]
SHOWN = "rows => rows.map(row => row.querySelector('select').name.split(':')[1])"


def study_with(demo: Demo, settings: dict[str, Any]) -> tuple[str, str]:
    slug, token = script_output(demo, MAKE.replace("SETTINGS", repr(settings))).split()
    return slug, f"{demo.url.rstrip('/')}/join/{token}/"


def stored(demo: Demo, slug: str) -> str:
    return script_output(demo, LOOK % slug)


def shown(page: Page) -> list[str]:
    order: list[str] = page.locator("[data-option]").evaluate_all(SHOWN)
    return order


def quoted(groups: list[list[str]]) -> str:
    return str([groups]).replace("'", '"')


def test_options_are_lifted_moved_put_back_and_tied_by_keys(context: BrowserContext, demo: Demo) -> None:
    slug, link = study_with(demo, {"ties": True})
    page = context.new_page()
    begin(page, link)
    first, second, third, fourth = shown(page)
    press = page.keyboard.press
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text("Put the options in order, or select").first).to_be_visible()
    expect(page.get_by_role("button", name="rank 1").first).to_be_focused()
    for key in ("Space", "ArrowDown", "ArrowDown"):
        press(key)
    assert shown(page) == [second, third, first, fourth]
    expect(page.get_by_role("status").filter(has_text="Lifted")).to_contain_text("rank 3")
    press("Escape")
    assert shown(page) == [first, second, third, fourth]
    for key in ("Space", "ArrowDown", "Space", "ArrowDown", "="):
        press(key)
    assert shown(page) == [second, first, third, fourth]
    # Both rows of a tie have the rank of the first.
    assert page.locator("[data-rank]").all_inner_texts() == ["1", "2=", "2=", "4"]
    # Going on while a row is lifted drops it there.
    for key in ("Space", "ArrowDown", "Tab"):
        press(key)
    expect(page.locator(".is-lifted")).to_have_count(0)
    for key in ("Shift+Tab", "="):
        press(key)
    assert page.locator("[data-rank]").all_inner_texts() == ["1", "2=", "2=", "4"]
    page.reload()
    page.get_by_role("button", name="Save and next").wait_for()
    # An order that was brought back does not read as one that waits for an answer.
    expect(page.get_by_text("This order is your answer.")).to_be_visible()
    assert shown(page) == [second, first, third, fourth]
    assert page.locator("[data-rank]").all_inner_texts() == ["1", "2=", "2=", "4"]
    page.locator("[data-handle]").last.focus()
    press("Enter")
    saved(page, 1)
    assert stored(demo, slug) == quoted([[second], sorted([first, third]), [fourth]])


def test_options_are_moved_by_mouse_touch_and_buttons(browser: Browser, demo: Demo) -> None:
    slug, link = study_with(demo, {"top": 2})
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = context.new_page()
    begin(page, link)
    first, second, third, fourth = shown(page)
    handle, target = page.locator("[data-handle]").last, page.locator("[data-option]").first
    handle.scroll_into_view_if_needed()
    start, goal = handle.bounding_box(), target.bounding_box()
    assert start is not None
    assert goal is not None
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(start["x"] + 20, start["y"] - 20, steps=3)
    page.mouse.move(start["x"] + 20, goal["y"] + 5, steps=8)
    page.mouse.up()
    assert shown(page) == [fourth, first, second, third]
    page.get_by_role("button", name="Up:").nth(2).tap()
    assert shown(page) == [fourth, second, first, third]
    assert page.locator("[data-rank]").all_inner_texts() == ["1", "2", "–", "–"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Save and next").click()
    saved(page, 1)
    assert stored(demo, slug) == quoted([[fourth], [second], sorted([first, third])])
    context.close()


def test_a_number_for_each_option_is_enough_without_scripts(browser: Browser, demo: Demo) -> None:
    slug, link = study_with(demo, {})
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    begin(page, link)
    ranks = page.get_by_role("combobox")
    order = [str(ranks.nth(place).get_attribute("name")).rpartition(":")[2] for place in range(4)]
    for place, rank in enumerate(("2", "2", "1", "4")):
        ranks.nth(place).select_option(rank)
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text("Two options have the same rank. Give each option its own rank.")).to_be_visible()
    expect(ranks.nth(2)).to_have_value("1")
    ranks.nth(0).select_option("3")
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text("Item 2 of 2").first).to_be_visible()
    assert stored(demo, slug) == quoted([[order[2]], [order[1]], [order[0]], [order[3]]])
    context.close()
