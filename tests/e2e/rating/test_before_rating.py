"""From the warning to the first saved answer: consent, questions, and a page that takes its time."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo

pytestmark = [pytest.mark.browser, pytest.mark.processes]

LEAST = 10
MAKE = """
from annotation.domain.people.demographics import RaterQuestion, DemographicKind
from annotation.domain.base.states import StudyState
from annotation.models import Study, User
from annotation.protocols.hauser import HAUSER
from annotation.services.people.demographics import set_questions
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
study = create_from_template(template=HAUSER, slug="SLUG", title="Warned", owner=owner, overlap=9,
    content_warning="Some of the similes are about death.", least_seconds=LEAST, exempt_characters=5)
add_items(study=study, rows=[
    NewItem(key=f"i{n}", fields={"literal": "It rained.", "simile": f"It rained like drums {n}."})
    for n in range(3)
])
set_questions(study=study, actor=owner, questions=[
    RaterQuestion("age", "How old are you?", DemographicKind.NUMBER),
    RaterQuestion("reads", "How often do you read?", DemographicKind.CHOICE, ("often", "seldom", "never")),
    RaterQuestion("tongue", "What is your first language?", DemographicKind.TEXT),
])
change_state(study=study, to=StudyState.OPEN, actor=owner)
print("TOKEN", invite(study=study, actor=owner).token)
"""
LOOK = """
import json
from annotation.models import Rater
rater = Rater.objects.filter(study__slug="SLUG", consented_at__isnull=False).latest("pk")
answers = rater.demographic_answers.values_list("question__key", "value", "declined")
responses = [r for a in rater.assignments.order_by("position") for r in a.responses.all()]
print("FOUND" + json.dumps({"consent": rater.consent_number, "about": list(answers),
    "rated": [[r.assignment.position, r.revision, r.seconds, r.hurried_after] for r in responses]}))
"""
CHANGE = """
from annotation.models import Study, User
from annotation.services.people.consent import change_text
change_text(study=Study.objects.get(slug="SLUG"), actor=User.objects.get(email="owner@example.org"),
    text="You agree to a little more.")
"""


def shell(demo: Demo, script: str, slug: str) -> str:
    filled = script.replace("SLUG", slug).replace("LEAST", str(LEAST))
    return demo.installation.run_script(filled)


def study_at(demo: Demo, slug: str) -> str:
    token = re.search(r"TOKEN (\S+)", shell(demo, MAKE, slug))
    assert token is not None
    return f"{demo.url}/join/{token[1]}/"


def found(demo: Demo, slug: str) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(shell(demo, LOOK, slug).partition("FOUND")[2])
    return stored


def agree(page: Page, link: str) -> None:
    page.goto(link)
    warning = page.get_by_role("region", name="Content warning")
    expect(warning).to_contain_text("about death")
    expect(page.get_by_text(f"Please take at least {LEAST} seconds for each page")).to_be_visible()
    page.get_by_role("button", name="I agree – start").click()
    expect(page).to_have_title(re.compile("^About you"))


def say_who(page: Page) -> None:
    page.get_by_label("How old are you?").fill("34")
    page.get_by_label("seldom").check()
    page.get_by_role("button", name="Save and continue").click()
    expect(page.get_by_role("alert")).to_contain_text("Not saved")
    expect(page.get_by_label("seldom")).to_be_checked()
    page.get_by_role("group", name="What is your first language?").get_by_label("Prefer not to say").check()
    page.get_by_role("button", name="Save and continue").click()
    expect(page).to_have_title(re.compile("^Item 1 of "))


def choose(page: Page, value: int) -> None:
    for name in ("quality", "creativity", "informativeness"):
        page.locator(f"input[name=answer-{name}][value='{value}']").check()


def test_from_the_warning_to_an_answer_that_takes_its_time(context: BrowserContext, demo: Demo) -> None:
    link, page = study_at(demo, "warned"), context.new_page()
    agree(page, link)
    say_who(page)
    page.locator("html.has-script").wait_for(state="attached")
    save = page.get_by_role("button", name="Save and next")
    left = page.locator("[data-countdown]")
    expect(left).to_have_text(re.compile(r"^\d+ s$"))
    expect(save).to_have_class(re.compile("is-early"))
    # It does not look as a button does that waits to be pressed.
    expect(save).to_have_css("border-top-style", "dashed")
    choose(page, 4)
    save.click()
    expect(page.get_by_role("alert").first).to_contain_text(f"needs at least {LEAST} seconds")
    expect(page.locator("input[name=answer-quality][value='4']")).to_be_checked()
    assert found(demo, "warned")["rated"] == []
    expect(page.get_by_text("You can save now.")).to_be_visible(timeout=30_000)
    expect(left).to_have_text("")
    expect(save).not_to_have_class(re.compile("is-early"))
    expect(save).to_have_css("border-top-style", "solid")
    save.click()
    expect(page).to_have_title(re.compile("^Item 2 of "))
    stored = found(demo, "warned")
    assert stored["about"] == [["age", "34", False], ["reads", "seldom", False], ["tongue", "", True]]
    ((position, revision, seconds, hurried),) = stored["rated"]
    assert (position, revision, stored["consent"]) == (1, 1, 1)
    assert hurried < LEAST <= seconds
    shell(demo, CHANGE, "warned")
    page.reload()
    expect(page).to_have_title(re.compile("^Consent"))
    expect(page.get_by_text("You agree to a little more.")).to_be_visible()
    page.get_by_role("button", name="I agree – continue").click()
    expect(page).to_have_title(re.compile("^Item 2 of "))
    assert found(demo, "warned")["consent"] == 2


@pytest.mark.slow
def test_the_same_way_on_a_narrow_phone_without_scripts(browser: Browser, demo: Demo) -> None:
    link = study_at(demo, "narrow")
    context = browser.new_context(java_script_enabled=False, viewport={"width": 320, "height": 640})
    page = context.new_page()
    agree(page, link)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    say_who(page)
    choose(page, 2)
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_role("alert")).to_contain_text(f"needs at least {LEAST} seconds")
    expect(page.locator("input[name=answer-quality][value='2']")).to_be_checked()
    choose(page, 3)
    while page.title().startswith("Item 1 of "):
        page.get_by_role("button", name="Save and next").click()
    expect(page).to_have_title(re.compile("^Item 2 of "))
    ((_, revision, seconds, _),) = found(demo, "narrow")["rated"]
    assert revision == 1
    assert seconds >= LEAST
    context.close()
