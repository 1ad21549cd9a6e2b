"""No page is wider than the screen: a table that is scrolls in a region that shows it."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.scored_demo import wait_for_scores
from tests.e2e.studies.signing_in import sign_in, sign_in_as
from tests.e2e.studies.window_widths import AS_MANY_RATERS, MOST_RATERS, too_wide

pytestmark = [pytest.mark.browser, pytest.mark.processes]

CUT = """() => [...document.querySelectorAll("main table")].filter((table) =>
  table.scrollWidth > table.parentElement.clientWidth).map((table) =>
  [table.className, table.scrollWidth, table.parentElement.clientWidth, table.innerText.slice(0, 60)])"""

# The study of the demo has as many raters as other tests let join: soon too many for a map of their pairs.
A_STUDY_WITH_PAIRS = """
from django.core.management import call_command

call_command("demo_study", "hauser", owner="owner@example.org", slug="pairs-of-raters", open=True)
call_command("simulate", "pairs-of-raters", raters=5)
call_command("report", "pairs-of-raters", bootstrap=20)
"""


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_metrics_and_candidates_fit_a_desktop_and_a_phone(browser: Browser, demo: Demo, scheme: Any) -> None:
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    study = sign_in(page, demo)
    wait_for_scores(page, study)
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


@pytest.mark.slow
def test_the_numbers_of_an_axis_are_above_its_charts_on_phones_too(browser: Browser, demo: Demo) -> None:
    page = browser.new_page()
    study = sign_in(page, demo)
    page.goto(f"{study}systems/")
    page.get_by_role("button", name="Compute").click()
    table = page.get_by_role("region", name="Means and confidence intervals")
    expect(table).to_be_visible(timeout=60_000)
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        numbers, chart = (table.locator(f"{part} .plot svg").first for part in ("thead", "tbody"))
        assert (axis := numbers.bounding_box()) is not None
        assert (row := chart.bounding_box()) is not None
        assert (axis["x"], axis["width"]) == (row["x"], row["width"]), width
        assert axis["y"] + axis["height"] <= row["y"], width
    page.close()


def test_a_phone_shows_every_cell_of_the_site_s_tables_with_the_head_of_its_column(
    browser: Browser, demo: Demo
) -> None:
    page = browser.new_page(viewport={"width": 375, "height": 800})
    sign_in_as(page, demo, "site@example.org")
    for address in ("accounts", "system", "log"):
        page.goto(f"{demo.url}/site/{address}/")
        expect(page.locator("main table").first).to_be_visible()
        assert page.evaluate(CUT) == [], address
        assert page.locator("main tbody td:not([data-label])").count() == 0, address
    page.close()


def test_a_phone_shows_the_lists_of_a_study_without_scrolling_them(browser: Browser, demo: Demo) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 800})
    study = sign_in(page, demo)
    for address in ("", "items/", "raters/", "raters/review/", "jobs/", "settings/forms/"):
        page.goto(study + address)
        expect(page.locator("main table").first).to_be_visible()
        assert page.evaluate(CUT) == [], address
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
        assert page.evaluate(CUT) == [], address
    page.close()


def test_the_pairs_of_up_to_thirty_raters_fit_a_desktop(browser: Browser, demo: Demo) -> None:
    demo.installation.run_script(A_STUDY_WITH_PAIRS)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    sign_in(page, demo)
    for language in ("en", "ja", "zh-hans"):
        page.context.add_cookies(
            [{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": demo.url}]
        )
        page.goto(f"{demo.url}/studies/pairs-of-raters/reliability/")
        pairs_fit(page)
    page.close()


def pairs_fit(page: Page) -> None:
    pairs = page.locator("table.heat").first
    expect(pairs).to_be_attached()
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    for number in (8, 9, 10, 11, 12, 18, 19, MOST_RATERS):
        page.evaluate(AS_MANY_RATERS, number)
        assert pairs.locator("tr").last.locator("td").count() == number
        assert page.evaluate(CUT) == [], number


def test_a_phone_shows_the_step_of_a_draft_that_is_open_on_one_line_of_steps(
    browser: Browser, demo: Demo
) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 800})
    sign_in(page, demo)
    page.goto(f"{demo.url}/studies/new/")
    page.get_by_label("Title", exact=True).fill("Steps on a phone")
    page.get_by_role("button", name="Create draft").click()
    page.wait_for_url("**/studies/steps-on-a-phone/**")
    page.goto(f"{demo.url}/studies/steps-on-a-phone/settings/checks/")
    steps = page.get_by_role("navigation", name="Set up the study")
    boxes = [step.bounding_box() for step in steps.get_by_role("link").all()]
    assert len(boxes) > 5
    assert len({box["y"] for box in boxes if box}) == 1
    expect(steps.locator("[aria-current]")).to_be_in_viewport(ratio=0.9)
    assert list(too_wide(page)) == []
    # Where all steps fit there is no line to scroll, and the page itself stays at its top.
    page.set_viewport_size({"width": 1440, "height": 900})
    page.reload()
    expect(page.get_by_role("banner")).to_be_in_viewport(ratio=1)
    page.close()
