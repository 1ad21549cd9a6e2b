"""Signing in with the institution, and managing accounts, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.e2e.demo import Demo

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def at_the_institution(page: Page, who: str) -> None:
    """The page of the provider, on another origin."""
    expect(page.get_by_role("heading", name="University")).to_be_visible()
    page.get_by_label("You").select_option(who)
    page.get_by_role("button", name="Continue").click()


def test_a_person_of_the_institution_comes_in_and_a_stranger_reads_why_not(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    problems: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(message.text)

    page.on("console", note)
    page.goto(f"{demo.url}/tokens/")
    page.get_by_role("link", name="Sign in with your institution").click()
    at_the_institution(page, "mara")
    expect(page).to_have_url(f"{demo.url}/tokens/")
    page.locator(".head summary", has_text="Mara Osei").click()
    page.get_by_role("link", name="Sign out").click()
    expect(page.get_by_text("You stay signed in at your institution")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    assert problems == []
    page.goto(f"{demo.url}/account/login/")
    page.get_by_role("link", name="Sign in with your institution").click()
    at_the_institution(page, "visitor")
    expect(page.get_by_role("heading", name="Not signed in")).to_be_visible()
    expect(page.get_by_text("sso_domain")).to_be_visible()


@pytest.mark.parametrize("width", [320, 375])
def test_on_a_phone_the_menu_leads_a_member_to_studies_and_site(
    browser: Browser, demo: Demo, width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 667})
    page.goto(f"{demo.url}/account/login/?next=/tokens/")
    page.get_by_label("Email").fill("site@example.org")
    page.get_by_label("Password").fill("groundwork-demo")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/tokens/")
    for link, address in (("Site", "**/site/accounts/"), ("Studies", f"{demo.url}/")):
        page.locator(".head .menu summary").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.locator(".head").get_by_role("link", name=link, exact=True).click()
        page.wait_for_url(address)
    page.locator(".head .menu summary", has_text="Jonas Weil").click()
    expect(page.locator(".head").get_by_role("link", name="Sign out")).to_be_visible()
    page.close()


def test_a_site_administrator_invites_a_person_who_then_signs_in(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    page.goto(f"{demo.url}/account/login/?next=/site/accounts/")
    page.get_by_label("Email").fill("site@example.org")
    page.get_by_label("Password").fill("groundwork-demo")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Accounts")
    expect(page.get_by_role("link", name="researcher@example.org")).to_be_visible()
    form = page.locator("#invite")
    form.get_by_label("Email").fill("new@example.org")
    form.get_by_role("button", name="Create account").click()
    link = page.get_by_role("status").locator("code").inner_text()
    page.locator(".head .menu summary").click()
    page.get_by_role("link", name="Sign out").click()
    page.get_by_role("button", name="Sign out").click()
    page.goto(link)
    for field in page.locator("input[type=password]").all():
        field.fill("simile-and-metaphor-42")
    page.get_by_role("button", name="Set password").click()
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Email").fill("new@example.org")
    page.get_by_label("Password").fill("simile-and-metaphor-42")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".head .menu summary", has_text="new@example.org")).to_be_visible()
