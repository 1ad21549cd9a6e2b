"""axe-core finds nothing wrong on raters' pages; `make accessibility` checks every one in every form."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e.demo import Demo
from tests.e2e.walk.accessibility import violations
from tests.e2e.walk.choice import SCHEMES, WINDOWS
from tests.e2e.walk.stops import stops
from tests.e2e.walk.studies import links

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def scrolls_sideways(page: Page) -> Iterator[str]:
    """How wide the page is where it does not fit a window of 1280 by 1024 at 400 % and at 200 %."""
    for width, height in ((320, 256), (640, 512)):
        page.set_viewport_size({"width": width, "height": height})
        needed = page.evaluate("document.documentElement.scrollWidth")
        if needed > width:
            yield f"{needed} px wide in a window of {width} px"


def test_every_page_of_raters_passes_all_rules_and_fits_a_large_zoom(browser: Browser, demo: Demo) -> None:
    context = browser.new_context(locale="ja-JP", reduced_motion="reduce")
    page = context.new_page()
    forms = itertools.cycle(zip(WINDOWS.values(), SCHEMES, strict=True))
    found, seen = [], []
    for stop, ((width, height), scheme) in zip(
        stops(page, links(demo.installation, demo.url)), forms, strict=False
    ):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        found += [f"{stop}: {violation}" for violation in violations(page)]
        found += [f"{stop}: {scroll}" for scroll in scrolls_sideways(page)]
        seen.append(stop)
        page.set_viewport_size({"width": 1280, "height": 800})
    context.close()
    assert found == []
    assert len(set(seen)) == len(seen) > 20


def test_a_fault_is_found(context: BrowserContext) -> None:
    page = context.new_page()
    page.set_content("<html lang=en><title>T</title><main><h1>H</h1><input></main>")
    assert re.match("label ", violations(page)[0])
