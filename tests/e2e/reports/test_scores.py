"""The demo's scores, made by its worker, in a real browser: from the list to the numbers."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.demo import Demo
from tests.e2e.scored_demo import SCORED_SECONDS, wait_for_scores
from tests.e2e.studies.signing_in import researcher_page

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def test_the_demo_is_scored_and_shows_how_each_score_came_about(context: BrowserContext, demo: Demo) -> None:
    page, problems = researcher_page(context, demo), list[str]()
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    study = f"{demo.url}/studies/everyday-similes/"
    wait_for_scores(page, study)
    page.get_by_role("link", name="Informativeness", exact=True).click()
    expect(page.locator("th[aria-sort]")).to_have_text("Informativeness")
    page.get_by_role("rowheader").first.get_by_role("link").click()
    expect(page.locator("em.vehicle").first).to_be_visible()
    for heading in ("Quality", "Relevance", "Creativity", "Rank in group"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    page.get_by_label("Vehicle").first.fill("a plain stone")
    page.get_by_role("button", name="Save correction").click()
    expect(page.get_by_text("The components have changed since this run.")).to_be_visible()
    page.get_by_role("navigation", name="Scores").get_by_role("link", name="Scoring runs", exact=True).click()
    page.get_by_role("button", name="Score this study").click()
    expect(page.get_by_role("heading", name="Runs in progress")).to_have_count(
        0, timeout=SCORED_SECONDS * 1000
    )
    page.go_back()
    assert problems == []
    page.goto(f"{study}scores/")
    page.emulate_media(media="print")
    expect(page.get_by_label("Direction of Relevance", exact=True).first).to_be_visible()
