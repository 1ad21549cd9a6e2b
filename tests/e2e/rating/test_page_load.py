"""What a browser fetches for its first rating page."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Route

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, begin, rate_by_keys, release_reservations

BUDGETS = tomllib.loads((Path(__file__).parents[2] / "page_budget.toml").read_text(encoding="utf-8"))
BUDGET = BUDGETS["cold"]

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def test_the_first_rating_page_of_a_browser_keeps_to_its_budget(context: BrowserContext, demo: Demo) -> None:
    release_reservations(demo)
    page = context.new_page()
    begin(page, demo)
    item = page.url
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sent: dict[str, str] = {}
    ended: dict[str, float] = {}
    network.on(
        "Network.requestWillBeSent",
        lambda event: sent.update({event["requestId"]: event["request"]["url"]}),
    )
    network.on(
        "Network.loadingFinished",
        lambda event: ended.update({event["requestId"]: event["encodedDataLength"]}),
    )
    page.goto(item, wait_until="networkidle")
    # The page before may still have been fetching one ahead.
    received = {request: size for request, size in ended.items() if request in sent}
    ahead = {request for request in received if sent[request].endswith("/ahead/")}
    assert page.locator("html.has-script").count() == 1
    assert 3 <= len(received) <= BUDGET["requests"]
    # What is fetched for later holds up nothing of the page.
    later = sum(size for request, size in received.items() if request in ahead)
    assert 10_000 < sum(received.values()) - later <= BUDGET["bytes"], received
    assert len(ahead) == 2
    assert later <= BUDGETS["ahead"]["bytes"], received
    page.close()


def test_an_item_with_a_kind_that_the_page_did_not_load_is_loaded_as_a_page_of_its_own(
    context: BrowserContext, demo: Demo
) -> None:
    def with_all_kinds(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
        elif route.request.url.endswith("/ahead/"):
            route.fulfill(status=204)
        else:
            answer = route.fetch()
            page_of_other_kinds = answer.text().replace('blocking="render"', "data-all-kinds")
            route.fulfill(response=answer, body=page_of_other_kinds)

    page = context.new_page()
    page.route("**/rate/**", with_all_kinds)
    begin(page, demo)
    page.evaluate("window.isTheFirstPage = true")
    rate_by_keys(page)
    page.keyboard.press("Enter")
    at_item(page, 2)
    assert page.evaluate("window.isTheFirstPage") is None
    page.close()
