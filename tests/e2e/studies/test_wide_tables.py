"""No page is wider than the screen: a table that is scrolls in a region that shows it."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, expect

from tests.e2e.demo import Demo
from tests.e2e.studies.signing_in import sign_in, sign_in_as
from tests.e2e.studies.window_widths import too_wide

pytestmark = [pytest.mark.browser, pytest.mark.processes]

CUT = """() => [...document.querySelectorAll("main table")].filter((table) =>
  table.scrollWidth > table.parentElement.clientWidth).length"""


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_metrics_and_candidates_fit_a_desktop_and_a_phone(browser: Browser, demo: Demo, scheme: Any) -> None:
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    study = sign_in(page, demo)
    page.goto(f"{study}metrics/")
    button = page.get_by_role("button", name="Compute")
    heading = page.get_by_role("heading", level=1)
    above, below = heading.bounding_box(), button.bounding_box()
    assert above is not None
    assert below is not None
    assert below["y"] - above["y"] - above["height"] >= 16
    button.click()
    expect(page.get_by_role("heading", name="Correlations with mean ratings")).to_be_visible(timeout=60_000)
    for address in ("metrics/", "items/L1-1/"):
        page.goto(study + address)
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert list(too_wide(page)) == [], (address, width)
    context.close()


def test_a_phone_shows_every_cell_of_the_site_s_tables_with_the_head_of_its_column(
    browser: Browser, demo: Demo
) -> None:
    page = browser.new_page(viewport={"width": 375, "height": 800})
    sign_in_as(page, demo, "site@example.org")
    for address in ("accounts", "system", "log"):
        page.goto(f"{demo.url}/site/{address}/")
        expect(page.locator("main table").first).to_be_visible()
        assert page.evaluate(CUT) == 0, address
        assert page.locator("main tbody td:not([data-label])").count() == 0, address
    page.close()


def test_a_phone_shows_the_lists_of_a_study_without_scrolling_them(browser: Browser, demo: Demo) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 800})
    study = sign_in(page, demo)
    for address in ("", "items/", "jobs/", "settings/forms/"):
        page.goto(study + address)
        expect(page.locator("main table").first).to_be_visible()
        assert page.evaluate(CUT) == 0, address
    page.close()


@pytest.mark.parametrize("language", ["ja", "zh-hans"])
def test_no_table_is_cut_on_a_desktop_in_chinese_and_japanese(
    browser: Browser, demo: Demo, language: str
) -> None:
    """Their heads break anywhere or nowhere, and their dates are long."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    study = sign_in(page, demo)
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": demo.url}])
    for address in ("raters/", "raters/R-001/", "items/L1-1/", "reliability/", "systems/model/", "planner/"):
        page.goto(study + address)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("main table").first).to_be_attached()
        assert page.evaluate(CUT) == 0, address
    page.close()
