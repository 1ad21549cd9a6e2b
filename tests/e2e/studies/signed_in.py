"""A researcher of the demo who has signed in."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page

from tests.e2e.demo import Demo


def sign_in(context: BrowserContext, demo: Demo) -> Page:
    page = context.new_page()
    page.goto(demo.url)
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Email").fill("researcher@example.org")
    page.get_by_label("Password").fill("groundwork-demo")
    page.get_by_role("button", name="Sign in").click()
    return page
