"""A second stage completes what the first has found; a part that a text leaves unsaid is written."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.marking.marking_pages import begin, press, stored
from tests.e2e.rating.marking.suggested_pairs import MAKE, TEXT

pytestmark = [pytest.mark.browser, pytest.mark.processes]

FOUND = "The city at dusk – all strings and brass; the river – its slow conductor"
links: dict[str, str] = {}


@pytest.fixture
def link(demo: Demo) -> str:
    """An invitation to a text in which two tuples without a ground were found before, made once."""
    if demo.url not in links:
        script = MAKE.replace('"steady"', '"suggestions"') % json.dumps([TEXT, FOUND])
        made = demo.installation.run_script(script).partition("FOUND")[2].strip()
        links[demo.url] = f"{demo.url.rstrip('/')}/join/{made}/"
    return links[demo.url]


@pytest.fixture
def page(context: BrowserContext, link: str) -> Page:
    page = context.new_page()
    begin(page, link)
    page.get_by_text("Yes", exact=True).first.click()
    return page


def test_a_suggestion_whose_ground_was_added_is_not_offered_again(page: Page) -> None:
    offered = page.get_by_role("button", name="Take over")
    offered.first.click()
    expect(offered).to_have_count(1)
    page.get_by_text("Tuple 1 still needs: ground.").first.wait_for()
    page.locator("[data-adjective]").fill("layered")
    page.locator("[data-noun]").fill("sound")
    press(page, "Enter")
    expect(page.get_by_text("Tuple 1 added.")).to_be_visible()
    assert [one["part"] for one in stored(page)] == ["tenor", "vehicle", "ground"]
    expect(offered).to_have_count(1)
    page.get_by_role("button", name="Remove tuple 1").click()
    expect(offered).to_have_count(2)


def test_a_field_asks_for_words_where_the_part_is_only_implied(page: Page) -> None:
    field = page.locator("[data-part=vehicle] input")
    expect(field).to_have_attribute("placeholder", "select it above")
    page.get_by_role("button", name="Only implied? Write it: Vehicle").click()
    expect(field).to_be_focused()
    expect(field).to_have_attribute("placeholder", "write it here")
    page.get_by_role("button", name="It is in the text after all: Vehicle").click()
    expect(field).to_have_attribute("placeholder", "select it above")


def test_a_tuple_in_the_list_names_what_it_lacks_as_its_fields_do(page: Page) -> None:
    for _ in range(2):
        page.get_by_role("button", name="Take over").first.click()
    said = page.get_by_text("Tuple 1 still needs: ground.", exact=True)
    expect(said.and_(page.locator("[data-lacks]"))).to_have_count(1)


def test_without_scripts_nothing_is_said_of_the_lines_that_only_scripts_draw(
    browser: Browser, link: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(link)
    page.get_by_role("button", name="I agree – start").click()
    expect(page.get_by_role("heading", name="Parts to mark")).to_be_visible()
    expect(page.get_by_text("The lower line shows the wider span.")).to_be_hidden()
    context.close()
