"""Errors are marked by keyboard alone, by mouse and by touch, changed, removed, and saved with “No error”."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.marking.marking_pages import press, ready, stored

pytestmark = [pytest.mark.browser, pytest.mark.processes]
TEXT = "The village lay there like a suitcase that had been packed."
MAKE = """
from annotation.domain.base.states import StudyState
from annotation.models import User
from annotation.protocols.registry import TEMPLATES
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
study = create_from_template(
    template=TEMPLATES["error_spans"], slug="errors", title="Errors", owner=owner, overlap=9
)
fields = {"original": "An overturned suitcase.", "rendering": %r}
add_items(study=study, rows=[NewItem(key="S", fields=fields, metadata={"language": "en"})])
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + invite(study=study, actor=owner).token)
"""
links: dict[str, str] = {}


@pytest.fixture
def link(demo: Demo) -> str:
    """An invitation to a study of one sentence, made once."""
    if demo.url not in links:
        token = demo.installation.run_script(MAKE % TEXT).partition("FOUND")[2].strip()
        links[demo.url] = f"{demo.url.rstrip('/')}/join/{token}/"
    return links[demo.url]


@pytest.fixture
def page(browser: Browser, link: str) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    page.goto(link)
    page.get_by_role("button", name="I agree – start").click()
    ready(page)
    yield page
    context.close()


def spans(page: Page) -> list[tuple[str, str, str]]:
    return [(TEXT[one["start"] : one["end"]], one["severity"], one["category"]) for one in stored(page)]


def test_errors_are_marked_changed_and_removed_by_keyboard_alone(page: Page) -> None:
    page.locator("[data-marked-text]").focus()
    press(page, "ArrowRight", "Shift+ArrowRight", "2", "m")
    press(page, "End", "Shift+ArrowLeft", "w", "1")
    assert spans(page) == [("The village", "major", "meaning"), ("packed.", "minor", "wording")]
    press(page, "Home", "Backspace")
    assert spans(page) == [("packed.", "minor", "wording")]
    press(page, "u")
    assert len(spans(page)) == 2
    page.get_by_role("button", name="Edit error 2").press("Enter")
    press(page, "3", "g")
    assert spans(page)[1] == ("packed.", "critical", "grammar")
    page.get_by_role("spinbutton").fill("40")
    page.get_by_role("button", name="Save and next").press("Enter")
    expect(page.get_by_role("heading", name="Done. Thank you!")).to_be_visible()


def test_selected_words_that_are_no_error_yet_are_not_lost_by_saving(page: Page) -> None:
    page.locator("[data-marked-text]").focus()
    press(page, "ArrowRight", "2", "m")
    page.get_by_role("spinbutton").fill("40")
    message = "Choose a severity and a category for the selected words, or clear the selection."
    lack = page.locator("fieldset.criterion[aria-invalid] .criterion__error")
    for keys in (("Shift+ArrowRight",), ("2",)):
        page.locator("[data-marked-text]").focus()
        press(page, *keys)
        page.get_by_role("button", name="Save and next").click()
        expect(lack).to_have_text(message, use_inner_text=True)
        expect(page.locator("[data-said].is-error")).to_have_text(message)
        expect(page).to_have_title(re.compile("^Item 1 of 1"))
    press(page, "Escape")
    expect(lack).to_have_count(0)
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_role("heading", name="Done. Thank you!")).to_be_visible()


def test_no_error_is_chosen_with_a_key_and_cleared_when_an_error_is_marked(page: Page) -> None:
    page.locator("[data-marked-text]").focus()
    press(page, "n")
    expect(page.get_by_role("checkbox", name="No error")).to_be_checked()
    assert stored(page) == []
    press(page, "ArrowRight", "1", "m")
    expect(page.get_by_role("checkbox", name="No error")).not_to_be_checked()
    assert len(stored(page)) == 1


def test_words_are_marked_by_touch_on_a_phone_and_stay_after_a_reload(browser: Browser, link: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(link)
    page.get_by_role("button", name="I agree – start").tap()
    ready(page)
    page.locator(".u", has_text="suitcase").tap()
    page.locator(".u", has_text="packed").tap()
    page.locator("[data-mark=meaning]").tap()
    page.locator("[data-mark=major]").tap()
    assert spans(page) == [("suitcase that had been packed", "major", "meaning")]
    page.reload()
    ready(page)
    assert spans(page) == [("suitcase that had been packed", "major", "meaning")]
    assert json.loads(page.locator("[data-marked-text]").get_attribute("data-marked-text") or "") == TEXT
    context.close()
