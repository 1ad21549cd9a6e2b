"""How many presses it takes to the first rating by another person, and to a study of five criteria."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, rate_by_keys, saved

pytestmark = [pytest.mark.browser, pytest.mark.processes]
MOST_PRESSES = 8
# A study of five criteria with a rubric, a condition, two checks and a link for a crowd platform.
MOST_PRESSES_OF_FIVE, MOST_CHARACTERS = 25, 500
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
    """Every button, link, menu and file that a user presses; points of a rating are the answer itself."""

    count: int = 0
    characters: int = 0

    def write(self, field: Locator, text: str) -> None:
        self.characters += len(text)
        field.fill(text)

    def press(self, what: Locator) -> None:
        self.count += 1
        what.click()

    def choose(self, menu: Locator, value: str) -> None:
        self.count += 1
        menu.select_option(value)

    def give_file(self, field: Locator, name: str, content: str) -> None:
        self.count += 1
        field.set_input_files({"name": name, "mimeType": "text/csv", "buffer": content.encode()})


def newcomer(context: BrowserContext, demo: Demo, email: str) -> Page:
    """A person with a new account, signed in."""
    printed = demo.installation.manage("add_user", email).stdout
    page = context.new_page()
    page.goto(f"{demo.url}/account/login/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(printed.rpartition("password ")[2].strip())
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("No studies yet.")).to_be_visible()
    return page


def test_from_a_file_of_similes_to_another_persons_first_rating(
    browser: Browser, context: BrowserContext, demo: Demo
) -> None:
    page, hand = newcomer(context, demo, "newcomer@example.org"), Presses()
    hand.press(page.get_by_role("link", name="New study"))
    page.get_by_label("Title").fill("Smells")
    hand.choose(page.get_by_label("Start from"), "hauser")
    hand.give_file(page.get_by_label("Item file", exact=True), "smells.csv", similes())
    hand.press(page.get_by_role("button", name="Create draft"))
    for column, use in (
        ("ref", "item"),
        ("sys", "system"),
        ("plain", "text:literal"),
        ("sim", "text:simile"),
    ):
        expect(page.get_by_label(f"What {column} contains", exact=True)).to_have_value(use)
    hand.press(page.get_by_role("button", name="Import items"))
    expect(page.get_by_text("40 items added from smells.csv.")).to_be_visible()
    hand.press(page.get_by_role("button", name="Open study and create link"))
    link = page.get_by_text(re.compile(r"https?://\S+/join/\S+")).first.inner_text().strip()

    rater_context = browser.new_context()
    rater = rater_context.new_page()
    rater.goto(link)
    hand.press(rater.get_by_role("button", name="I agree – start"))
    at_item(rater, 1)
    rate_by_keys(rater)
    hand.press(rater.get_by_role("button", name="Save and next"))
    saved(rater, 1)
    rater_context.close()
    page.goto(re.sub(r"(/studies/[^/]+/).*", r"\1", page.url))
    expect(page.get_by_text("of 120 responses included")).to_be_visible()
    expect(page.locator(".figure-line .big")).to_have_text("1")
    assert hand.count <= MOST_PRESSES, hand.count


def test_a_study_of_five_criteria_with_checks_and_a_platform_link(
    context: BrowserContext, demo: Demo
) -> None:
    """Each page is reached by what the page before it shows: a button, a point of the list, or a step."""
    page, hand = newcomer(context, demo, "careful@example.org"), Presses()
    hand.press(page.get_by_role("link", name="New study"))
    hand.write(page.get_by_label("Title"), "Lanterns")
    hand.choose(page.get_by_label("Start from"), "blank")
    items = "item,simile\n" + "\n".join(f"L{n},The lamp hung like moon {n}." for n in range(12))
    hand.give_file(page.get_by_label("Item file", exact=True), "lamps.csv", items)
    hand.press(page.get_by_role("button", name="Create draft"))
    write_five_criteria(page, hand)
    hand.press(page.get_by_role("link", name="Attention checks: Add checks"))
    for key in ("check-1", "check-2"):
        hand.press(page.get_by_role("button", name="Add check"))
        expect(page.get_by_role("rowheader", name=key, exact=True)).to_be_visible()
    steps = page.get_by_role("navigation", name="Set up the study")
    hand.press(steps.get_by_role("link", name="Invitation links"))
    hand.choose(page.get_by_label("Kind of link"), "prolific")
    hand.press(page.get_by_role("button", name="Create link", exact=True))
    expect(page.get_by_text("PROLIFIC_PID")).to_be_visible()
    expect(page.get_by_role("term").get_by_text("Completion code")).to_be_visible()
    hand.press(steps.get_by_role("link", name="Check and open"))
    hand.press(page.get_by_role("button", name="Open study", exact=True))
    expect(page.get_by_text("PROLIFIC_PID")).to_be_visible()
    assert hand.count <= MOST_PRESSES_OF_FIVE, hand.count
    assert hand.characters <= MOST_CHARACTERS, hand.characters


def write_five_criteria(page: Page, hand: Presses) -> None:
    """One criterion with a rubric, four more by their names, the last after an answer of at least 4."""
    expect(page.locator("#criterion-0-name")).to_be_focused()
    first = page.locator("#criterion-0")
    hand.write(page.locator("#criterion-0-name"), "Fit")
    hand.write(page.locator("#criterion-0-question"), "How good is it?")
    hand.press(first.get_by_role("button", name="Quality, 1–5"))
    for place, meaning in enumerate(("No sense", "Far-fetched", "Passable", "Apt", "Could not be better")):
        hand.write(page.locator(f"#point-0-{place}-description"), meaning)
    hand.write(
        page.get_by_label("Names of more criteria, one per line"),
        "Novelty: Is it new?\nClarity\nBeauty\nTone",
    )
    hand.press(page.get_by_role("button", name="Add criteria"))
    expect(page.locator("#criterion-1-name")).to_be_focused()
    hand.choose(page.locator("#criterion-4-asked_after"), "fit=4")
    hand.choose(page.locator("#criterion-4-asked_as"), ">=")
    preview = page.locator("#preview")
    expect(preview.get_by_text("Only if Fit is at least “4 Good”.")).to_be_attached()
    for value, shown in (("3", False), ("5", True)):
        preview.locator(f"[data-key=fit] input[value='{value}']").check(force=True)
        expect(preview.locator("[data-key=tone]")).to_be_visible(visible=shown)
    hand.press(page.get_by_role("button", name="Save form"))
    expect(page.get_by_text("5 criteria.")).to_be_visible()
