"""What the head of the page says of saving does not move when the number in it gets another digit."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests.e2e.rating.rating_pages import at_item
from tests.e2e.rating.stillness.layout_shifts import Stillness
from tests.e2e.rating.stillness.sittings import PagesAhead, Study, rate_still

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def hold(_: Route) -> None:
    """It is on the way as long as the test needs."""


def test_the_tenth_item_is_saved_while_the_ninth_is_on_the_way(context: BrowserContext, study: Study) -> None:
    page = context.new_page()
    still, fetched = Stillness(page), PagesAhead(page)
    page.goto(study.link)
    page.get_by_role("button", name="I agree – start").click()
    for number in range(1, 9):
        at_item(page, number)
        rate_still(page)
    at_item(page, 9)
    fetched.wait_for(11)
    page.route("**/rate/**", hold)
    rate_still(page)
    expect(page.get_by_text("Saving item 9…")).to_be_visible()
    at_item(page, 10)
    rate_still(page)
    expect(page.get_by_text("Saving item 10…")).to_be_visible()
    at_item(page, 11)
    assert still.shifts() == []
    page.unroute_all(behavior="ignoreErrors")
