"""Tuples are marked by mouse, keyboard and touch where the words are; nothing on the page moves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.marking.marking_pages import begin, press, stored
from tests.e2e.rating.marking.suggested_pairs import FOUND, MAKE, TEXT

pytestmark = [pytest.mark.browser, pytest.mark.processes]

WATCH = """() => {
  window.moved = [];
  new PerformanceObserver((list) => list.getEntries().forEach((one) => window.moved.push(
    [one.value, ...one.sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? "")]
  ))).observe({ type: "layout-shift" });
}"""


@pytest.fixture(scope="module")
def links() -> dict[str, str]:
    return {}


@pytest.fixture
def link(demo: Demo, links: dict[str, str]) -> str:
    """An invitation to a study of the one text, made once."""
    if demo.url not in links:
        made = demo.installation.run_script(MAKE % json.dumps([TEXT, FOUND]))
        links[demo.url] = f"{demo.url.rstrip('/')}/join/{made.partition('FOUND')[2].strip()}/"
    return links[demo.url]


@contextmanager
def steady(browser: Browser, link: str, **options: Any) -> Iterator[Page]:
    """The item with its question on tuples open; at the end nothing has moved."""
    context = browser.new_context(**options)
    context.set_default_timeout(15_000)
    page = context.new_page()
    begin(page, link)
    page.get_by_text("Yes", exact=True).first.click()
    page.wait_for_timeout(100)
    page.evaluate(WATCH)
    yield page
    page.wait_for_timeout(100)
    assert page.evaluate("window.moved") == []
    context.close()


def unit(page: Page, word: str) -> Any:
    return page.locator(".u", has_text=re.compile(f"^{word}$")).first


def drag(page: Page, first: str, last: str) -> None:
    boxes = [unit(page, word).bounding_box() for word in (first, last)]
    assert boxes[0]
    assert boxes[1]
    page.mouse.move(boxes[0]["x"] + 1, boxes[0]["y"] + boxes[0]["height"] / 2)
    page.mouse.down()
    page.mouse.move(boxes[1]["x"] + boxes[1]["width"] - 1, boxes[1]["y"] + boxes[1]["height"] / 2, steps=3)
    expect(page.get_by_role("toolbar", name="Mark the selected words")).to_be_hidden()
    page.mouse.up()


# Whether what a rater needs is in the window with nothing over it, from corner to corner.
IN_SIGHT = """(element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return [[left, top], [right, bottom]].every(([x, y], end) => element.contains(
    document.elementFromPoint(x + (end ? -3 : 3), y + (end ? -3 : 3))));
}"""


def is_in_sight(page: Page, selector: str) -> bool:
    found: bool = page.locator(selector).evaluate(IN_SIGHT)
    return found


def legend(page: Page) -> set[str]:
    """What the keys do that the page shows now."""
    return set(page.locator(".keys div:visible dd").all_inner_texts())


def words(page: Page) -> list[tuple[int, str, str]]:
    return [(one["tuple"], one["part"], one["text"]) for one in stored(page)]


def test_by_mouse_with_the_toolbar_at_the_words_a_suggestion_and_an_implied_vehicle(
    browser: Browser, link: str
) -> None:
    with steady(browser, link, viewport={"width": 1366, "height": 620}) as page:
        bar = page.get_by_role("toolbar", name="Mark the selected words")
        drag(page, "an", "up")
        end, shown = unit(page, "up").bounding_box(), bar.bounding_box()
        assert end
        assert shown
        assert 0 <= shown["y"] - (end["y"] + end["height"]) <= 20
        assert abs(shown["x"] - (end["x"])) <= 60
        bar.get_by_role("button", name="Vehicle").click()
        expect(bar).to_be_hidden()
        page.get_by_role("button", name="Take over").click()
        assert words(page) == [
            (1, "tenor", "The city at dusk"),
            (1, "vehicle", "all strings and brass"),
            (1, "ground", "layered sound"),
            (2, "vehicle", "an orchestra tuning up"),
        ]
        expect(page.get_by_role("button", name="Take over")).to_have_count(0)
        press(page, "Control+z")
        assert words(page) == [(1, "vehicle", "an orchestra tuning up")]
        expect(page.get_by_text("Tuple 1 still needs: ground.")).to_be_visible()
        page.get_by_role("button", name="Only implied? Write it: Vehicle").click()
        expect(page.get_by_role("button", name="Only implied? Write it: Tenor")).to_be_hidden()
        page.locator("[data-part=vehicle] input").fill(".")
        page.locator("[data-noun]").fill("tension")
        page.get_by_role("button", name="Save and next").click()
        refused = page.get_by_text("“.” in tuple 1 has no letter or digit. Write the vehicle in words.")
        expect(refused).to_be_visible()
        expect(page.locator("[data-part=vehicle] input")).to_be_focused()
        page.keyboard.insert_text("a tuning band")
        page.get_by_role("button", name="It is in the text after all: Vehicle").click()
        expect(page.get_by_text("is not in the text. Select the words above.")).to_be_visible()
        page.get_by_role("button", name="Save and next").click()
        expect(page.get_by_text("Tuple 1 still needs: vehicle.")).to_be_visible()
        expect(page.locator(".marked")).to_be_focused()


def test_by_keyboard_alone_and_by_touch_with_the_toolbar_docked(browser: Browser, link: str) -> None:
    with steady(browser, link, viewport={"width": 1366, "height": 768}) as page:
        assert is_in_sight(page, "[data-last]")
        # The focus is on “Yes”: the keys that the page shows work there too.
        assert "take over" in legend(page)
        assert not {"tenor", "vehicle", "undo", "add the tuple"} & legend(page)
        press(page, "a")
        expect(page.locator(".marked")).to_be_focused()
        assert "take over" not in legend(page)
        press(page, "Home", *["ArrowRight"] * 5, *["Shift+ArrowRight"] * 3)
        assert {"tenor", "vehicle", "undo"} <= legend(page)
        press(page, "v")
        assert words(page)[-1] == (2, "vehicle", "an orchestra tuning up")
        assert "tenor" not in legend(page)
        assert "add the tuple" in legend(page)
        press(page, "g")
        page.keyboard.insert_text("restless")
        press(page, "Tab")
        page.keyboard.insert_text("expectation")
        assert is_in_sight(page, "[data-last]")
        press(page, "Enter")
        assert words(page)[-1] == (2, "ground", "restless expectation")
        expect(page.get_by_text("Tuple 2 added.")).to_be_visible()
        # Within the bar of the buttons, which nothing covers.
        expect(page.locator(".rate__foot [data-said]")).to_be_in_viewport(ratio=1)
        # Enter adds and never saves; the button says what does.
        for focused in (".marked", "[data-noun]", "[name=answer-metaphor]:checked"):
            page.locator(focused).focus()
            press(page, "Enter")
            expect(page.locator("[data-said]")).to_have_text("All tuples are added.")
        expect(page.get_by_role("button", name="Save and next")).to_contain_text("Ctrl ↵")
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with steady(browser, link, **phone) as page:
        unit(page, "the").tap()
        unit(page, "river").tap()
        bar = page.get_by_role("toolbar", name="Mark the selected words").bounding_box()
        assert bar
        assert (bar["x"], round(bar["y"] + bar["height"])) == (0, 844)
        page.get_by_role("button", name="Tenor", exact=True).tap()
        assert words(page) == [(1, "tenor", "the river")]
        page.get_by_role("button", name="Save and next").tap()
        expect(page.get_by_text("Tuple 1 still needs: vehicle, ground.")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
