"""Signing in as the people of the demo."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.e2e.demo import Demo


def sign_in_as(page: Page, demo: Demo, email: str) -> None:
    page.goto(f"{demo.url}/account/login/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill("groundwork-demo")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda address: "login" not in address)


def sign_in(page: Page, demo: Demo) -> str:
    sign_in_as(page, demo, "owner@example.org")
    page.get_by_role("link", name="Everyday similes").click()
    return page.url
