"""What is new on the page that follows is marked and read aloud, though the page around it was replaced."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, begin, rate_by_keys
from tests.e2e.rating.stillness.layout_shifts import Stillness

pytestmark = [pytest.mark.browser, pytest.mark.processes]

# Two criteria, each on a page of its own, of the same items.
MAKE = """
from annotation.domain.base.states import StudyState
from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.split_by_criterion import split_by_criterion
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
study = create_from_template(template=split_by_criterion(TEMPLATES["hauser"]),
    slug=f"split-{Study.objects.count()}",
    title="One question a page", owner=owner, overlap=9)
add_items(study=study, rows=[NewItem(key="one", fields={
    "literal": "It rained.", "simile": "It rained like drums.", "vehicle": "drums"})])
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + invite(study=study, actor=owner).token)
"""
SPOKEN = "#announcer"


def announced(page: Page, words: str) -> None:
    expect(page.locator(SPOKEN)).to_have_text(words)


def test_what_was_saved_is_read_aloud_on_the_page_that_follows(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    rate_by_keys(page)
    page.keyboard.press("Enter")
    at_item(page, 2)
    announced(page, "Item 1 saved")
    region = page.locator(SPOKEN).evaluate_handle("(one) => one")
    expect(page.locator("h1")).to_be_focused()
    expect(page.locator(".criterion__new")).to_have_count(0)
    rate_by_keys(page)
    page.keyboard.press("Enter")
    at_item(page, 3)
    announced(page, "Item 2 saved")
    # A region that came with the page would not be read: this one is the same element still.
    assert region.evaluate("(one) => one.isConnected && one.getAttribute('role') === 'status'")


def test_a_changed_question_is_marked_and_read_aloud(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    still = Stillness(page)
    token = demo.installation.run_script(MAKE).partition("FOUND")[2].strip()
    page.goto(f"{demo.url.rstrip('/')}/join/{token}/")
    page.get_by_role("button", name="I agree – start").click()
    at_item(page, 1)
    expect(page.locator(".criterion__new")).to_have_count(0)
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    at_item(page, 2)
    name = page.locator(".criterion__name").inner_text()
    expect(page.locator(".criterion__new")).to_have_text("New question")
    expect(page.get_by_role("group", name=f"New question {name}")).to_be_visible()
    announced(page, f"Item 1 saved. New question: {name}")
    assert still.shifts() == []
    page.reload()
    page.locator("html.has-script").wait_for(state="attached")
    expect(page.locator(".criterion__new")).to_have_count(0)


def test_in_japanese_it_is_read_aloud_as_one_sentence_of_the_language(browser: Browser, demo: Demo) -> None:
    context = browser.new_context(locale="ja")
    page = context.new_page()
    token = demo.installation.run_script(MAKE).partition("FOUND")[2].strip()
    page.goto(f"{demo.url.rstrip('/')}/join/{token}/")
    page.get_by_role("button", name="同意して始める").click()
    page.locator("html.has-script").wait_for(state="attached")
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    expect(page.locator(".criterion__new")).to_have_text("新しい質問")
    announced(page, f"1件目を保存しました。新しい質問：{page.locator('.criterion__name').inner_text()}")
    context.close()


CHECK = """
from annotation.domain.base.states import StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.models import User
from annotation.protocols.registry import TEMPLATES
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.quality.checks import create_check, create_check_form
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
study = create_from_template(template=TEMPLATES["hauser"], slug="checked", title="Checked",
    owner=owner, overlap=9, check_every=2)
texts = {"literal": "It rained.", "simile": "It rained like drums."}
add_items(study=study, rows=[NewItem(key=f"i{n}", fields=texts) for n in range(4)])
form = create_check_form(study=study, question="What rained like drums?", options=["It", "He"])
create_check(study=study, actor=owner, key="it", kind=CheckKind.KNOWLEDGE, form=form,
    settings={"right": "It"}, texts=texts)
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + invite(study=study, actor=owner).token)
"""


def test_after_a_check_with_a_question_of_its_own_known_questions_are_not_new(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    token = demo.installation.run_script(CHECK).partition("FOUND")[2].strip()
    page.goto(f"{demo.url.rstrip('/')}/join/{token}/")
    page.get_by_role("button", name="I agree – start").click()
    at_item(page, 1)
    pages, marked = [], []
    for number in range(1, 6):
        at_item(page, number)
        names = page.locator(".criterion__name").all_inner_texts()
        pages.append(len(names))
        marked.append(page.locator(".criterion__new").count())
        rate_by_keys(page, "1" if len(names) == 1 else "435")
        page.keyboard.press("Enter")
    place = pages.index(1)
    assert place in {1, 2, 3}, "the check is followed by an item"
    assert marked == [int(at == place) for at in range(5)]
