"""A scale of 101 points fits into a narrow window as one field, by keys, by touch and without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import saved
from tests.e2e.rating.scales.scale_study import MAKE, begin, script_output, stored

pytestmark = [pytest.mark.browser, pytest.mark.processes]
POINTS = 'ends = (Point("0", "not at all"), *(Point(str(n)) for n in range(1, 100)), Point("100", "fully"))\n'
LONG = (
    MAKE.replace('ends = (Point("0", "does not fit at all"), Point("100", "fits perfectly"))\n', POINTS)
    .replace('    kind=KINDS["slider"])', '    kind=KINDS["likert"])')
    .replace(', points=(Point("0", "not at all"), Point("1", "very much")),', ",")
    .replace('settings={"slider": {"step": 0.1}}', "settings={}")
)


@pytest.fixture
def study(demo: Demo) -> tuple[str, str]:
    slug, token = script_output(demo, LONG).split()
    return slug, f"{demo.url.rstrip('/')}/join/{token}/"


def test_digits_are_typed_arrows_change_the_criterion_and_a_wheel_changes_nothing(
    context: BrowserContext, demo: Demo, study: tuple[str, str]
) -> None:
    page = context.new_page()
    begin(page, study[1])
    apt, liked = (page.get_by_role("spinbutton", name=f"{name}, a number") for name in ("Aptness", "Liking"))
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text("Enter a number from 0 to 100").first).to_be_visible()
    expect(apt).to_be_focused()
    for impossible in ("-1", "101", "50.5"):
        apt.fill(impossible)
        expect(page.get_by_text("Enter a number from 0 to 100").first).to_be_hidden()
        page.keyboard.press("Enter")
        expect(page.get_by_text("Enter a number from 0 to 100").first).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type("73")
    apt.hover()
    page.mouse.wheel(0, 40)
    expect(apt).to_have_value("73")
    apt.focus()
    # What is typed into the field is no key of the page.
    for key in ("x", "b", "z", "?"):
        page.keyboard.press(key)
    expect(apt).to_be_focused()
    expect(page.get_by_role("checkbox", name="Can’t rate")).not_to_be_checked()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    expect(liked).to_be_focused()
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    saved(page, 1)
    assert stored(demo, study[0]) == [["apt", 73], ["liked", 0]]


@pytest.mark.parametrize("scripts", [True, False])
def test_the_field_fits_a_narrow_window_and_is_large_enough_to_touch(
    browser: Browser, demo: Demo, study: tuple[str, str], scripts: bool
) -> None:
    narrow = {"width": 360, "height": 720}
    context = browser.new_context(viewport=narrow, has_touch=True, java_script_enabled=scripts)  # type: ignore[arg-type]
    page = context.new_page()
    begin(page, study[1])
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text("Enter a number from 0 to 100")).to_have_count(2)
    for name in ("Aptness", "Liking"):
        number = page.get_by_role("spinbutton", name=f"{name}, a number")
        box = number.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        number.fill("41")
    if scripts:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("input[type=radio]").count() == 0
    page.get_by_role("button", name="Save and next").click()
    page.get_by_text("2 of 2").first.wait_for()
    if scripts:
        saved(page, 1)
    assert stored(demo, study[0]) == [["apt", 41], ["liked", 41]]
    context.close()
