"""Nouns in two fields; the preview of a form and the page of a case are marked as raters mark."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from annotation.domain.questions.tuples import wordings_of
from tests.e2e.demo import Demo
from tests.e2e.rating.marking.marking_pages import begin, press, ready, stored

pytestmark = [
    pytest.mark.browser,
    pytest.mark.processes,
    pytest.mark.slow,
]

ENGLISH = "The city at dusk is an orchestra tuning up, and the river at its side a slow conductor."
HEBREW = "הזיכרון הוא גג דולף."
MAKE = """
import json
from dataclasses import replace
from annotation.domain.base.states import StudyState
from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.adjudication.case_selection import send_items
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
from tests.support.studies.marked_study import make_marked_study
owner = User.objects.get(email="owner@example.org")
template = TEMPLATES["cmdag_refined"]
(form,) = template.forms
nouns = TupleSettings(marked=("tenor", "vehicle"), optional=("tenor",), adjective_noun=("ground",),
    nouns=("pace", "control"), general_nouns=("feeling",), refuse_general=True)
criteria = [replace(one, settings=nouns.stored() if one.key == "tuples" else {}) for one in form.criteria]
made = replace(template, forms=(replace(form, criteria=criteria),))
tokens = {}
for slug, text in json.loads(%r).items():
    study = create_from_template(template=made, slug=f"nouns-{slug}", title=slug, owner=owner, overlap=9)
    add_items(study=study, rows=[NewItem(key="S", fields={"sentence": text, "earlier": "-"}, metadata={})])
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    tokens[slug] = invite(study=study, actor=owner).token
differing = make_marked_study("differing")
Study.objects.filter(pk=differing.pk).update(state=StudyState.CLOSED)
differing.refresh_from_db()
send_items(study=differing, keys=["s1"], actor=User.objects.get(email="differing@example.org"))
tokens["case"] = differing.cases.get().pk
print("FOUND" + json.dumps(tokens))
"""
made: dict[str, dict[str, str]] = {}


@pytest.fixture
def found(demo: Demo) -> dict[str, str]:
    """The invitations to two studies, and the address of a case, made once."""
    if demo.url not in made:
        printed = demo.installation.run_script(MAKE % json.dumps({"en": ENGLISH, "he": HEBREW}))
        values = json.loads(printed.partition("FOUND")[2])
        url = demo.url.rstrip("/")
        case = f"{url}/studies/differing/adjudication/{values.pop('case')}/"
        made[demo.url] = {slug: f"{url}/join/{token}/" for slug, token in values.items()} | {"case": case}
    return made[demo.url]


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    context.set_default_timeout(15_000)
    yield context
    context.close()


def sign_in(page: Page, address: str, email: str, password: str) -> None:
    page.goto(address)
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.locator("html.has-script").wait_for(state="attached")


def test_a_noun_that_says_too_little_is_refused_before_it_is_sent_and_another_is_offered(
    context: BrowserContext, found
) -> None:
    page = context.new_page()
    address = begin(page, found["en"])
    page.get_by_text("Yes", exact=True).first.click()
    noun = page.get_by_label("Ground: noun")
    offered = page.locator(f"#{noun.get_attribute('list')} option")
    assert [one.get_attribute("value") for one in offered.all()] == ["pace", "control"]
    page.locator(".marked").focus()
    press(page, "End", "ArrowLeft", "Shift+ArrowLeft", "v", "g")
    page.keyboard.insert_text("steady")
    press(page, "Tab")
    page.keyboard.insert_text("feeling")
    expect(page.get_by_text("“feeling” is too general").last).to_be_visible()
    description = "“feeling” is too general. Name the shared property. pace control"
    expect(noun).to_have_accessible_description(description)
    # A hint while it is written, an error only where the rater was done.
    hint = page.locator("[data-general-noun]")
    expect(hint).not_to_have_class(re.compile("is-error"))
    expect(noun).not_to_have_attribute("aria-invalid", "true")
    for refused in ("Add tuple 1", "Save and next"):
        page.get_by_role("button", name=refused).click()
        expect(noun).to_be_focused()
        expect(noun).to_have_attribute("aria-invalid", "true")
        expect(hint).to_have_class(re.compile("is-error"))
        assert page.url == address
    page.reload()
    ready(page)
    expect(noun).to_have_value("feeling")
    page.get_by_role("button", name="control", exact=True).click()
    expect(noun).to_be_focused()
    press(page, "Enter")
    expect(page.get_by_text("Tuple 1 added.")).to_be_visible()
    press(page, "Control+Enter")
    expect(page.get_by_role("heading", name="Done. Thank you!")).to_be_visible()
    page.goto(address)
    ready(page)
    (wordings,) = wordings_of(json.dumps(stored(page))).values()
    start = ENGLISH.index("slow conductor")
    assert wordings == {
        "vehicle": {"slow conductor": [(start, start + len("slow conductor"))]},
        "ground": {"steady control": []},
    }


def test_next_to_tuples_the_keys_of_the_options_work_and_the_selected_word_is_in_view(
    context: BrowserContext, found
) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 1280, "height": 500})
    begin(page, found["en"])
    yes, no = (page.get_by_role("radio", name=name, exact=True) for name in ("Yes", "No"))
    yes.check()
    page.locator(".marked").focus()
    press(page, "2")
    expect(no).to_be_checked()
    press(page, "1")
    expect(yes).to_be_checked()
    page.locator(".marked").focus()
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    press(page, "ArrowRight")
    expect(page.locator(".is-cursor").first).to_be_in_viewport()


def test_labels_stay_within_the_text_and_leave_its_direction(phone: BrowserContext, found) -> None:
    page = phone.new_page()
    begin(page, found["en"])
    page.get_by_text("Yes", exact=True).first.tap()
    for unit in page.locator(".u:not(:text-matches('^ '))").all()[:12]:
        unit.tap()
        page.get_by_role("button", name="Tenor", exact=True).tap()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    begin(page, found["he"])
    page.get_by_text("Yes", exact=True).first.tap()
    first = page.locator(".u").first
    first.tap()
    page.get_by_role("button", name="Tenor", exact=True).tap()
    expect(page.locator(".marked .mk__l")).to_have_count(1)
    expect(page.locator(".marked")).to_have_css("direction", "rtl")
    word, label = first.bounding_box(), page.locator(".mk__l > span").bounding_box()
    assert word
    assert label
    assert abs(word["x"] + word["width"] - label["x"] - label["width"]) < 2


def test_the_preview_of_a_form_is_marked_as_the_page_is(context: BrowserContext, demo: Demo, found) -> None:
    page = context.new_page()
    address = f"{demo.url.rstrip('/')}/studies/nouns-en/settings/forms/refined/"
    sign_in(page, address, "owner@example.org", "groundwork-demo")
    preview = page.get_by_role("region", name="Preview of the rating page")
    for title in ("Another title", "A third title"):
        expect(preview.get_by_label("Ground: noun")).to_be_hidden()
        preview.get_by_text("Yes", exact=True).first.click()
        preview.locator(".marked").focus()
        press(page, "ArrowRight", "Shift+ArrowRight", "t")
        expect(preview.locator("[data-part=tenor] input")).to_have_value("The city")
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            page.get_by_label("Title", exact=True).fill(title)
        expect(preview.locator(".mk")).to_have_count(2)


def test_an_adjudicator_marks_the_final_tuples_beginning_from_an_annotation(
    context: BrowserContext, found
) -> None:
    page = context.new_page()
    sign_in(page, found["case"], "differing@example.org", "simile-and-metaphor-42")
    page.get_by_role("button", name="Copy A into the final answer").click()
    expect(page.locator(".copied")).to_have_text("copied from A")
    page.locator("html.has-script").wait_for(state="attached")
    before = wordings_of(json.dumps(stored(page)))
    here = page.url
    page.get_by_role("button", name="Edit tuple 1").click()
    expect(page.locator(".marked.is-markable")).to_be_focused()
    press(page, "a", "n", "Home", "Shift+ArrowRight", "v")
    assert page.url == here
    press(page, "Enter")
    page.get_by_role("button", name="Save final answer, open next").click()
    expect(page.locator(".messages")).to_contain_text("s1 decided.")
    page.goto(found["case"])
    page.locator("html.has-script").wait_for(state="attached")
    after = wordings_of(json.dumps(stored(page)))
    assert after == before | {1: before[1] | {"vehicle": {"记忆": [(0, 2)]}}}
