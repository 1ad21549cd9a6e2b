"""Each protocol with its demo items, from the page that makes the study to the export of a whole sitting."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from annotation.protocols.registry import TEMPLATES
from tests.e2e.demo import Demo

pytestmark = [pytest.mark.browser, pytest.mark.processes]

# Pages of one sitting, and how many of them are planted checks.
SITTINGS = {
    "hauser": (10, 0),
    "hanna": (7, 1),
    "creativity_tests": (4, 0),
    "story_pairs": (6, 0),
    "miyazawa": (21, 1),
    "simile_probing": (6, 0),
    "simile_probing_components": (6, 0),
    "simile_probing_categories": (6, 0),
    "preference": (12, 0),
    "preference_ties": (12, 0),
    "adaptive_pairs": (10, 0),
    "best_worst_novelty": (24, 0),
    "error_spans": (12, 0),
    "image_captions": (6, 0),
    "cmdag_preliminary": (6, 0),
    "cmdag_refined": (6, 0),
    "cmdag": (8, 0),
}
Answers = list[tuple[str, str]]
signed_in: dict[str, Any] = {}


@pytest.fixture
def owner(browser: Browser, demo: Demo) -> Iterator[Page]:
    """The owner, signed in once for all tests: log-ins are limited by the minute."""
    context = browser.new_context(storage_state=signed_in.get(demo.url))
    context.set_default_timeout(15_000)
    page = context.new_page()
    if demo.url not in signed_in:
        page.goto(f"{demo.url}/account/login/")
        page.get_by_label("Email").fill("owner@example.org")
        page.get_by_label("Password").fill("groundwork-demo")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="My studies")).to_be_visible()
        signed_in[demo.url] = context.storage_state()
    yield page
    context.close()


def make_open_and_invite(page: Page, demo: Demo, protocol: str, title: str) -> str:
    """The link of a study that was made with demo items, opened, and given a link, all on its pages."""
    page.goto(f"{demo.url}/studies/new/")
    page.get_by_label("Title").fill(title)
    page.get_by_label("Start from").select_option(protocol)
    page.get_by_label("Add demo items").check()
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_role("heading", name="Check and open")).to_be_visible()
    if TEMPLATES[protocol].least_seconds:
        without_least_time(page)
    page.get_by_role("button", name="Open study and create link").click()
    link = page.get_by_text(re.compile(r"https?://\S+/join/\S+")).first
    return str(link.inner_text()).strip()


def without_least_time(page: Page) -> None:
    """No test waits for a clock."""
    checklist = page.url
    page.goto(re.sub(r"(/studies/[^/]+/).*", r"\1settings/texts/", checklist))
    page.get_by_label("Minimum page time (seconds)").fill("")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Draft saved.")).to_be_visible()
    page.goto(checklist)


def join(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="I agree – start").click()


def at_item(page: Page, number: int) -> None:
    expect(page).to_have_title(re.compile(f"^Item {number} of "), timeout=20_000)
    page.locator("html.has-script").wait_for(state="attached")


def asked(page: Page) -> list[Locator]:
    return page.locator("fieldset.criterion:visible").all()


def key_and_kind(criterion: Locator) -> tuple[str, str]:
    return str(criterion.get_attribute("data-key")), str(criterion.get_attribute("data-kind"))


def answer_page(page: Page, number: int) -> Answers:
    """Answer what is asked, criterion by criterion, since an answer may lead to more."""
    given: Answers = []
    place = 0
    while place < len(asked(page)):
        criterion = asked(page)[place]
        key, kind = key_and_kind(criterion)
        given.append((key, ANSWERING[kind](page, criterion, number + place)))
        place += 1
    return given


def choose(page: Page, criterion: Locator, number: int) -> str:
    """By mouse and by keyboard in turn."""
    points = criterion.locator("input").all()
    point = points[number % len(points)]
    if number % 2:
        points[0].focus()
        page.keyboard.press(str(point.get_attribute("data-keyboard")))
    else:
        point.locator("xpath=..").click()
    expect(point).to_be_checked()
    return str(point.get_attribute("value"))


def choose_two(page: Page, criterion: Locator, number: int) -> str:
    points = criterion.locator("input").all()
    chosen = sorted({number % len(points), (number + 3) % len(points)})
    points[0].focus()
    page.keyboard.press(str(points[chosen[0]].get_attribute("data-keyboard")))
    points[chosen[1]].locator("xpath=..").click()
    return "|".join(str(points[place].get_attribute("value")) for place in chosen)


def write(page: Page, criterion: Locator, number: int) -> str:
    words = f"words | {number}"
    criterion.locator("textarea").fill(words)
    return words


def write_tuples(page: Page, criterion: Locator, number: int) -> str:
    """One tuple, or two, each added by keyboard; words that do not occur in the text are not located."""
    rows = 1 + number % 2
    parts = ("tenor", "vehicle", "ground")
    for row in range(1, rows + 1):
        for part in parts:
            criterion.locator(f"[data-part={part}] input").last.fill(f"{part} {number}.{row}")
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"Tuple {row} added.")).to_be_visible()
    return json.dumps(
        [
            {"tuple": row, "part": part, "start": None, "end": None, "text": f"{part} {number}.{row}"}
            for row in range(1, rows + 1)
            for part in parts
        ]
    )


def choose_ends(page: Page, criterion: Locator, number: int) -> str:
    """The best by keyboard and the worst by mouse."""
    page.keyboard.press(f"Digit{1 + number % 4}")
    criterion.locator("[data-choice=worst]").nth((number + 1) % 4).locator("xpath=..").click()
    best, worst = (
        str(criterion.locator(f"[data-choice={choice}]:checked").get_attribute("value"))
        for choice in ("best", "worst")
    )
    between = "=".join(letter for letter in "abcd" if letter not in (best, worst))
    return f"{best}>{between}>{worst}"


def mark_error(page: Page, criterion: Locator, number: int) -> str:
    """The first word or character by keyboard; on every third page there is no error."""
    page.locator("[data-marked-text]").focus()
    for key in ("n",) if number % 3 == 0 else ("Home", "2", "m"):
        page.keyboard.press(key)
    marks = json.loads(criterion.locator("[data-stored]").input_value())
    text = json.loads(page.locator("[data-marked-text]").get_attribute("data-marked-text") or "")
    return json.dumps([{**one, "text": text[one["start"] : one["end"]]} for one in marks], ensure_ascii=False)


def place(page: Page, criterion: Locator, number: int) -> str:
    criterion.locator("input[type=number]").fill(str(number))
    return str(number)


ANSWERING = {
    "errors": mark_error,
    "slider": place,
    "likert": choose,
    "binary": choose,
    "choice": choose,
    "preference": choose,
    "multiple": choose_two,
    "best_worst": choose_ends,
    "text": write,
    "tuples": write_tuples,
}


def exported(page: Page, folder: Path) -> list[dict[str, str]]:
    page.goto(re.sub(r"(/studies/[^/]+/).*", r"\1exports/", page.url))
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile(r"^Download .*\(CSV\)$")).click()
    path = folder / "ratings.csv"
    download.value.save_as(path)
    return list(csv.DictReader(path.open(encoding="utf-8", newline="")))


def test_every_protocol_has_a_sitting_here():
    # That in stages takes several people at once: tests/concurrency/test_two_stages.py.
    assert {*SITTINGS, "cmdag_stages"} == set(TEMPLATES)


EVERY_DAY = {"hauser", "simile_probing", "cmdag_refined"}


@pytest.mark.parametrize(
    "protocol",
    [pytest.param(key, marks=() if key in EVERY_DAY else pytest.mark.slow) for key in SITTINGS],
)
def test_a_whole_sitting_is_rated_and_exported(
    owner: Page, context: BrowserContext, demo: Demo, tmp_path: Path, protocol: str
) -> None:
    link = make_open_and_invite(owner, demo, protocol, f"Sitting of {protocol}")
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    join(page, link)
    pages, checks = SITTINGS[protocol]
    given: Answers = []
    planted = 0
    for number in range(1, pages + 1):
        at_item(page, number)
        answers = answer_page(page, number)
        if [key for key, _ in answers] == ["answer"]:
            planted += 1
        else:
            given += answers
        page.get_by_role("button", name="Save and next").press("Enter")
    expect(page.get_by_role("heading", name="Done. Thank you!")).to_be_visible(timeout=20_000)
    rows = exported(owner, tmp_path)
    assert Counter((row["criterion"], row["value"]) for row in rows) == Counter(given)
    assert len({(row["item"], row["form"]) for row in rows}) == pages - checks
    assert planted == checks
    assert problems == []


def test_tuples_and_what_depends_on_an_answer_work_without_scripts(
    owner: Page, browser: Browser, demo: Demo, tmp_path: Path
) -> None:
    link = make_open_and_invite(owner, demo, "cmdag_refined", "Without scripts")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    join(page, link)
    expect(page.get_by_text("Only if Metaphor is “Yes”.")).to_be_visible()
    page.get_by_role("radio", name="Yes", exact=True).check()
    page.get_by_label("Tenor of tuple 1").fill("她的笑声")
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text("Tuple 1 has no vehicle, ground")).to_be_visible()
    for part, words in {"Vehicle": "铃铛", "Ground": "清脆的声音"}.items():
        page.get_by_label(f"{part} of tuple 1").fill(words)
    page.get_by_role("button", name="Save and next").click()
    expect(page).to_have_title(re.compile("^Item 2 of "))
    page.get_by_role("radio", name="No", exact=True).check()
    for part in ("Tenor", "Vehicle", "Ground"):
        page.get_by_label(f"{part} of tuple 1").fill("written before No was chosen")
    page.get_by_role("button", name="Save and next").click()
    expect(page).to_have_title(re.compile("^Item 3 of "))
    context.close()
    rows = exported(owner, tmp_path)
    assert Counter(row["criterion"] for row in rows) == {"metaphor": 2, "tuples": 1}
    (tuples,) = [json.loads(row["value"]) for row in rows if row["criterion"] == "tuples"]
    assert [one["text"] for one in tuples] == ["她的笑声", "铃铛", "清脆的声音"]
