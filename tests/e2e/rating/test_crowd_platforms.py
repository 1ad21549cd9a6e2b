"""Whole sittings of people who come from a crowd platform; the test plays the platform's own pages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.support.outside.crowd_platform import Platform

pytestmark = [pytest.mark.browser, pytest.mark.processes]

MAKE = """
from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import StudyState
from annotation.models import Study, User
from annotation.protocols.hauser import HAUSER
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
study = create_from_template(template=HAUSER, slug="crowd", title="Crowd", owner=owner, overlap=2)
add_items(study=study, rows=[
    NewItem(key=f"i{n}", fields={"literal": "It rained.", "simile": f"It rained like drums {n}."})
    for n in range(3)
])
change_state(study=study, to=StudyState.OPEN, actor=owner)
prolific = invite(study=study, actor=owner, platform=Platform.OTHER, cap=1, person_param="PROLIFIC_PID",
    task_param="STUDY_ID", session_param="SESSION_ID", completion_code="DONE", screenout_code="OUT",
    completion_url="PLATFORM/complete?cc={code}", screenout_url="PLATFORM/complete?cc={code}")
turk = invite(study=study, actor=owner, platform=Platform.MTURK)
print("TOKENS", prolific.token, turk.token)
"""


@pytest.fixture(scope="module")
def links(platform: Platform, demo: Demo) -> dict[str, str]:
    printed = demo.installation.run_script(MAKE.replace("PLATFORM", platform.origin))
    tokens = re.search(r"TOKENS (\S+) (\S+)", printed)
    assert tokens, printed
    return {"other": f"{demo.url}/join/{tokens[1]}/", "turk": f"{demo.url}/join/{tokens[2]}/"}


def rate_everything(page: Page, number: int = 3) -> None:
    for place in range(1, number + 1):
        expect(page).to_have_title(re.compile(f"^Item {place} of "), timeout=20_000)
        page.locator("html.has-script").wait_for(state="attached")
        for step, key in enumerate("435"):
            if step:
                page.keyboard.press("ArrowDown")
            page.keyboard.press(key)
        page.keyboard.press("Enter")


def test_a_sitting_from_a_platform_with_completion_and_screen_out(
    context: BrowserContext, platform: Platform, links: dict[str, str]
) -> None:
    page = context.new_page()
    page.goto(f"{links['other']}?PROLIFIC_PID=p1&STUDY_ID=s&SESSION_ID=x")
    page.get_by_role("button", name="I agree – start").click()
    rate_everything(page)
    page.get_by_role("link", name="Back to the platform").click()
    expect(page).to_have_title("Platform")
    assert platform.received[-1] == ("/complete", {"cc": ["DONE"]})
    page.goto(f"{links['other']}?PROLIFIC_PID=p2&STUDY_ID=s&SESSION_ID=y")
    expect(page.get_by_text("This link has reached its maximum")).to_be_visible()
    page.get_by_role("link", name="Back to the platform").click()
    expect(page).to_have_title("Platform")
    assert platform.received[-1] == ("/complete", {"cc": ["OUT"]})


def test_a_mechanical_turk_sitting_from_preview_to_submission(
    context: BrowserContext, platform: Platform, links: dict[str, str]
) -> None:
    work = f"hitId=H1&turkSubmitTo={platform.origin}"
    page = context.new_page()
    platform.framed = f"{links['turk']}?{work}&assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE".replace("&", "&amp;")
    page.goto(platform.origin)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_text("This is a preview.")).to_be_visible()
    expect(frame.get_by_role("button", name="I agree – start")).to_have_count(0)
    platform.framed = f"{links['turk']}?{work}&assignmentId=S1&workerId=A1".replace("&", "&amp;")
    page.goto(platform.origin)
    with context.expect_page() as opened:
        page.frame_locator("iframe").get_by_role("link", name="Open the task in a new window").click()
    task = opened.value
    task.get_by_role("button", name="I agree – start").click()
    rate_everything(task)
    task.get_by_role("button", name="Submit on Mechanical Turk").click()
    expect(task).to_have_title("Received")
    path, sent = platform.received[-1]
    assert (path, sent["assignmentId"], sent["answers"]) == ("/mturk/externalSubmit", ["S1"], ["3"])
