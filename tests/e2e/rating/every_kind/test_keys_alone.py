"""Each kind of question is answered by keys alone and without scripts, and the answers are stored."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.every_kind.answering_keys import press, shown_options
from tests.e2e.rating.every_kind.kind_case import SHORT
from tests.e2e.rating.every_kind.kind_studies import opened, stored_in
from tests.e2e.rating.every_kind.kinds import CASES

pytestmark = [pytest.mark.browser, pytest.mark.processes]
MOST_STOPS = 40
Studies = dict[str, dict[str, str]]
made: dict[str, Studies] = {}
# What pages without a margin say below the field.
POSSIBLE = {"number": "Enter a whole number from 0 to 120.", "magnitude": "Enter a number above zero"}
plain: dict[str, Studies] = {}


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


@pytest.mark.parametrize("kind", CASES)
def test_a_rater_without_a_pointer_answers_and_the_answer_is_stored(
    context: BrowserContext, demo: Demo, studies: Studies, kind: str
) -> None:
    page = context.new_page()
    page.goto(studies[kind]["link"])
    tab_to(page, page.get_by_role("button", name="I agree – start"))
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Save and next").wait_for()
    page.locator("[data-open-keys]:not([hidden])").wait_for(state="attached")
    shown = shown_options(page, kind)
    press(page, CASES[kind].keys)
    expect(page.get_by_role("heading", name="Done. Thank you!")).to_be_visible()
    assert stored_in(demo, studies[kind]["slug"]) == CASES[kind].answers(shown)


@pytest.mark.parametrize("kind", [kind for kind, case in CASES.items() if case.plain])
def test_a_number_is_typed_on_a_phone_without_scripts(browser: Browser, demo: Demo, kind: str) -> None:
    if demo.url not in plain:
        plain[demo.url] = opened(demo, "plain", SHORT)
    study = plain[demo.url][kind]
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 800})
    page = context.new_page()
    page.goto(study["link"])
    page.get_by_role("button", name="I agree – start").click()
    # No margin says on a phone which numbers there are.
    if kind in POSSIBLE:
        expect(page.get_by_text(POSSIBLE[kind]).locator("visible=true")).to_have_count(1)
    page.locator(".criterion input:visible").first.fill(CASES[kind].plain)
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_role("heading", name="Done. Thank you!")).to_be_visible()
    assert stored_in(demo, study["slug"]) == CASES[kind].answers([])
    context.close()
