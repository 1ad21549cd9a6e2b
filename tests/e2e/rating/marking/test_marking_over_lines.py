"""Marks keep their places in a text with line breaks of all kinds, indents and emoji."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.marking.marking_pages import begin, press, ready, stored

pytestmark = [pytest.mark.browser, pytest.mark.processes]

TEXT = "\r\n\tOnce 😀, a lamp:\r\n\r\n\n   it 𝒉ung,\rbright,\r\n\tlike a 𝒎oon.\n\nThe end 👩‍👩‍👧.\r\n"
MAKE = """
import json
from annotation.domain.base.states import StudyState
from annotation.models import User
from annotation.protocols.registry import TEMPLATES
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
study = create_from_template(
    template=TEMPLATES["cmdag_refined"], slug="over-lines", title="Lines", owner=owner, overlap=9
)
fields = {"sentence": json.loads(%r), "before": "-", "after": "-", "earlier": "-"}
add_items(study=study, rows=[NewItem(key="S", fields=fields, metadata={"source": "prose"})])
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + invite(study=study, actor=owner).token)
"""
IN_THE_DATABASE = """
import json
from annotation.models import Rating
found = Rating.objects.filter(criterion__version__form__study__slug="over-lines", criterion__kind="tuples")
latest = found.order_by("-response__pk")[0]
print("FOUND" + json.dumps([latest.content, latest.response.assignment.item.fields["sentence"]]))
"""
# Where each line of the text begins, as it is drawn.
TOPS = """element => {
  const range = document.createRange(), tops = new Set();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest(".mk__l")) continue;
    range.selectNodeContents(node);
    for (const { top, width } of range.getClientRects()) if (width > 1) tops.add(Math.round(top));
  }
  return tops.size;
}"""
made: dict[str, str] = {}


@pytest.fixture
def link(demo: Demo) -> str:
    """An invitation to a study of the one text, made once."""
    if demo.url not in made:
        made[demo.url] = demo.installation.run_script(MAKE % json.dumps(TEXT)).partition("FOUND")[2].strip()
    return f"{demo.url.rstrip('/')}/join/{made[demo.url]}/"


@pytest.fixture
def plain(browser: Browser) -> BrowserContext:
    made = browser.new_context(viewport={"width": 375, "height": 740}, java_script_enabled=False)
    made.set_default_timeout(15_000)
    return made


def in_the_database(demo: Demo) -> dict[str, tuple[str, str]]:
    """By part, the words of the latest answer, and what is at their offsets in the stored text."""
    content, text = json.loads(demo.installation.run_script(IN_THE_DATABASE).partition("FOUND")[2])
    assert text == TEXT
    return {one["part"]: (one["text"], text[one["start"] : one["end"]]) for one in marked_in(content)}


def marked_in(content: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in content if one["start"] is not None]


def select(page: Page, first: str, last: str) -> None:
    """By two taps, from one word to another."""
    page.locator(f".u[data-start='{TEXT.index(first)}']").click()
    if last != first:
        page.locator(f".u[data-end='{TEXT.index(last) + len(last)}']").click()


def test_words_after_line_breaks_are_marked_at_their_position(
    context: BrowserContext, demo: Demo, link: str
) -> None:
    page = context.new_page()
    address = begin(page, link)
    page.get_by_role("radio").first.check()
    assert page.locator(".marked").evaluate(TOPS) == 5
    select(page, "𝒎oon", "𝒎oon")
    press(page, "t")
    select(page, "bright", "like")
    press(page, "v")
    expect(page.locator("[data-part=vehicle] input")).to_have_value("bright, like")
    press(page, "g")
    page.keyboard.insert_text("round")
    press(page, "Enter", "Control+Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert in_the_database(demo) == {
        "tenor": ("𝒎oon", "𝒎oon"),
        "vehicle": ("bright, like", "bright,\r\n\tlike"),
    }
    page.goto(address)
    ready(page)
    shown = {one["part"]: TEXT[one["start"] : one["end"]] for one in marked_in(stored(page))}
    assert shown == {"tenor": "𝒎oon", "vehicle": "bright,\r\n\tlike"}
    assert page.locator(".mk--tenor .u").all_inner_texts() == ["𝒎oon"]


def test_without_scripts_words_are_found_over_line_breaks_and_stay_where_they_were(
    plain: BrowserContext, demo: Demo, link: str
) -> None:
    page = plain.new_page()
    page.goto(link)
    page.get_by_role("button", name="I agree – start").click()
    expect(page).to_have_title(re.compile("^Item 1 of 1"))
    address = page.url
    page.get_by_role("radio").first.check()
    page.get_by_label("Tenor of tuple 1").fill("𝒎oon")
    page.get_by_label("Vehicle of tuple 1").fill("bright, like")
    page.get_by_label("Ground of tuple 1").fill("round")
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    at_first = {"tenor": ("𝒎oon", "𝒎oon"), "vehicle": ("bright, like", "bright,\r\n\tlike")}
    assert in_the_database(demo) == at_first
    page.goto(address)
    page.get_by_label("Tenor of tuple 1").fill("a lamp: it")
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert in_the_database(demo) == at_first | {"tenor": ("a lamp: it", "a lamp:\r\n\r\n\n   it")}
