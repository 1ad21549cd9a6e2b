"""Raters qualify in a real browser: by figures at the second try, and by a researcher's approval."""

from __future__ import annotations

import itertools
import json
import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo

pytestmark = [pytest.mark.browser, pytest.mark.processes]

MAKE = """
from annotation.domain.quality.calibration import RuleKind
from annotation.domain.base.states import StudyState
from annotation.models import User
from annotation.protocols.hauser import HAUSER
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.quality.qualification_setup import add_calibration_item, set_qualification
from annotation.services.quality.qualification_setup import write_page
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
tokens = []
# By hand, for the raters of several tests, in whatever order these come.
for slug, overlap, kind, rule in (
    ("by-figures", 1, RuleKind.NEAR, {"tolerance": 1, "share": 1, "attempts": 2}),
    ("by-hand", 9, RuleKind.HAND, {"feedback": False}),
):
    study = create_from_template(template=HAUSER, slug=slug, title=slug.capitalize(), owner=owner,
        overlap=overlap)
    add_items(study=study, rows=[
        NewItem(key="i1", fields={"literal": "It rained.", "simile": "It rained like drums."})
    ])
    made = set_qualification(study=study, actor=owner, kind=kind, **rule)
    for title in ("What a simile is", "What to look for"):
        write_page(qualification=made, actor=owner, title=title, text="It rained like {vehicle:drums}.")
    for value in (1, 5):
        texts = {"literal": "It was loud.", "simile": f"Loud as {value}."}
        add_calibration_item(qualification=made, actor=owner, form=study.forms.get(), texts=texts,
            reference={"quality": value}, reason=f"Because of {value}.")
    change_state(study=study, to=StudyState.OPEN, actor=owner)
    tokens.append(invite(study=study, actor=owner, label=slug).token)
print("TOKENS", *tokens)
"""

LOOK = """
import itertools
import json
from annotation.models import Response, Seat
rows = Response.objects.filter(assignment__rater__study__slug="by-figures").order_by("pk")
print("FOUND" + json.dumps([[r.assignment.purpose, r.revision, Seat.objects.filter(
    form__study__slug="by-figures", state="filled").count()] for r in rows]))
"""


@pytest.fixture(scope="module")
def links(demo: Demo) -> dict[str, str]:
    tokens = re.search(r"TOKENS (\S+) (\S+)", demo.installation.run_script(MAKE))
    assert tokens
    base = demo.url.rstrip("/")
    return {"figures": f"{base}/join/{tokens[1]}/", "hand": f"{base}/join/{tokens[2]}/"}


def begin(page: Page, link: str) -> None:
    """Agree and read both background pages, leaving in between."""
    page.goto(link)
    expect(
        page.get_by_text(
            "First, you read 2 background pages. Before you start, you rate 2 calibration items to qualify."
        )
    ).to_be_visible()
    page.get_by_role("button", name="I agree – start").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What a simile is")
    page.get_by_role("button", name="Next page").click()
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_have_text("What to look for")
    page.get_by_role("button", name="I have read this – continue").click()


def calibrate(page: Page, number: int, quality: int) -> None:
    expect(page).to_have_title(re.compile(f"^Calibration item {number} of 2"), timeout=20_000)
    page.locator("html.has-script").wait_for(state="attached")
    expect(page.get_by_text(f"Calibration item {number} of 2", exact=True)).to_be_visible()
    rate(page, quality)


def rate(page: Page, quality: int) -> None:
    for place, key in enumerate(f"{quality}35"):
        if place:
            page.keyboard.press("ArrowDown")
        page.keyboard.press(key)
    page.keyboard.press("Enter")


def test_a_rater_fails_tries_again_passes_and_rates(
    context: BrowserContext, demo: Demo, links: dict[str, str]
) -> None:
    page = context.new_page()
    begin(page, links["figures"])
    calibrate(page, 1, 5)
    expect(page.get_by_role("row", name="Quality 5 1 no")).to_be_visible()
    expect(page.get_by_text("Because of 1.")).to_be_visible()
    page.get_by_role("link", name="Next item").click()
    calibrate(page, 2, 5)
    page.get_by_role("link", name="Show result").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Result")
    expect(
        page.get_by_text("1 of 2 values are within 1 of the reference value (required: at least 100%).")
    ).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    calibrate(page, 1, 2)
    page.get_by_role("link", name="Next item").click()
    calibrate(page, 2, 4)
    page.get_by_role("link", name="Show result").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("You have qualified")
    page.get_by_role("link", name="Start rating").click()
    expect(page).to_have_title(re.compile("^Item 1 of 1"), timeout=20_000)
    page.locator("html.has-script").wait_for(state="attached")
    rate(page, 3)
    expect(page.get_by_role("heading", level=1)).to_have_text("Done. Thank you!")
    found = json.loads(demo.installation.run_script(LOOK).partition("FOUND")[2])
    assert found == [["qualification", 1, 1]] * 4 + [["main", 1, 1]]


def test_a_trial_without_scripts_is_approved_by_hand(
    browser: Browser, context: BrowserContext, demo: Demo, links: dict[str, str]
) -> None:
    plain = browser.new_context(java_script_enabled=False)
    page = plain.new_page()
    begin(page, links["hand"])
    for number in (1, 2):
        expect(page).to_have_title(re.compile(f"^Calibration item {number} of 2"))
        for name in ("quality", "creativity", "informativeness"):
            page.locator(f"input[name=answer-{name}][value='3']").check()
        page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for approval")
    researcher = context.new_page()
    researcher.goto(f"{demo.url.rstrip('/')}/studies/by-hand/qualification/")
    researcher.get_by_label("Email").fill("owner@example.org")
    researcher.get_by_label("Password").fill("groundwork-demo")
    researcher.get_by_role("button", name="Sign in").click()
    researcher.get_by_role("link", name="Trial annotations: 1 waiting").click()
    researcher.get_by_label("Reason").fill("Cautious, and consistent.")
    researcher.get_by_role("button", name=re.compile("^Approve R-")).click()
    expect(researcher.get_by_text(re.compile(r"^R-\d+ approved\.$"))).to_be_visible()
    expect(researcher.get_by_text("No trial annotations are waiting.")).to_be_visible()
    page.get_by_role("link", name="Check again").click()
    expect(page).to_have_title(re.compile("^Item 1 of 1"))
    plain.close()


@pytest.mark.parametrize("width", [360, 375])
def test_on_a_japanese_phone_the_count_of_calibration_items_is_whole(
    browser: Browser, links: dict[str, str], width: int
) -> None:
    page = browser.new_page(locale="ja-JP", viewport={"width": width, "height": 740})
    page.goto(links["hand"])
    for _ in range(3):
        with page.expect_navigation(wait_until="load"):
            page.locator("main button[type=submit], main .btn--main").first.click()
    for position in (1, 2):
        count = page.locator(".head__end .num")
        expect(count).to_contain_text(f"キャリブレーション {position}/2", use_inner_text=True)
        assert count.evaluate("(one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= 48")
        # Next to it, the saved state and Undo each have their own position.
        boxes = [one.bounding_box() for one in page.locator(".head__end > *").all()]
        edges = [(box["x"], box["x"] + box["width"]) for box in boxes if box]
        assert all(left[1] <= right[0] for left, right in itertools.pairwise(edges)), edges
        state = page.locator(".head__end .state")
        assert state.evaluate("(one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= 48")
        if position == 1:
            for name in ("quality", "creativity", "informativeness"):
                page.locator(f"input[name=answer-{name}][value='3']").check()
            with page.expect_response(lambda answer: answer.request.method == "POST"):
                page.locator(".rate__actions button[type=submit]").click()
    page.close()
