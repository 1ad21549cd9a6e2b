"""axe-core finds nothing wrong with any kind of question, for raters and in the form editor, in each form."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e.demo import Demo
from tests.e2e.rating.every_kind.kind_studies import opened
from tests.e2e.rating.every_kind.kinds import CASES
from tests.e2e.studies.signing_in import sign_in_as
from tests.e2e.walk.accessibility import violations
from tests.e2e.walk.choice import LANGUAGES, SCHEMES, WINDOWS

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.slow]
TEXT = "Her laugh was like a handful of coins on a stone floor."


def found_on(page: Page, name: str) -> Iterator[str]:
    for (window, (width, height)), scheme in zip(WINDOWS.items(), SCHEMES, strict=True):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        yield from (f"{name}, {window}, {scheme}: {one}" for one in violations(page))
    page.set_viewport_size({"width": 1280, "height": 800})


def at_first_item(context: BrowserContext, link: str) -> Page:
    page = context.new_page()
    page.goto(link)
    page.locator("form button.btn--main").click()
    page.locator("[data-open-keys]:not([hidden])").wait_for(state="attached")
    return page


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_passes_all_rules(browser: Browser, demo: Demo, language: str) -> None:
    studies = opened(demo, f"axe-{language}", TEXT)
    found: list[str] = []
    for kind in CASES:
        context = browser.new_context(locale=LANGUAGES[language])
        found += found_on(at_first_item(context, studies[kind]["link"]), f"{kind}, rating")
        context.close()
    context = browser.new_context()
    page = context.new_page()
    sign_in_as(page, demo, "owner@example.org")
    context.set_extra_http_headers({"Accept-Language": LANGUAGES[language]})
    for kind in CASES:
        page.goto(f"{demo.url}/studies/{studies[kind]['slug']}/settings/forms/")
        page.locator("main a[href*='/settings/forms/']").first.click()
        assert str(page.locator("html").get_attribute("lang", timeout=5_000)).startswith(language)
        found += found_on(page, f"{kind}, form editor")
    context.close()
    assert found == []
