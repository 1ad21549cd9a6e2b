"""A study from nothing in a real browser: a criterion is added, the preview follows, the study is opened."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.studies.signing_in import researcher_page

pytestmark = [pytest.mark.browser, pytest.mark.processes]
ITEMS = "item,simile\nS1,The lamp hung like a moon.\nS2,The lamp hung like a lamp.\n"


def write_criterion(page: Page, number: int, name: str) -> None:
    part = page.get_by_role("group", name=f"Criterion {number}", exact=True)
    part.get_by_label("Name", exact=True).fill(name)
    page.locator(f"#criterion-{number - 1}-question").fill(f"How good is its {name}?")
    page.locator(f"#point-{number - 1}-0-label").fill(f"no {name}")


@pytest.mark.slow
def test_a_blank_study_gets_its_criteria_shows_them_meanwhile_and_opens(
    context: BrowserContext, demo: Demo
) -> None:
    page, problems = researcher_page(context, demo), list[str]()

    def note(message: ConsoleMessage) -> None:
        # A preview that a later one replaces is no error of the page, but htmx logs it as one.
        if message.type == "error" and not message.text.startswith("htmx:"):
            problems.append(message.text)

    page.on("console", note)
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Title").fill("Lamps by hand")
    page.get_by_label("Start from").select_option(label="Blank (create your own forms)")
    page.get_by_label("Item file", exact=True).set_input_files(
        {"name": "items.csv", "mimeType": "text/csv", "buffer": ITEMS.encode()}
    )
    page.get_by_role("button", name="Create draft").click()
    expect(page.locator("#criterion-0-name")).to_be_focused()
    expect(page.get_by_label("Title")).to_have_value("Lamps by hand")
    page.get_by_label("Title").fill("Similes")
    page.locator("#key").fill("similes")
    write_criterion(page, 1, "aptness")
    preview = page.get_by_role("region", name="Preview of the rating page")
    expect(preview.get_by_text("How good is its aptness?")).to_be_visible()
    expect(preview.get_by_text("The lamp hung like a moon.")).to_be_visible()
    page.get_by_role("button", name="Add criteria").click()
    expect(page.locator("#criterion-1-name")).to_be_in_viewport()
    page.locator("#criterion-1").get_by_text("As in the criterion above").click()
    page.get_by_role("button", name="Save form").click()
    expect(
        page.get_by_role("alert").get_by_role("link", name="Criterion 2, Name", exact=True)
    ).to_be_visible()
    page.locator("#criterion-1").get_by_text("As in the criterion above").click()
    write_criterion(page, 2, "novelty")
    expect(preview.get_by_text("How good is its novelty?")).to_be_visible()
    page.get_by_role("button", name="Save form").click()
    expect(page.get_by_text("has no label: aptness, novelty.")).to_be_visible()
    page.get_by_role("button", name="Open study and create link").click()
    expect(page.get_by_text("The study is open.", exact=True)).to_be_visible()
    refused = [text for text in problems if "422" not in text]
    assert refused == []


@pytest.mark.slow
def test_a_slider_is_edited_by_its_two_ends_and_the_preview_shows_it_at_once(
    context: BrowserContext, demo: Demo
) -> None:
    page = researcher_page(context, demo)
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Title").fill("Lamps on a line")
    page.get_by_label("Start from").select_option(label="Blank (create your own forms)")
    page.get_by_role("button", name="Create draft").click()
    part, preview = page.locator("#criterion-0"), page.locator("#preview")
    part.locator("#point-0-4-label").fill("very bright")
    chosen = part.get_by_label("Question type")
    chosen.select_option("slider")
    expect(preview.get_by_role("slider")).to_be_visible()
    expect(preview.get_by_text("5 very bright").first).to_be_visible()
    for what in ("Add point", "Up", "Down", "Remove"):
        expect(part.get_by_role("button", name=what, exact=True)).to_have_count(0)
    expect(part.get_by_label("Shortcut", exact=True)).to_have_count(0)
    part.get_by_label("Highest value").fill("50")
    expect(preview.get_by_text("50 very bright").first).to_be_visible()
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert chosen.evaluate("one => one.scrollWidth <= one.clientWidth"), width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
