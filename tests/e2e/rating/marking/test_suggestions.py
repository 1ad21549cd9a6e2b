"""A second stage completes what the first has found; a part that a text leaves unsaid is written."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.marking.marking_pages import TEXT, begin, invited, press, stored

pytestmark = [pytest.mark.browser, pytest.mark.processes]

FOUND = "The city at dusk – all strings and brass; the river – its slow conductor"
links: dict[str, str] = {}


@pytest.fixture
def link(demo: Demo) -> str:
    """An invitation to a text in which two tuples without a ground were found before, made once."""
    if demo.url not in links:
        links[demo.url] = invited(demo, "suggestions", TEXT, FOUND)
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


@pytest.mark.parametrize("adjective", ["清脆", "清脆的"])
def test_a_chinese_adjective_and_its_noun_are_one_wording_that_opens_in_two_fields(
    page: Page, adjective: str
) -> None:
    page.get_by_role("button", name="Take over").first.click()
    page.locator("[data-adjective]").fill(adjective)
    page.locator("[data-noun]").fill("声音")
    expect(page.locator("[data-lack]")).to_have_text("Tuple 1 is complete.")
    press(page, "Enter")
    assert stored(page)[-1]["text"] == "清脆的声音"
    page.get_by_role("button", name="Edit tuple 1").click()
    expect(page.locator("[data-adjective]")).to_have_value("清脆的")
    expect(page.locator("[data-noun]")).to_have_value("声音")


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
    message = page.get_by_text("Tuple 1 still needs: ground.", exact=True)
    expect(message.and_(page.locator("[data-lacks]"))).to_have_count(1)


def test_without_scripts_no_text_mentions_the_lines_that_only_scripts_draw(
    browser: Browser, link: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(link)
    page.get_by_role("button", name="I agree – start").click()
    expect(page.get_by_role("heading", name="Parts to mark")).to_be_visible()
    expect(page.get_by_text("The lower line shows the wider span.")).to_be_hidden()
    context.close()
