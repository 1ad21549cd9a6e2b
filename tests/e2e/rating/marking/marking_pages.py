"""The pages on which parts of a sentence are marked."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, expect


def begin(page: Page, link: str) -> str:
    """The address of the sentence."""
    page.goto(link)
    page.get_by_role("button", name="I agree – start").click()
    ready(page)
    return page.url


def ready(page: Page) -> None:
    expect(page).to_have_title(re.compile("^Item 1 of 1"))
    page.locator("html.has-script").wait_for(state="attached")


def stored(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(page.locator("[data-stored]").input_value())
    return found


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
