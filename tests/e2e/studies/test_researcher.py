"""A researcher at work in a real browser: progress, a report by the worker, an export."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, expect

from tests.e2e.demo import Demo

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def test_a_report_is_computed_by_the_worker_and_the_ratings_are_taken_away(
    context: BrowserContext, demo: Demo, tmp_path: Path
) -> None:
    page = context.new_page()
    problems: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(message.text)

    page.on("console", note)
    page.goto(demo.url)
    page.get_by_role("banner").get_by_role("link", name="Sign in").click()
    page.get_by_label("Email").fill("researcher@example.org")
    page.get_by_label("Password").fill("groundwork-demo")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Everyday similes").click()
    expect(page.get_by_text("of 1,600 responses included")).to_be_visible()
    study = page.get_by_role("navigation", name="Study")
    for tab in ("Items", "Raters"):
        study.get_by_role("link", name=tab).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(tab)
    study.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("General")
    study.get_by_role("link", name="Results").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Reliability")
    results = page.get_by_role("navigation", name="Results")
    for name in ("Scores", "Reliability"):
        results.get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
    computed = page.get_by_role("heading", name="Coefficients with 95% CI")
    # The first report of the demo is asked for when it is made.
    expect(computed).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Compute again").click()
    expect(computed).to_be_visible(timeout=60_000)
    rows_of_alpha = page.get_by_role("rowheader", name="Krippendorff α, ordinal", include_hidden=True)
    expect(rows_of_alpha).to_have_count(3)
    page.get_by_role("navigation", name="Study").get_by_role("link", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile(r"^Download .*\(CSV\)$")).click()
    path = tmp_path / "ratings.csv"
    download.value.save_as(path)
    rows = list(csv.DictReader(path.open(encoding="utf-8", newline="")))
    assert len([row for row in rows if row["simulated"] == "true"]) == 540
    assert problems == []
