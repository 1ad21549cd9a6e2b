"""Each newer kind of question is answered by keys alone, from the invitation until the answers are stored."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.every_kind.answering_keys import OPTIONS, expected, press
from tests.e2e.rating.every_kind.kind_studies import KINDS_SHOWN, SHORT, opened, stored_in

pytestmark = [pytest.mark.browser, pytest.mark.processes]
MOST_STOPS = 40
Studies = dict[str, dict[str, str]]
made: dict[str, Studies] = {}

# What a rater presses after the invitation; a text in brackets is typed.
KEYS: dict[str, str] = {
    "slider": "(72) Enter",
    "best-worst": "Digit1 Shift+Digit3 Enter",
    "ranking": "ArrowDown Space ArrowDown Space Enter",
    "errors": "ArrowDown ArrowRight Shift+ArrowRight 2 m ArrowDown (40) Enter",
    "binary": "y n y y n y y y n y y y y y Enter",
    "preference": "2 ArrowDown (The second one ends.) Control+Enter",
    "media": "k 4 ArrowDown 5 Enter",
}


@pytest.fixture
def studies(demo: Demo) -> Studies:
    """Made once for all kinds."""
    if demo.url not in made:
        made[demo.url] = opened(demo, "keys", SHORT)
    return made[demo.url]


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until it has the focus."""
    expect(wanted).to_be_visible()
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if wanted.evaluate("one => one === document.activeElement"):
            return
    raise AssertionError(f"Tab does not lead to {wanted}")


@pytest.mark.parametrize("kind", KINDS_SHOWN)
def test_a_rater_without_a_pointer_answers_and_the_answer_is_stored(
    context: BrowserContext, demo: Demo, studies: Studies, kind: str
) -> None:
    page = context.new_page()
    page.goto(studies[kind]["link"])
    tab_to(page, page.get_by_role("button", name="I agree – start"))
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Save and next").wait_for()
    page.locator("[data-open-keys]:not([hidden])").wait_for(state="attached")
    shown = page.locator(OPTIONS[kind][0]).evaluate_all(OPTIONS[kind][1]) if kind in OPTIONS else []
    press(page, KEYS[kind])
    expect(page.get_by_role("heading", name="Done. Thank you!")).to_be_visible()
    assert stored_in(demo, studies[kind]["slug"]) == expected(kind, shown)
