"""Yes/no tests are rows: one key answers each, a required reason is asked for, and no script is needed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import saved
from tests.e2e.rating.scales.scale_study import TESTS, begin, script_output, stored

pytestmark = [pytest.mark.browser, pytest.mark.processes]


@pytest.fixture
def study(demo: Demo) -> tuple[str, str]:
    slug, token = script_output(demo, TESTS).split()
    return slug, f"{demo.url.rstrip('/')}/join/{token}/"


def begin_by_keys(page: Page, link: str) -> None:
    """Keys do something once the scripts have begun."""
    begin(page, link)
    page.locator("[data-open-keys]:not([hidden])").wait_for(state="attached")


def row_in_hand(page: Page) -> str:
    return str(page.evaluate("document.activeElement.closest('fieldset.criterion')?.dataset.key"))


def test_one_key_answers_a_test_and_goes_on_to_the_next_row(
    context: BrowserContext, demo: Demo, study: tuple[str, str]
) -> None:
    page = context.new_page()
    begin_by_keys(page, study[1])
    page.keyboard.press("y")
    assert row_in_hand(page) == "ending"
    page.keyboard.press("y")
    assert row_in_hand(page) == "voice"
    # Caps Lock; the note that may be left out is passed over.
    page.keyboard.press("N")
    assert row_in_hand(page) == "pace"
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    saved(page, 1)
    assert stored(demo, study[0]) == [["plot", 1], ["ending", 1], ["voice", 0], ["pace", 1]]


def test_a_required_reason_is_written_before_the_next_test(
    context: BrowserContext, demo: Demo, study: tuple[str, str]
) -> None:
    page = context.new_page()
    begin_by_keys(page, study[1])
    page.keyboard.press("n")
    page.keyboard.press("n")
    expect(page.get_by_role("textbox", name="Reason")).to_be_focused()
    # Letters are typed and answer nothing.
    page.keyboard.type("no ending, only a day")
    page.keyboard.press("Control+Enter")
    voice = page.get_by_role("group", name="Voice")
    expect(voice.get_by_text("Choose yes or no, or select")).to_be_visible()
    assert row_in_hand(page) == "voice"
    page.keyboard.press("y")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    saved(page, 1)
    assert stored(demo, study[0]) == [
        ["plot", 0],
        ["ending", 0],
        ["ending-why", None],
        ["voice", 1],
        ["pace", 0],
    ]


def test_rows_fit_a_phone_and_work_without_scripts(
    browser: Browser, demo: Demo, study: tuple[str, str]
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 720}, java_script_enabled=False)
    page = context.new_page()
    begin(page, study[1])
    for name, answer in (("Plot", "Yes"), ("Ending", "Yes"), ("Voice", "No"), ("Pace", "Yes")):
        choice = page.get_by_role("group", name=name).get_by_role("radio", name=answer)
        box = choice.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["x"] + box["width"] <= 360
        choice.check()
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_role("group", name="Plot").get_by_role("radio", name="Yes")).not_to_be_checked()
    assert stored(demo, study[0]) == [["plot", 1], ["ending", 1], ["voice", 0], ["pace", 1]]
    context.close()
