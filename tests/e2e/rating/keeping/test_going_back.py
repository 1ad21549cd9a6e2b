"""Who goes back before an answer is stored sees the item that they went back to, with that answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.keeping.pages_ahead import (
    Refusing,
    begin_with_pages_ahead,
    save_item,
    stored,
    waiting_answers,
)
from tests.e2e.rating.rating_pages import at_item

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def at_answered_item(page: Page) -> None:
    expect(page.get_by_text("You have already answered this item.")).to_be_visible(timeout=20_000)
    at_item(page, 1)
    expect(page.locator("[name=answer-quality][value='4']")).to_be_checked()


@pytest.mark.parametrize(
    "go_back", [Page.go_back, lambda page: page.keyboard.press("b")], ids=["browser", "key"]
)
def test_back_while_the_answer_is_on_the_way(
    context: BrowserContext, demo: Demo, go_back: Callable[[Page], object]
) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    on_the_way: list[Route] = []

    def hold(route: Route) -> None:
        on_the_way.append(route)

    page.route("**/rate/**", hold)
    save_item(page, 1)
    at_item(page, 2)
    page.wait_for_timeout(300)
    assert len(on_the_way) == 1
    page.unroute("**/rate/**")
    go_back(page)
    at_answered_item(page)
    assert (waiting_answers(page), [row[:2] for row in stored(demo)]) == (0, [(1, 1)])
    page.get_by_role("link", name="Go to current item").click()
    at_item(page, 2)


def test_back_while_the_answer_waits_for_the_server(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    server = Refusing(page, 503)
    save_item(page, 1)
    at_item(page, 2)
    expect(page.locator("#busy")).to_contain_text("Answers waiting on this device: 1.")
    page.go_back()
    at_item(page, 1)
    expect(page.locator("#busy")).to_contain_text("Answers waiting on this device: 1.")
    server.recover()
    at_answered_item(page)
    assert (waiting_answers(page), [row[:2] for row in stored(demo)]) == (0, [(1, 1)])


def test_a_correction_that_was_begun_before_the_answer_is_stored_stays(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    server = Refusing(page, 503)
    save_item(page, 1)
    at_item(page, 2)
    expect(page.locator("#busy")).to_contain_text("Answers waiting on this device: 1.")
    page.go_back()
    at_item(page, 1)
    page.locator("[name=answer-quality][value='2']").check()
    server.recover()
    expect(page.get_by_text("You have already answered this item.")).to_be_visible(timeout=20_000)
    expect(page.locator("[name=answer-quality][value='2']")).to_be_checked()


def test_the_address_of_an_item_whose_answer_still_waits(context: BrowserContext, demo: Demo) -> None:
    """Its answer is sent from there, and nothing says that the item is another rater's."""
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    item, server = page.url, Refusing(page, 503)
    save_item(page, 1)
    at_item(page, 2)
    expect(page.locator("#busy")).to_contain_text("Answers waiting on this device: 1.")
    page.unroute("**/rate/**")
    assert server.tried
    page.goto(item)
    at_item(page, 2)
    expect(page.get_by_text("Answers sent from this device: 1.")).to_be_visible()
    expect(page.locator("#gone")).to_be_hidden()
    assert (waiting_answers(page), [row[:2] for row in stored(demo)]) == (0, [(1, 1)])
