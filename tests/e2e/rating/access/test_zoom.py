"""At 400 % zoom, in forced colours and by keyboard on a phone nothing is lost, cut off or covered."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import begin
from tests.e2e.rating.story_pages import begin as begin_story

pytestmark = [pytest.mark.browser, pytest.mark.processes]

# Of what has the focus, how much can be seen: nothing covers the middle of at least one of its lines.
SEEN = """
() => {
  const one = document.activeElement;
  if (!one || one === document.body) return "";
  const target = one.closest("label") ?? one;
  const seen = [...one.getClientRects()].some(({ left, top, width, height }) => {
    const [x, y] = [left + width / 2, top + height / 2];
    if (x < 0 || y < 0 || x > window.innerWidth || y > window.innerHeight) return false;
    const found = document.elementFromPoint(x, y);
    return target.contains(found) || found?.contains(one) && found.closest("fieldset, label, main") !== null;
  });
  return seen ? "" : one.outerHTML.slice(0, 120);
}
"""

# Texts of three lines at most, in the faces of each language.
LONG = {
    "en": ("He was as tall and as silent in the narrow doorway of our flat " * 2)[:118],
    "zh-Hans": ("母亲常说，我们第一套公寓的厨房闻起来就像退潮时的港口，" * 3)[:56],
    "ja": ("母はよく、最初の部屋の台所は引き潮の港のようなにおいだと言った。" * 3)[:56],
}
SHOW = """([language, text]) => {
  document.documentElement.lang = language;
  const shown = document.querySelector(".figure-text");
  shown.lang = language;
  shown.textContent = text;
  return Math.round(shown.clientHeight / parseFloat(getComputedStyle(shown).lineHeight));
}"""
# Controls of the form, and what they say, that reach below the bar's upper edge or above the window.
BEHIND_THE_BAR = """(which) => {
  const bar = document.querySelector(".rate__foot");
  const edge = bar.getBoundingClientRect().top;
  return [...document.querySelectorAll(which)].filter((one) => !bar.contains(one)).filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return bottom > edge || top < 0;
  }).map((one) => one.outerHTML.slice(0, 120));
}"""


def covered_on_the_way(page: Page, presses: int) -> list[str]:
    """Controls that had the focus and could not be seen, forwards and backwards."""
    found = []
    for key in ["Tab"] * presses + ["Shift+Tab"] * presses:
        page.keyboard.press(key)
        found.append(page.evaluate(SEEN))
    return [one for one in found if one]


@pytest.mark.parametrize(("width", "height"), [(360, 740), (320, 256), (640, 512)])
def test_nothing_covers_what_has_the_focus(browser: Browser, demo: Demo, width: int, height: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": height})
    begin(page, demo)
    assert covered_on_the_way(page, 16) == []
    page.close()


@pytest.mark.parametrize(("width", "height"), [(360, 740), (320, 256)])
def test_the_sheet_next_to_a_story_covers_nothing_that_has_the_focus(
    browser: Browser, demo: Demo, width: int, height: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": height})
    begin_story(page, demo)
    # In the low window of a large zoom there is no sheet: the criteria follow the text.
    expect(page.get_by_role("button", name="Hide and read on")).to_be_visible(visible=height > 500)
    assert covered_on_the_way(page, 16) == []
    page.close()


def test_in_forced_colours_a_choice_differs_from_the_other_points(browser: Browser, demo: Demo) -> None:
    page = browser.new_page(forced_colors="active")
    begin(page, demo)
    page.keyboard.press("4")
    fill = "(one) => getComputedStyle(one).backgroundColor"
    of_points = page.locator("[name=answer-quality]").evaluate_all(f"(all) => all.map({fill})")
    assert of_points[3] not in of_points[:3]
    page.locator(".menu summary").click()
    dark = page.get_by_role("button", name="Dark")
    pressed = page.get_by_role("button", name="System")
    assert pressed.evaluate(fill) != dark.evaluate(fill)
    page.close()


def test_on_a_laptop_the_bar_covers_no_scale_below_three_lines_and_links_are_large_enough(
    browser: Browser, demo: Demo
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    begin(page, demo)
    for one in page.locator(".head__end > a, .head__end summary").all():
        box = one.bounding_box()
        assert box
        assert box["width"] >= 44
        assert box["height"] >= 44
    for language, text in LONG.items():
        assert page.evaluate(SHOW, [language, text]) == 3
        page.evaluate("window.scrollTo(0, 0)")
        assert page.evaluate(BEHIND_THE_BAR, ".criteria :is(.point, .ends, .criterion__q)") == []
        expect(page.locator(".rate__actions button")).to_be_in_viewport(ratio=1)
    # Where a text is longer still, what Tab leads to comes clear of the bar.
    page.evaluate(SHOW, ["en", LONG["en"] * 3])
    page.locator(".head__end summary").focus()
    for key in ["Tab"] * 5 + ["Shift+Tab"] * 5:
        page.keyboard.press(key)
        assert page.evaluate(BEHIND_THE_BAR, ".criteria :is(.point:focus-within)") == []
    page.close()
