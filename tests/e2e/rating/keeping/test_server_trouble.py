"""A server that cannot save for a while: answers wait on the device, the page says why, each comes once."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.keeping.pages_ahead import (
    Refusing,
    begin_with_pages_ahead,
    save_item,
    stored,
    waiting_answers,
)
from tests.e2e.rating.rating_pages import at_item, saved

pytestmark = [pytest.mark.browser, pytest.mark.processes]

TROUBLES = [
    (507, {}, "#no-space", "The server has no space left."),
    (503, {"Retry-After": "7"}, "#busy", "The server cannot save answers right now."),
    (500, {}, "#busy", "The server cannot save answers right now."),
]


@pytest.mark.parametrize(("status", "headers", "notice", "words"), TROUBLES)
def test_answers_wait_with_the_reason_and_are_stored_once_in_order_when_the_server_recovers(
    context: BrowserContext, demo: Demo, status: int, headers: dict[str, str], notice: str, words: str
) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    server = Refusing(page, status, headers)
    for number in (1, 2):
        save_item(page, number)
        at_item(page, number + 1)
        expect(page.locator(notice)).to_contain_text(f"{words} Answers waiting on this device: {number}.")
    expect(page.locator("#offline")).to_be_hidden()
    assert (waiting_answers(page), stored(demo)) == (2, [])
    server.recover()
    saved(page, 2)
    expect(page.locator(notice)).to_be_hidden()
    expect(page.get_by_text("Answers sent from this device: 2. They are saved.")).to_be_visible()
    at_item(page, 3)
    assert ([row[:3] for row in stored(demo)], waiting_answers(page)) == ([(1, 1, False), (2, 1, False)], 0)
    if headers:
        assert server.tried[1] - server.tried[0] >= 7


def test_no_answer_overtakes_one_that_the_server_could_not_save(context: BrowserContext, demo: Demo) -> None:
    """Only the first attempt meets a full disk: the second answer does not go before the first."""
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    context.set_offline(True)
    for number in (1, 2):
        save_item(page, number)
    at_item(page, 3)
    server = Refusing(page, 507)
    page.on("response", lambda answer: server.recover() if answer.status == 507 else None)
    context.set_offline(False)
    saved(page, 2)
    assert [row[:2] for row in stored(demo)] == [(1, 1), (2, 1)]
