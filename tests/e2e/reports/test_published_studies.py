"""Published studies on every page of figures, computed by the worker, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.demo import Demo

pytestmark = [
    pytest.mark.browser,
    pytest.mark.processes,
    pytest.mark.published_data,
]

WORKER_SECONDS = 180_000
TABLES = {"Table (CSV)": b"criterion", "Table (LaTeX)": b"\\begin{table}"}
CHARTS = {"svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture
def page(context: BrowserContext, demo: Demo) -> Page:
    page = context.new_page()
    page.goto(f"{demo.url.rstrip('/')}/account/login/")
    page.get_by_label("Email").fill("researcher@example.org")
    page.get_by_label("Password").fill("groundwork-demo")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My studies")
    return page


def compute(page: Page, button: str, done: str) -> None:
    """Once: tests of one server come in any order."""
    if page.get_by_role("button", name=button).count():
        page.get_by_role("button", name=button).click()
    expect(page.get_by_role("heading", name=done)).to_be_visible(timeout=WORKER_SECONDS)


def downloaded(page: Page, name: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("complementary").get_by_role("link", name=name).first.click()
    return Path(download.value.path()).read_bytes().removeprefix(b"\xef\xbb\xbf")


def drawn(page: Page, file_format: str) -> bytes:
    form = page.get_by_role("complementary").locator("form.figure-download").first
    form.locator("select[name=format]").select_option(file_format)
    with page.expect_download() as download:
        form.get_by_role("button", name="Download chart").click()
    return Path(download.value.path()).read_bytes()


def visit(demo: Demo, page: Page, name: str, where: str) -> None:
    page.goto(f"{demo.url.rstrip('/')}/studies/{name}/{where}/")


@pytest.mark.parametrize(
    "name",
    [
        "hauser",
        "hanna",
        "miyazawa",
    ],
)
@pytest.mark.slow
def test_every_page_of_a_published_study_has_its_figures(demo, page, published_data, name):
    loaded = demo.installation.manage("import_published", name, "--data", str(published_data / name))
    assert loaded.returncode == 0, loaded.stderr
    visit(demo, page, name, "reliability")
    compute(page, "Compute reliability", "Coefficients with 95% CI")
    expect(page.get_by_role("columnheader", name="Krippendorff α, ordinal").first).to_be_visible()
    expect(page.get_by_role("heading", name="Use of the scale")).to_be_visible()
    for link, start in TABLES.items():
        assert downloaded(page, link).startswith(start)
    for file_format, start in CHARTS.items():
        assert drawn(page, file_format).startswith(start)
    visit(demo, page, name, "metrics" if name != "miyazawa" else "systems")
    done = "Correlations with mean ratings" if name != "miyazawa" else "Correlations between criteria"
    compute(page, "Compute comparisons", done)
    visit(demo, page, name, "systems")
    expect(page.get_by_role("heading", name="Correlations between criteria")).to_be_visible()
    assert downloaded(page, "CSV").startswith(b"system,criterion" if name != "miyazawa" else b"system")
    visit(demo, page, name, "planner")
    expect(page.get_by_role("heading", name="Designs")).to_be_visible()
    if name == "miyazawa":
        visit(demo, page, name, "heat-map")
        expect(page.get_by_role("rowheader")).to_have_count(40)


def test_a_second_visit_computes_nothing(demo, page, published_data):
    demo.installation.manage("import_published", "hauser", "--data", str(published_data / "hauser"))
    visit(demo, page, "hauser", "reliability")
    compute(page, "Compute reliability", "Coefficients with 95% CI")
    when = page.get_by_text(re.compile(r"^\s*computed ")).inner_text()
    for _ in range(2):
        visit(demo, page, "hauser", "reliability")
        expect(page.get_by_text(re.compile(r"^\s*computed "))).to_have_text(when)
        expect(page.get_by_role("progressbar")).to_have_count(0)
