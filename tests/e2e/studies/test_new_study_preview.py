"""While a study is begun, its rating page follows the protocol, the rows and the columns that are chosen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.studies.signing_in import researcher_page

pytestmark = [pytest.mark.browser, pytest.mark.processes]
ITEMS = """id,plain,sim
z1,I like the lift.,The lift rose like a tired sigh.
z2,It rained.,It rained like a drum.
"""
FILE = {"name": "lifts.csv", "mimeType": "text/csv", "buffer": ITEMS.encode()}


def start(context: BrowserContext, demo: Demo) -> Page:
    page = researcher_page(context, demo)
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Title").fill("Lifts")
    return page


def test_the_rating_page_follows_the_protocol_the_file_and_the_columns(
    context: BrowserContext, demo: Demo
) -> None:
    page = start(context, demo)
    preview = page.get_by_role("region", name="Preview of the rating page")
    expect(preview.get_by_text("Shown with an example item.")).to_be_visible()
    page.get_by_label("Item file", exact=True).set_input_files(FILE)  # type: ignore[arg-type]
    expect(preview.get_by_text("The lift rose like a tired sigh.")).to_be_visible()
    width = preview.locator(".preview__page").evaluate("page => page.clientWidth")
    preview.get_by_label("Desktop").check()
    assert preview.locator(".preview__page").evaluate("page => page.clientWidth") > width
    page.get_by_label("Start from").select_option("preference")
    expect(preview.locator("[name=answer-preference]").first).to_be_visible()
    page.get_by_label("Start from").select_option("hauser")
    expect(preview.get_by_text("I like the lift.")).to_be_visible()
    page.get_by_role("button", name="Create draft").click()
    page.get_by_label("What plain contains").select_option("text:simile")
    page.get_by_label("What sim contains").select_option("")
    expect(preview.get_by_text("I like the lift.")).to_be_visible()
    expect(page.get_by_text("no column is assigned to them: literal")).to_be_visible()
    expect(page.locator("#first-items")).not_to_contain_text("The lift rose like a tired sigh.")


def test_without_scripts_a_button_shows_the_rating_page_and_no_field_is_lost(
    browser: Browser, demo: Demo
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = start(context, demo)
    page.get_by_label("Item file", exact=True).set_input_files(FILE)  # type: ignore[arg-type]
    page.get_by_label("Start from").select_option("miyazawa")
    with context.expect_page() as opened:
        page.get_by_role("button", name="Show preview in a new tab").click()
    shown = opened.value.get_by_role("region", name="Preview of the rating page")
    expect(shown.locator("[name=answer-metaphoricity]").first).to_be_visible()
    page.get_by_role("button", name="Create draft").click()
    page.get_by_label("What plain contains").select_option("")
    page.get_by_role("button", name="Check and preview").click()
    expect(page.locator("#first-items")).not_to_contain_text("I like the lift.")
    context.close()
