"""Tuples are marked in a sentence by keyboard alone and by touch, saved, opened again and corrected."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from playwright.sync_api import Browser, BrowserContext, Page, expect

from annotation.domain.questions.marked_text import marked_text
from annotation.domain.questions.tuples import marks_text
from tests.e2e.demo import Demo
from tests.e2e.rating.marking.marking_pages import begin, press, ready, stored
from tests.e2e.sentences import ENGLISH, SENTENCES, Sentence, chinese
from tests.support.running.published_data import find_published_data
from tests.support.studies.marked_texts import marked

pytestmark = [pytest.mark.browser, pytest.mark.processes]

MAKE = """
import json
from dataclasses import replace
from annotation.domain.base.states import StudyState
from annotation.models import User
from annotation.protocols.registry import TEMPLATES
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
template = TEMPLATES["cmdag_refined"]
(form,) = template.forms
criteria = [replace(one, settings={}) for one in form.criteria]
plain = replace(template, forms=(replace(form, criteria=criteria),))
tokens = {}
for slug, text in json.loads(%r).items():
    made = plain if slug == "plain" else template
    study = create_from_template(template=made, slug=f"marking-{slug}", title=slug, owner=owner, overlap=9)
    fields = {"sentence": text, "before": "-", "after": "-", "earlier": "-"}
    add_items(study=study, rows=[NewItem(key="S", fields=fields, metadata={"source": "prose"})])
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    tokens[slug] = invite(study=study, actor=owner).token
print("FOUND" + json.dumps(tokens))
"""
LANGUAGES = ["en", pytest.param("zh", marks=pytest.mark.published_data)]
made: dict[str, dict[str, str]] = {}


@pytest.fixture
def links(demo: Demo) -> dict[str, str]:
    """An invitation to a study of one sentence for each language, made once."""
    if demo.url not in made:
        texts = {"en": ENGLISH, "plain": ENGLISH}
        if find_published_data() is not None:
            texts["zh"] = chinese().text
        tokens = json.loads(demo.installation.run_script(MAKE % json.dumps(texts)).partition("FOUND")[2])
        made[demo.url] = {slug: f"{demo.url.rstrip('/')}/join/{token}/" for slug, token in tokens.items()}
    return made[demo.url]


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    context.set_default_timeout(15_000)
    yield context
    context.close()


def reopened(page: Page, address: str) -> int:
    """The revision that the page shows."""
    expect(page.get_by_role("heading", name="Done. Thank you!")).to_be_visible()
    page.goto(address)
    ready(page)
    # Hidden until its condition was met, but asked on the page before already.
    expect(page.locator(".criterion__new")).to_have_count(0)
    return int(page.locator("[name=seen_revision]").input_value())


def select_by_keys(page: Page, sentence: Sentence, words: str) -> None:
    start, end = sentence.span(words)
    inside = [place for place, unit in enumerate(sentence.units()) if start <= unit[0] and unit[1] <= end]
    press(page, "Home", *["ArrowRight"] * inside[0], *["Shift+ArrowRight"] * (len(inside) - 1))
    expect(page.get_by_text(f"Selected: “{words}”")).to_be_visible()


def select_by_taps(page: Page, sentence: Sentence, words: str) -> None:
    start, end = sentence.span(words)
    inside = [unit for unit in sentence.units() if start <= unit[0] and unit[1] <= end]
    page.locator(f".u[data-start='{inside[0][0]}']").tap()
    if len(inside) > 1:
        page.locator(f".u[data-end='{inside[-1][1]}']").tap()
    expect(page.get_by_text(f"Selected: “{words}”")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_tuples_by_keyboard_alone(context: BrowserContext, links, language: str) -> None:
    sentence = SENTENCES[language]()
    page = context.new_page()
    address = begin(page, links[language])
    press(page, "1", "ArrowDown")
    for tenor, vehicle, ground in sentence.tuples:
        select_by_keys(page, sentence, tenor)
        press(page, "t")
        select_by_keys(page, sentence, vehicle)
        press(page, "v", "g")
        page.keyboard.insert_text(ground)
        press(page, "Enter")
    expect(page.get_by_role("list", name="Tuples in this text").get_by_role("listitem")).to_have_count(2)
    # Words that are selected and are no part yet are not lost without a word.
    if language == "en":
        press(page, "End", "Control+Enter")
        expect(page.get_by_text(re.compile("^Not saved yet: “.+” is selected"))).to_be_visible()
        assert page.url == address
    press(page, "Control+Enter")
    assert reopened(page, address) == 1
    assert stored(page) == sentence.marks()

    while page.evaluate("document.activeElement.textContent").strip() != "Edit tuple 2":
        press(page, "Tab")
    press(page, "Enter")
    corrected = sentence.tuples[0][1]
    select_by_keys(page, sentence, corrected)
    press(page, "v")
    expect(page.get_by_text(f"Vehicle of tuple 2: “{corrected}”")).to_be_visible()
    press(page, "u")
    assert stored(page) == sentence.marks()
    select_by_keys(page, sentence, corrected)
    press(page, "v", "Enter", "Control+Enter")
    assert reopened(page, address) == 2
    (found,) = [one for one in stored(page) if (one["tuple"], one["part"]) == (2, "vehicle")]
    assert (found["start"], found["end"]) == sentence.span(corrected)


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_tuples_by_touch_on_a_phone(phone: BrowserContext, links, language: str) -> None:
    sentence = SENTENCES[language]()
    page = phone.new_page()
    address = begin(page, links[language])
    page.get_by_text("Yes", exact=True).first.tap()
    for number, (tenor, vehicle, ground) in enumerate(sentence.tuples, start=1):
        for part, words in (("Tenor", tenor), ("Vehicle", vehicle)):
            select_by_taps(page, sentence, words)
            page.get_by_role("button", name=part, exact=True).tap()
        if number == 2:
            page.reload()
            ready(page)
            expect(page.locator("[data-part=vehicle] input")).to_have_value(vehicle)
        page.locator("[data-part=ground] input").last.fill(ground)
        page.get_by_role("button", name=f"Add tuple {number}").tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Save and next").tap()
    assert reopened(page, address) == 1
    assert stored(page) == sentence.marks()
    page.get_by_role("button", name="Remove tuple 1").tap()
    page.get_by_role("button", name="Save and next").tap()
    assert reopened(page, address) == 2
    assert stored(page) == [{**one, "tuple": 1} for one in sentence.marks() if one["tuple"] == 2]


def test_missing_parts_are_named_and_parallel_parts_become_tuples(context: BrowserContext, links) -> None:
    page = context.new_page()
    begin(page, links["en"])
    page.get_by_text("Yes", exact=True).first.click()
    fields = {part: page.locator(f"[data-part={part}] input").last for part in ("tenor", "vehicle", "ground")}
    fields["tenor"].fill("Her patience；every excuse")
    page.keyboard.press("Enter")
    needs = page.get_by_text("Tuple 1 still needs: vehicle, ground.")
    expect(needs.and_(page.locator(".is-error"))).to_be_visible()
    expect(needs).to_be_in_viewport()
    page.get_by_role("button", name="Save and next").click()
    expect(needs).to_be_visible()
    expect(page.get_by_text("Write at least one complete tuple")).to_be_hidden()
    fields["vehicle"].fill("a long bridge;a toll")
    fields["ground"].fill("crossing")
    whole = page.locator("[data-lack]")
    expect(whole).to_have_text("Tuple 1 is complete. The ground should be an adjective and a noun.")
    page.locator("[data-adjective]").fill("slow")
    expect(whole).to_have_text("Tuple 1 is complete.")
    page.locator("[data-adjective]").fill("")
    fields["ground"].fill("slow 感觉")
    expect(page.get_by_text("“感觉” is too general")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 tuples added, matched by position.")).to_be_visible()
    assert [(one["start"], one["end"]) for one in stored(page) if one["part"] == "vehicle"] == [
        (16, 29),
        (48, 54),
    ]
    # A tuple that is half made is named, though there are whole ones.
    fields["tenor"].fill("Her patience")
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text("Tuple 3 still needs: vehicle, ground.")).to_be_visible()
    expect(page.get_by_text("Write at least one complete tuple")).to_be_hidden()
    page.get_by_text("No", exact=True).click()
    expect(page.locator(".marked .mk")).to_have_count(0)
    context.close()


@pytest.mark.slow
def test_words_are_dragged_over_added_and_taken_back(context: BrowserContext, links) -> None:
    page = context.new_page()
    begin(page, links["en"])
    page.get_by_text("Yes", exact=True).first.click()
    for first, last, button in (
        ("a", "bridge", "Vehicle"),
        ("toll", "toll", "Add the selected words to Vehicle"),
    ):
        boxes = [
            page.locator(".u", has_text=re.compile(f"^{word}$")).first.bounding_box()
            for word in (first, last)
        ]
        assert boxes[0]
        assert boxes[1]
        page.mouse.move(boxes[0]["x"] + 1, boxes[0]["y"] + boxes[0]["height"] / 2)
        page.mouse.down()
        page.mouse.move(
            boxes[1]["x"] + boxes[1]["width"] - 1, boxes[1]["y"] + boxes[1]["height"] / 2, steps=3
        )
        page.mouse.up()
        page.get_by_role("button", name=button, exact=True).click()
    spans = [(one["start"], one["end"], one["text"]) for one in stored(page)]
    assert spans == [(16, 29, "a long bridge toll"), (50, 54, "a long bridge toll")]
    page.get_by_role("button", name="Only implied? Write it: Vehicle").click()
    assert [one["start"] for one in stored(page)] == [None]
    for _ in range(2):
        page.get_by_role("button", name="Undo").click()
    assert [(one["start"], one["end"]) for one in stored(page)] == [(16, 29)]


def test_without_scripts_wordings_are_located_and_unchanged_ones_keep_their_places(
    browser: Browser, links
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(links["en"])
    page.get_by_role("button", name="I agree – start").click()
    address = page.url
    page.get_by_role("radio", name="Yes", exact=True).check()
    words = {
        "Tenor": "Her patience;every excuse",
        "Vehicle": "a long bridge;a toll",
        "Ground": "wait | slow crossing",
    }
    for part, wording in words.items():
        page.get_by_label(f"{part} of tuple 1").fill(wording)
    page.get_by_role("button", name="Save and next").click()
    page.goto(address)
    expect(page.get_by_label("Ground of tuple 2")).to_have_value("wait | slow crossing")
    page.get_by_label("Tenor of tuple 2").fill("")
    page.get_by_role("button", name="Save and next").click()
    page.goto(address)
    found = json.loads(page.locator("[data-stored]").input_value())
    assert [(one["tuple"], one["part"], one["start"], one["end"]) for one in found] == [
        (1, "tenor", 0, 12),
        (1, "vehicle", 16, 29),
        (1, "ground", None, None),
        (1, "ground", None, None),
        (2, "vehicle", 48, 54),
        (2, "ground", None, None),
        (2, "ground", None, None),
    ]
    context.close()


@pytest.mark.slow
def test_plain_rows_are_added_removed_and_survive_a_reload(phone: BrowserContext, links) -> None:
    page = phone.new_page()
    begin(page, links["plain"])
    expect(page.get_by_label("Tenor of tuple 1")).to_be_hidden()
    page.get_by_text("Yes", exact=True).first.tap()
    for _ in range(2):
        page.get_by_role("button", name="Add tuple").tap()
    page.get_by_label("Tenor of tuple 3").fill("Tenor of the third row")
    page.reload()
    ready(page)
    expect(page.get_by_label("Tenor of tuple 2")).to_have_value("Tenor of the third row")
    page.get_by_role("button", name="Remove tuple 1").tap()
    expect(page.get_by_label("Tenor of tuple 1")).to_have_value("Tenor of the third row")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


COMPUTED = """async ([text, stored]) => {
  const marks = await import("/static/js/rating/kinds/tuples/marked-text.js");
  const state = await import("/static/js/rating/kinds/tuples/tuple-state.js");
  const names = ["tenor", "vehicle", "ground"].map((name) => ({ name, label: name, css: name }));
  const tuples = state.tuplesFrom(stored);
  const element = document.createElement("p");
  marks.draw(element, text, marks.unitsOf(text, "characters", ""), state.spansOf(tuples, names));
  element.querySelectorAll(".mk__l").forEach((label) => label.remove());
  return {
    length: marks.length(text),
    stored: state.stored(tuples, ["tenor", "vehicle", "ground"]),
    laid: marks.laidOut(text, state.spansOf(tuples, names)).map(
      ({ part, start, line, row, label }) => [start, part, line, row, label]),
    drawn: element.textContent,
    units: marks.unitsOf(text, "characters", "").map(({ start, end }) => marks.slice(text, start, end)),
  };
}"""


def test_offsets_in_the_browser_are_those_of_the_server(context: BrowserContext, links) -> None:
    """Astral characters, combining marks, right-to-left text: any text, any spans."""
    page = context.new_page()
    begin(page, links["en"])

    @given(marked())
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    def agree(given_marks: tuple[str, list[dict[str, Any]]]) -> None:
        text, marks = given_marks
        found = page.evaluate(COMPUTED, [text, marks_text(marks)])
        assert found["length"] == len(text)
        assert json.loads(found["stored"]) == marks
        # A carriage return alone is drawn as a line break, in the same place.
        assert found["drawn"] == re.sub("\r(?!\n)", "\n", text)
        assert "".join("".join(found["units"]).split()) == "".join(text.split())
        assert sorted(found["laid"]) == sorted(laid_out(text, marks))

    agree()


def laid_out(text: str, marks: Sequence[dict[str, Any]]) -> list[list[Any]]:
    """Where each span begins, with line, row and label as the server shows them."""
    found = []
    place = 0
    for piece in marked_text(text, marks_text(marks)).pieces:
        found += [[place, one.part, one.line, one.row, one.label] for one in piece.marks if one.label]
        place += len(piece.text)
    return found


def test_a_changed_wording_is_marked_where_it_occurs_and_keeps_its_mark_where_it_does_not(
    context: BrowserContext, links
) -> None:
    sentence = SENTENCES["en"]()
    page = context.new_page()
    begin(page, links["en"])
    page.get_by_text("Yes", exact=True).first.click()
    vehicle, tenor = sentence.tuples[0][1], sentence.tuples[0][0]
    page.locator(".marked").focus()
    select_by_keys(page, sentence, vehicle)
    press(page, "v")
    field = page.locator("[data-part=vehicle] input")
    for wording, expected in ((tenor, tenor), ("what nobody wrote", tenor), (vehicle, vehicle)):
        field.fill(wording)
        press(page, "Tab")
        (found,) = stored(page)
        assert found["text"] == wording
        assert (found["start"], found["end"]) == sentence.span(expected)
