"""Keys that answer questions, and the options of a page in the order in which it shows them."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.rating.every_kind.kinds import CASES


def press(page: Page, keys: str) -> None:
    """Press keys one after another; a text in brackets is typed."""
    for typed, key in re.findall(r"\(([^)]*)\)|(\S+)", keys):
        if typed:
            page.keyboard.type(typed)
        else:
            page.keyboard.press(key)
        if key == "k":
            expect(page.get_by_role("radio", name="4 of 5").first).to_be_enabled()


def shown_options(page: Page, kind: str) -> list[str]:
    """The values of the options in the order of the page; none where a kind has no order of its own."""
    options = CASES[kind].options
    found: list[str] = page.locator(options[0]).evaluate_all(options[1]) if options else []
    return found
