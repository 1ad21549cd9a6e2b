"""From an empty account to the first rating that somebody else has stored, in at most eight presses."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, rate_by_keys, saved

pytestmark = [pytest.mark.browser, pytest.mark.processes]
MOST_PRESSES = 8
SYSTEMS = ("anna", "gpt", "bart", "opt")


def similes() -> str:
    """Ten sentences with four similes each, in columns that no protocol calls so, as pandas writes them."""
    lines = [",ref,source,sys,plain,sim,len"]
    for place in range(40):
        sentence = place // 4
        cells = (
            place,
            f"S{sentence:02d}-{place % 4}",
            f"S{sentence:02d}",
            SYSTEMS[place % 4],
            f"Cellar number {sentence} smelled of damp.",
            f"Cellar number {sentence} smelled like dog {place}.",
            place % 7,
        )
        lines.append(",".join(map(str, cells)))
    return "\n".join(lines)


@dataclass
class Presses:
    """Every button, link, menu and file that somebody presses; points of a rating are the answer itself."""

    count: int = 0

    def press(self, what: Locator) -> None:
        self.count += 1
        what.click()

    def choose(self, menu: Locator, value: str) -> None:
        self.count += 1
        menu.select_option(value)

    def give_file(self, field: Locator, name: str, content: str) -> None:
        self.count += 1
        field.set_input_files({"name": name, "mimeType": "text/csv", "buffer": content.encode()})


def test_from_a_file_of_similes_to_somebody_elses_first_rating(
    browser: Browser, context: BrowserContext, demo: Demo
) -> None:
    printed = demo.installation.manage("add_user", "newcomer@example.org").stdout
    password = printed.rpartition("password ")[2].strip()
    page, hand = context.new_page(), Presses()
    page.goto(f"{demo.url}/account/login/")
    page.get_by_label("Email").fill("newcomer@example.org")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("No studies yet.")).to_be_visible()

    hand.press(page.get_by_role("link", name="New study"))
    page.get_by_label("Title").fill("Smells")
    hand.choose(page.get_by_label("Protocol"), "hauser")
    hand.give_file(page.get_by_label("Items", exact=True), "smells.csv", similes())
    hand.press(page.get_by_role("button", name="Make the draft"))
    for column, use in (
        ("ref", "item"),
        ("sys", "system"),
        ("plain", "text:literal"),
        ("sim", "text:simile"),
    ):
        expect(page.get_by_label(f"What {column} contains", exact=True)).to_have_value(use)
    hand.press(page.get_by_role("button", name="Import the items"))
    expect(page.get_by_text("40 items added from smells.csv.")).to_be_visible()
    hand.press(page.get_by_role("button", name="Open study and create link"))
    link = page.get_by_text(re.compile(r"https?://\S+/join/\S+")).first.inner_text().strip()

    somebody = browser.new_context()
    rater = somebody.new_page()
    rater.goto(link)
    hand.press(rater.get_by_role("button", name="I agree – start"))
    at_item(rater, 1)
    rate_by_keys(rater)
    hand.press(rater.get_by_role("button", name="Save and next"))
    saved(rater, 1)
    somebody.close()
    page.goto(re.sub(r"(/studies/[^/]+/).*", r"\1", page.url))
    expect(page.get_by_text("of 120 responses saved")).to_be_visible()
    expect(page.locator(".figure-line .big")).to_have_text("1")
    assert hand.count <= MOST_PRESSES, hand.count
