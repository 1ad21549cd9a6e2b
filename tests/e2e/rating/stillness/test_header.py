"""What the head of the page says of saving does not move when the number in it gets another digit."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests.e2e.rating.rating_pages import at_item, saved
from tests.e2e.rating.stillness.layout_shifts import Stillness
from tests.e2e.rating.stillness.sittings import PagesAhead, Study, rate_still

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def test_the_tenth_item_is_saved_while_the_ninth_is_on_the_way(context: BrowserContext, study: Study) -> None:
    page = context.new_page()
    still, fetched = Stillness(page), PagesAhead(page)
    page.goto(study.link)
    page.get_by_role("button", name="I agree – start").click()
    for number in range(1, 8):
        at_item(page, number)
        rate_still(page)
    at_item(page, 8)
    saved(page, 7)
    fetched.wait_for(10)
    on_the_way: list[Route] = []

    def hold(route: Route) -> None:
        on_the_way.append(route)

    page.route("**/rate/**", hold)
    for number in (8, 9, 10):
        at_item(page, number)
        rate_still(page)
        expect(page.get_by_text(f"Saving item {number}…")).to_be_visible()
    # No page is here after the tenth: it stays, and says the same of itself as of the ninth.
    at_item(page, 10)
    assert still.shifts() == []
    for route in on_the_way:
        route.abort()
