"""`make pictures`: the pictures of the README, from a demo of their own, into `docs/images/`."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.e2e.walk.stops import join
from tests.e2e.walk.studies import served
from tests.support import chromium

FOLDER = Path(__file__).parents[3] / "docs" / "images"
WINDOW = ViewportSize(width=1280, height=1000)
# Pages of results, with a heading that they have when they are computed; the demo computes the first itself.
COMPUTED = (
    ("reliability", "", "Coefficients with 95% CI"),
    ("systems", "Compute comparisons", "Correlations between criteria"),
)


def main() -> int:
    with served() as (server, links), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        picture(rating_page(browser, links["hauser"]), "rate")
        page = signed_in(browser, server.url)
        for name, button, heading in COMPUTED:
            page.goto(f"{server.url}/studies/everyday-similes/{name}/")
            if button:
                page.get_by_role("button", name=button).click()
            page.get_by_role("heading", name=heading).wait_for(timeout=120_000)
            page.locator("progress").wait_for(state="detached")
            picture(page, name)
        browser.close()
    return 0


def rating_page(browser: Browser, link: str) -> Page:
    page = browser.new_page(viewport=ViewportSize(width=1280, height=887))
    join(page, link)
    page.locator("html.has-script form.criteria").wait_for()
    page.keyboard.press("4")
    return page


def signed_in(browser: Browser, address: str) -> Page:
    page = browser.new_page(viewport=WINDOW)
    page.goto(f"{address}/account/login/")
    page.get_by_label("Email").fill("researcher@example.org")
    page.get_by_label("Password").fill("groundwork-demo")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="My studies").wait_for()
    return page


def picture(page: Page, name: str) -> None:
    page.wait_for_load_state("networkidle")
    page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")


if __name__ == "__main__":
    sys.exit(main())
