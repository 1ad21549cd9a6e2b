"""Keys that answer questions, and the options of a page in the order in which it shows them."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

OPTIONS = {
    "best-worst": ("[data-choice=best]", "points => points.map(point => point.value)"),
    "ranking": ("[data-option]", "rows => rows.map(row => row.dataset.option)"),
    "preference": (".grades input", "points => points.map(point => point.value)"),
}


def press(page: Page, keys: str) -> None:
    for typed, key in re.findall(r"\(([^)]*)\)|(\S+)", keys):
        if typed:
            page.keyboard.type(typed)
        else:
            page.keyboard.press(key)
        if key == "k":
            expect(page.get_by_role("radio", name="4 of 5").first).to_be_enabled()
