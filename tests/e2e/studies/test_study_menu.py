"""The menu behind the name of a study leads to the other studies, within the smallest window too."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.demo import Demo

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def test_it_lists_the_studies_of_its_reader_within_the_window(browser: Browser, demo: Demo) -> None:
    page = browser.new_page(viewport={"width": 320, "height": 700})
    page.goto(f"{demo.url}/account/login/?next=/studies/everyday-similes/")
    page.get_by_label("Email").fill("researcher@example.org")
    page.get_by_label("Password").fill("groundwork-demo")
    page.get_by_role("button", name="Sign in").click()
    menu = page.locator("details.switch")
    menu.locator("summary").click()
    current = menu.get_by_role("link", name="Everyday similes")
    expect(current).to_have_attribute("aria-current", "page")
    expect(menu.get_by_role("link", name="All studies")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.keyboard.press("Escape")
    expect(current).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()
