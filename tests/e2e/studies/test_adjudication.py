"""An adjudicator decides by keyboard alone, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.demo import Demo
from tests.e2e.studies.signing_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.processes]


@pytest.mark.slow
def test_items_are_found_by_a_rule_and_decided_by_keys_alone(context: BrowserContext, demo: Demo) -> None:
    page, problems = context.new_page(), []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    sign_in(page, demo)
    page.get_by_role("navigation", name="Study").get_by_role("link", name="Disagreement").click()
    page.get_by_role("link", name="Adjudication").click()
    page.get_by_label("Rule").select_option("spread")
    page.get_by_label("Threshold").fill("3")
    page.get_by_role("button", name="Find items").click()
    first = page.get_by_role("region", name="Queue").get_by_role("link").first
    expect(first).to_be_visible(timeout=60_000)
    adjudicators = page.get_by_role("region", name="Adjudicators")
    name = adjudicators.get_by_role("rowheader").first
    name.evaluate("cell => { cell.textContent = 'adjudicator-of-the-laboratory@example.org' }")
    assert adjudicators.evaluate("region => region.scrollWidth <= region.clientWidth")
    first.click()
    here = page.url
    expect(page.get_by_role("heading", name="Responses")).to_be_visible()
    expect(page.locator("html.has-script")).to_be_attached()
    letter = page.locator(".annotation__letter").nth(1).inner_text()
    page.keyboard.press(letter.lower())
    expect(page.locator(".copied")).to_have_text(f"copied from {letter}")
    page.keyboard.press("s")
    expect(page.locator(".messages")).to_contain_text(" decided.")
    assert page.url != here
    written = page.url
    expect(page.locator("html.has-script")).to_be_attached()
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.locator(".messages")).to_contain_text(" decided.")
    page.goto(written)
    decided = page.get_by_role("region", name="Final answer")
    expect(decided.get_by_text("written by the adjudicator").first).to_be_visible()
    page.goto(here)
    expect(
        page.get_by_role("region", name="Final answer").get_by_text(re.compile(rf"^\s*from {letter}")).first
    ).to_be_visible()
    assert problems == []
