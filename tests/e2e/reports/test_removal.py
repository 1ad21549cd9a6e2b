"""HAUSER's removal rule on a study made for it: previewed by the worker, applied, lifted, taken away."""

from __future__ import annotations

import csv
import io
import random
import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

from tests.e2e.demo import Demo

pytestmark = [pytest.mark.browser, pytest.mark.processes]

WORKER_SECONDS = 120_000
SLUG = "removal"
CRITERIA = ("quality", "creativity", "informativeness")


def ratings_of(items: list[str]) -> str:
    """Three raters: close on most items, opposed on every fifth, two items without context."""
    draw, written = random.Random("removal"), io.StringIO()
    rows = csv.writer(written)
    rows.writerow(["item", "form", "rater", "criterion", "value", "cannot_rate", "reason"])
    for place, item in enumerate(items):
        near = draw.choice([(1, 2, 3), (3, 4, 5)])
        for rater in range(3):
            lacking = rater == 0 and place in {3, 7}
            for criterion in CRITERIA:
                value = draw.choice(near)
                if place % 5 == 0 and criterion == "quality":
                    value = (1, 5, 3)[rater]
                cells = ["", "true", "lacks_context"] if lacking else [value, "false", ""]
                rows.writerow([item, "similes", f"R-{rater + 1:03d}", criterion, *cells])
    return written.getvalue()


@pytest.fixture
def items(demo: Demo, tmp_path: Path) -> list[str]:
    """The keys of the study's items, in order."""
    run = demo.installation.manage
    made = run("demo_study", "hauser", "--owner", "owner@example.org", "--slug", SLUG)
    assert made.returncode == 0, made.stderr
    listed = csv.DictReader(io.StringIO(run("export", SLUG, "--what", "items").stdout.lstrip("\ufeff")))
    keys = [row["item"] for row in listed]
    path = tmp_path / "ratings.csv"
    path.write_text(ratings_of(keys), encoding="utf-8")
    loaded: subprocess.CompletedProcess[str] = run("import_ratings", SLUG, str(path))
    assert loaded.returncode == 0, loaded.stderr
    return keys


def sign_in(page: Page, demo: Demo) -> None:
    page.goto(f"{demo.url.rstrip('/')}/account/login/")
    page.get_by_label("Email").fill("owner@example.org")
    page.get_by_label("Password").fill("groundwork-demo")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My studies")


@pytest.mark.slow
def test_the_rule_is_previewed_applied_lifted_and_its_table_taken_away(
    context: BrowserContext, demo: Demo, items: list[str]
) -> None:
    page, problems = context.new_page(), []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(message.text)

    page.on("console", note)
    sign_in(page, demo)
    page.goto(f"{demo.url.rstrip('/')}/studies/{SLUG}/disagreement/")
    page.get_by_role("button", name="Compute statistics").click()
    expect(page.get_by_role("region", name="Items by disagreement")).to_be_visible(timeout=WORKER_SECONDS)
    page.get_by_label("Split ratings on").select_option("quality")
    page.get_by_role("button", name="Show items").click()
    opposed = len(items[::5])
    expect(page.get_by_text(f"{opposed} of {len(items)} items match")).to_be_visible(timeout=WORKER_SECONDS)
    assert "split=quality" in page.url
    page.get_by_role("link", name="Declare rule").click()
    page.get_by_role("link", name="Use HAUSER’s rule").click()
    page.get_by_role("button", name="Declare and preview rule").click()
    expect(page.get_by_role("heading", name="Inter-rater agreement before and after")).to_be_visible(
        timeout=WORKER_SECONDS
    )
    expect(page.get_by_text("after opening", exact=True)).to_be_visible()
    expect(page.get_by_text("Selecting on agreement raises agreement.")).to_be_visible()
    table = page.get_by_role("region", name="Inter-rater agreement before and after")
    expect(table.locator("tbody tr")).to_have_count(2 * len(CRITERIA))
    with page.expect_download() as download:
        page.get_by_role("link", name="LaTeX").first.click()
    tex = Path(download.value.path()).read_text(encoding="utf-8")
    shown = re.findall(r"\d\.\d{3}", table.inner_text())
    assert len(shown) == 4 * 2 * len(CRITERIA)
    assert re.findall(r"\d\.\d{3}", tex) == shown
    caught = len({*items[::5], items[3], items[7]})
    page.get_by_role("button", name=f"Apply rule ({caught} exclusions)").click()
    expect(page.get_by_text(f"Rule applied: {caught} exclusions.")).to_be_visible()
    page.goto(f"{demo.url.rstrip('/')}/studies/{SLUG}/disagreement/?state=excluded")
    expect(page.get_by_text(f"{caught} of {len(items)} items match")).to_be_visible(timeout=WORKER_SECONDS)
    page.goto(f"{demo.url.rstrip('/')}/studies/{SLUG}/disagreement/rules/")
    page.get_by_role("link", name="HAUSER’s rule", exact=True).click()
    page.get_by_text("Lift rule…").click()
    page.get_by_label("Reason for lifting").fill("Applied for a look")
    page.get_by_role("button", name="Lift rule").click()
    expect(page.get_by_text(f"{caught} exclusions lifted.")).to_be_visible()
    assert problems == []
