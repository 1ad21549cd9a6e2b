"""A text keeps its line breaks and blank lines on every page that shows it; a long word wraps."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, StorageState, expect

from tests.e2e.demo import Demo
from tests.e2e.verses import LINES, READER

pytestmark = [pytest.mark.browser, pytest.mark.processes]
MAKE = 'import json; from tests.e2e.verses import make; print("FOUND" + json.dumps(make()))'
WIDTHS = (360, 1280)
BEGUN = "mmmmmmmmmm" * 5
# A drawn text keeps its carriage returns, which take no room: offsets count them.
PLAIN = LINES.replace("\r\n", "\n")
MEMBERS = {
    "items": "studies/verse/items/",
    "item": "studies/verse/items/I-0/",
    "disagreement": "studies/verse/disagreement/",
    "adjudication queue": "studies/verse/adjudication/",
    "case": "studies/verse/adjudication/{case}/",
    "overview": "studies/verses/",
    "form preview": "studies/verses/settings/forms/similes/",
    "qualification": "studies/verses/qualification/",
    "group round": "studies/verses/qualification/round/",
    "consent": "studies/verses/settings/consent/",
    "scored items": "studies/scored-verse/scores/items/?run={run}",
    "scored item": "studies/scored-verse/scores/items/G0000-0/?run={run}",
    "groups by scores": "studies/scored-verse/scores/groups/?run={run}",
}
# The smallest visible elements that hold a text, without the labels under marked parts of it.
HOLDING = """([first, last]) => {
  for (const label of document.querySelectorAll(".mk__l")) label.style.display = "none";
  // Beside a story, a criterion shows its texts when it is in hand.
  const criteria = document.querySelectorAll("fieldset.criterion");
  for (const criterion of criteria) criterion.style.visibility = "visible";
  const never = "script, style, template, textarea, select, noscript, svg, title, .vh";
  const read = (one) => {
    const copy = one.cloneNode(true);
    for (const other of copy.querySelectorAll(never)) other.remove();
    return copy.textContent;
  };
  const holding = [...document.body.querySelectorAll("*")].filter((one) => !one.closest(never)
    && one.textContent.includes(first) && read(one).includes(first) && read(one).includes(last));
  const smallest = holding.filter((one) => one.checkVisibility()
    && !holding.some((other) => other !== one && one.contains(other)));
  const found = smallest.map((one) => {
    let block = one;
    while (getComputedStyle(block).display === "inline") block = block.parentElement;
    return {
      where: `${one.tagName.toLowerCase()}.${one.className}`,
      shown: one.innerText,
      paragraphs: one.querySelector("p, br") !== null,
      lines: block.getBoundingClientRect().height / parseFloat(getComputedStyle(block).lineHeight),
      over: block.scrollWidth - block.clientWidth,
    };
  });
  for (const criterion of criteria) criterion.style.visibility = "";
  return found;
}"""
OVER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# A sheet of A4 in CSS pixels: on paper a table does not scroll, and no sheet is as narrow as a phone.
PAPER = 794
made: dict[str, dict[str, str]] = {}
members: dict[str, StorageState] = {}


@pytest.fixture
def places(demo: Demo) -> dict[str, str]:
    """What tells where the pages are, made once."""
    if demo.url not in made:
        made[demo.url] = json.loads(demo.installation.run_script(MAKE).partition("FOUND")[2])
    return made[demo.url]


def wide(browser: Browser, width: int, state: StorageState | None = None) -> Page:
    page = browser.new_context(viewport={"width": width, "height": 900}, storage_state=state).new_page()
    page.set_default_timeout(15_000)
    return page


def signed_in(browser: Browser, demo: Demo, address: str) -> StorageState:
    """The cookies of a member, who signs in once: log-ins are limited by the minute."""
    if demo.url not in members:
        page = wide(browser, 1280)
        page.goto(address)
        page.get_by_label("Email").fill(READER)
        page.get_by_label("Password").fill("groundwork-demo")
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator(".head__end .menu")).to_be_visible()
        members[demo.url] = page.context.storage_state()
        page.context.close()
    return members[demo.url]


def holding(page: Page, first: str, last: str) -> list[dict[str, Any]]:
    page.wait_for_load_state("domcontentloaded")
    found: list[dict[str, Any]] = page.evaluate(HOLDING, [first, last])
    return found


def check_lines(page: Page) -> int:
    """Every text with lines shows all of them, and nothing around it; how many there are."""
    found = holding(page, "Once, a lamp:", "The end.")
    for one in found:
        if one["paragraphs"]:
            shown = [line.strip() for line in one["shown"].split("\n") if line.strip()]
            begin = shown.index("Once, a lamp:")
            assert shown[begin : begin + 4] == ["Once, a lamp:", "it hung,", "bright,", "like a moon."], one
        else:
            assert PLAIN in one["shown"].replace("\r\n", "\n"), one
            assert one["lines"] > PLAIN.count("\n"), one
    return len(found)


def check_word(page: Page) -> int:
    """The long word is broken wherever it is shown; how often that is."""
    found = holding(page, BEGUN, BEGUN)
    assert [one for one in found if one["over"] > 0] == []
    assert page.evaluate(OVER) <= 0
    return len(found)


@pytest.mark.parametrize("name", MEMBERS)
def test_members_see_the_lines_of_a_text_and_a_long_word_wraps(
    browser: Browser, demo: Demo, places: dict[str, str], name: str
) -> None:
    address = f"{demo.url}/{MEMBERS[name].format(**places)}"
    for width in WIDTHS:
        page = wide(browser, width, signed_in(browser, demo, address))
        page.goto(address)
        for medium in ("screen", "print"):
            page.emulate_media(media=medium)
            if medium == "print":
                page.set_viewport_size({"width": max(width, PAPER), "height": 900})
            assert check_lines(page) > 0
            check_word(page)
        page.context.close()


def links_within(page: Page, study: str) -> set[str]:
    """Where a page leads within its study, without what is asked of the pages there."""
    found = page.locator("a[href]").evaluate_all("all => all.map((one) => one.href.split(/[?#]/)[0])")
    return {one for one in found if one.startswith(study)}


def opens_as_page(page: Page, address: str) -> bool:
    """Open an address; false where it leads to a file."""
    try:
        answer = page.goto(address)
    except Error as refused:
        if "Download is starting" not in refused.message:
            raise
        return False
    assert answer is not None
    return answer.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    "slug", ["verse", *(pytest.param(slug, marks=pytest.mark.slow) for slug in ("verses", "scored-verse"))]
)
def test_no_page_of_a_study_is_wider_than_a_phone_for_a_long_word(
    browser: Browser, demo: Demo, places: dict[str, str], slug: str
) -> None:
    study = f"{demo.url}/studies/{slug}/"
    page = wide(browser, 375, signed_in(browser, demo, study))
    waiting, seen, showing = {study}, set[str](), 0
    while waiting:
        address = waiting.pop()
        seen.add(address)
        if not opens_as_page(page, address):
            continue
        assert page.evaluate(OVER) <= 0, address
        showing += bool(holding(page, BEGUN, BEGUN))
        waiting |= links_within(page, study) - seen
    assert len(seen) > 30
    assert showing >= 3, "the long word is on too few pages for this test to say anything"
    page.context.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_rater_sees_the_lines_of_every_text_from_joining_to_rating(
    browser: Browser, demo: Demo, places: dict[str, str], width: int
) -> None:
    page = wide(browser, width)
    page.goto(f"{demo.url}/join/{places['rate']}/")
    assert (check_lines(page), check_word(page)) >= (4, 1)
    page.get_by_role("button", name="I agree – start").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Verses")
    assert (check_lines(page), check_word(page)) == (1, 1)
    page.get_by_role("button", name="I have read this – continue").click()
    seen = []
    for number, quality in enumerate((5, 1, 3, 4), start=1):
        expect(page).to_have_title(re.compile(f"^Calibration item {number} of 4"))
        seen.append((check_lines(page), check_word(page)))
        answer(page, quality)
        expect(page.get_by_role("heading", level=1)).to_have_text("Your answer and the reference value")
        assert check_lines(page) + check_word(page) >= 2
        page.get_by_role("link", name=re.compile("Next item|Show result")).click()
    page.get_by_role("link", name="Start rating").click()
    for number in (1, 2):
        expect(page).to_have_title(re.compile(f"^Item {number} of 2"))
        seen.append((check_lines(page), check_word(page)))
        page.emulate_media(media="print")
        assert check_lines(page) + check_word(page) >= 2
        page.emulate_media(media="screen")
        if number == 1:
            answer(page, 3)
    # Two texts of the item, and in the form a question, a rubric and options.
    assert all(lines + words >= 5 for lines, words in seen)
    assert {lines > words for lines, words in seen} == {True, False}
    if not page.get_by_role("link", name="Instructions").is_visible():
        page.locator(".menu summary").click()
    page.get_by_role("link", name="Instructions").click()
    assert (check_lines(page), check_word(page)) >= (2, 1)
    page.context.close()


def answer(page: Page, quality: int) -> None:
    page.locator("html.has-script").wait_for(state="attached")
    # Next to a long text, a criterion shows after the one before it is answered.
    for place, (name, value) in enumerate((("quality", quality), ("creativity", 3), ("kind", "a"))):
        if place and page.locator(".steps").is_visible():
            page.locator("[data-onward]").click()
        page.locator(f"input[name=answer-{name}][value='{value}']").check()
    page.get_by_role("button", name="Save and next").click()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_text_to_mark_tuples_in_shows_its_lines_and_offsets_count_them(
    browser: Browser, demo: Demo, places: dict[str, str], width: int
) -> None:
    page = wide(browser, width)
    page.goto(f"{demo.url}/join/{places['mark']}/")
    page.get_by_role("button", name="I agree – start").click()
    page.locator("html.has-script").wait_for(state="attached")
    assert check_lines(page) >= 1
    check_word(page)
    page.get_by_role("radio").first.check()
    if page.locator(".u").count() == 0:
        page.locator("[data-marked-text]").click()
    units = page.locator(".u").evaluate_all(
        "all => all.map((one) => [Number(one.dataset.start), Number(one.dataset.end), one.textContent])"
    )
    assert units
    assert all(LINES[start:end] == text for start, end, text in units)
    assert check_lines(page) >= 1
    page.context.close()
