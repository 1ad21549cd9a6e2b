"""What a browser fetches for its first rating page."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import begin, release_reservations

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
