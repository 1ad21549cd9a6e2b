"""A slider is answered by keys, by touch and without scripts, and is missing until the rater acts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import saved
from tests.e2e.rating.scales.scale_study import MAKE, begin, first_stored, script_output, stored

pytestmark = [pytest.mark.browser, pytest.mark.processes]


@pytest.fixture
def study(demo: Demo) -> tuple[str, str]:
    slug, token = script_output(demo, MAKE).split()
    return slug, f"{demo.url.rstrip('/')}/join/{token}/"


def test_nothing_is_chosen_until_a_key_places_the_mark(
    context: BrowserContext, demo: Demo, study: tuple[str, str]
) -> None:
    slug, link = study
    page = context.new_page()
    begin(page, link)
    apt = page.get_by_role("slider", name="Aptness: 0 does not fit at all, 100 fits perfectly")
    number = page.get_by_role("spinbutton", name="Aptness, a number from 0 to 100")
    liked = page.get_by_role("slider", name="Liking: 0 not at all, 1 very much")
    expect(apt).to_have_attribute("aria-valuetext", "Not placed yet")
    expect(number).to_have_value("")
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text("Place the mark on the line").first).to_be_visible()
    expect(apt).to_be_focused()
    for key, value in [
        *[("ArrowRight", "0"), ("ArrowRight", "1"), ("PageUp", "11"), ("End", "100"), ("PageDown", "90")],
        *[("Home", "0"), ("Delete", ""), ("ArrowLeft", "100"), ("ArrowLeft", "99")],
    ]:
        page.keyboard.press(key)
        expect(number).to_have_value(value)
        expect(apt).to_have_attribute("aria-valuetext", value or "Not placed yet")
    # An impossible value is reported at the question, in the page's words: the browser has none to add.
    assert page.evaluate("document.querySelector('form.criteria').noValidate")
    for impossible in ("101", "0.5"):
        number.fill(impossible)
        page.keyboard.press("Enter")
        expect(page.get_by_text("Enter a number from 0 to 100 in steps of 1.")).to_be_visible()
        expect(number).to_be_focused()
    number.fill("")
    expect(page.get_by_text("Enter a number from 0 to 100 in steps of 1.")).to_have_count(0)
    apt.focus()
    page.keyboard.type("72")
    expect(number).to_have_value("72")
    expect(apt).to_have_value("72")
    liked.focus()
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    saved(page, 1)
    assert stored(demo, slug) == [["apt", 72], ["liked", 0.3]]
    # By keys the first position is the one at which the slider was first left.
    assert first_stored(demo, slug) == {"apt": 72, "liked": 0.3}


def test_the_first_position_is_stored_with_the_last_one_and_a_correction_keeps_it(
    context: BrowserContext, demo: Demo, study: tuple[str, str]
) -> None:
    page = context.new_page()
    begin(page, study[1])
    apt, liked = (page.get_by_role("slider", name=name) for name in ("Aptness", "Liking"))
    for line, share in ((apt, 0.25), (apt, 0.75), (liked, 0.5)):
        box = line.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 12 + (box["width"] - 24) * share, box["y"] + box["height"] / 2)
    page.reload()
    expect(page.get_by_role("spinbutton", name="Aptness")).to_have_value("75")
    page.get_by_role("spinbutton", name="Aptness").fill("80")
    page.keyboard.press("Enter")
    saved(page, 1)
    assert first_stored(demo, study[0]) == {"apt": 25, "liked": 0.5}
    page.get_by_role("link", name="Previous item").click()
    page.get_by_role("spinbutton", name="Aptness").fill("90")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Rate item 2").wait_for()
    assert stored(demo, study[0])[-2:] == [["apt", 90], ["liked", 0.5]]
    assert first_stored(demo, study[0]) == {"apt": 25, "liked": 0.5}


def test_up_and_down_go_to_another_slider_and_never_answer(
    context: BrowserContext, study: tuple[str, str]
) -> None:
    page = context.new_page()
    begin(page, study[1])
    apt, liked = (page.get_by_role("slider", name=name) for name in ("Aptness", "Liking"))
    number = page.get_by_role("spinbutton", name="Aptness")
    expect(apt).to_be_visible()
    # With the focus nowhere a digit begins the answer to the first slider that is open.
    page.keyboard.type("42")
    expect(number).to_have_value("42")
    page.keyboard.press("ArrowDown")
    expect(liked).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(apt).to_be_focused()
    number.focus()
    number.hover()
    page.mouse.wheel(0, 40)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(number).to_have_value("42")
    expect(page.get_by_role("spinbutton", name="Liking")).to_have_value("")
    expect(page.get_by_text("go to another criterion")).to_have_count(1)


def test_a_touch_places_the_mark_on_a_narrow_screen(
    browser: Browser, demo: Demo, study: tuple[str, str]
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 720}, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(page, study[1])
    for name in ("Aptness", "Liking"):
        line = page.get_by_role("slider", name=name)
        line.evaluate("line => line.scrollIntoView({ block: 'center' })")
        box = line.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        # The middle, where the hidden mark is: a touch there moves nothing.
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("spinbutton", name="Aptness")).to_have_value("50")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_role("slider", name="Aptness")).to_have_attribute("aria-valuetext", "Not placed yet")
    saved(page, 1)
    assert stored(demo, study[0])[0] == ["apt", 50]
    context.close()


def test_the_field_is_the_control_without_scripts(
    browser: Browser, demo: Demo, study: tuple[str, str]
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    begin(page, study[1])
    expect(page.get_by_role("slider")).to_have_count(0)
    page.get_by_role("spinbutton", name="Aptness").fill("18")
    page.get_by_role("spinbutton", name="Liking").fill("0.7")
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_role("spinbutton", name="Aptness")).to_have_value("")
    assert stored(demo, study[0]) == [["apt", 18], ["liked", 0.7]]
    assert first_stored(demo, study[0]) == {}
    context.close()
