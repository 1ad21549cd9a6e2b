"""Signing in as the people of the demo."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page

from tests.e2e.demo import Demo


def sign_in_as(page: Page, demo: Demo, email: str) -> None:
    page.goto(f"{demo.url}/account/login/")
    _enter(page, email)
    page.wait_for_url(lambda address: "login" not in address)


def sign_in(page: Page, demo: Demo) -> str:
    sign_in_as(page, demo, "owner@example.org")
    # Not by the list of studies: it has pages, and other tests add studies.
    page.goto(f"{demo.url}/studies/everyday-similes/")
    return page.url


def researcher_page(context: BrowserContext, demo: Demo) -> Page:
    """A page of a researcher who found the way from the home page."""
    page = context.new_page()
    page.goto(demo.url)
    page.get_by_role("banner").get_by_role("link", name="Sign in").click()
    _enter(page, "researcher@example.org")
    return page


def _enter(page: Page, email: str) -> None:
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill("groundwork-demo")
    page.get_by_role("button", name="Sign in").click()
