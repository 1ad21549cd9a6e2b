"""An answer that waits in a browser whose session is lost: the personal link delivers it, once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, begin, rate_by_keys, saved, set_state

pytestmark = [pytest.mark.browser, pytest.mark.processes]

BEFORE = """
from django.utils import timezone
from annotation.models import Rater, Response, Seat
from annotation.services.rating.withdrawal import withdraw
"""
LATEST = 'Rater.objects.filter(simulated=False, kind="person").exclude(consented_at=None).latest("pk")'
LOOK = """
import json
found = {
    "raters": Rater.objects.filter(kind="person").count(),
    "code": rater.code,
    "path": f"/join/{rater.invitation.token}/",
    "answers": [[one.assignment.position, one.revision, one.late] for one in
        Response.objects.filter(assignment__rater=rater).order_by("assignment__position", "revision")],
}
print("FOUND" + json.dumps(found))
"""


def run(demo: Demo, code: str, rater: str = LATEST) -> str:
    """Run code in the installation, with `rater` the one who joined last, or who has this code."""
    return demo.installation.run_script(f"{BEFORE}rater = {rater}\n{code}")


def look(demo: Demo, code: str = "") -> dict[str, Any]:
    rater = f'Rater.objects.get(study__slug="everyday-similes", code="{code}")' if code else LATEST
    found: dict[str, Any] = json.loads(run(demo, LOOK, rater).partition("FOUND")[2])
    return found


def device_storage(page: Page) -> str:
    """What this browser has stored on the device."""
    text: str = page.evaluate("JSON.stringify(Object.entries(localStorage))")
    return text


def lose_the_session(page: Page, demo: Demo) -> dict[str, Any]:
    """Begin, lose every cookie, and save: the answer to item 1 waits in the browser."""
    begin(page, demo)
    assert device_storage(page) == "[]"
    page.context.clear_cookies()
    rate_by_keys(page)
    page.keyboard.press("Enter")
    expect(page.locator("#waiting")).to_be_visible()
    found = look(demo)
    assert found["answers"] == []
    assert found["path"] in device_storage(page)
    return found


@pytest.fixture
def reopened(demo: Demo) -> Iterator[None]:
    """The study is open again afterwards."""
    yield
    set_state(demo, "open")


def test_the_personal_link_delivers_the_answer_and_leaves_nothing_behind(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    before = lose_the_session(page, demo)
    notice = page.locator("#waiting")
    expect(notice).to_contain_text("Your answer is saved on this device but not sent yet.")
    expect(notice).to_contain_text(f"Continue as {before['code']}, or open your personal link.")
    assert "invitation" not in page.locator(".tell").inner_text()
    page.goto(demo.url + before["path"])
    at_item(page, 2)
    expect(page.get_by_text("Answers sent from this device: 1. They are saved.")).to_be_visible()
    page.goto(demo.url + before["path"])
    at_item(page, 2)
    assert look(demo) == {**before, "answers": [[1, 1, False]]}
    assert device_storage(page) == "[]"


def test_the_page_itself_leads_back(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    before = lose_the_session(page, demo)
    page.get_by_role("link", name=f"Continue as {before['code']}").click()
    at_item(page, 2)
    assert look(demo) == {**before, "answers": [[1, 1, False]]}


@pytest.mark.parametrize("where", ["invitation", "lost page"])
def test_the_invitation_link_and_a_lost_page_offer_the_way_back(
    context: BrowserContext, demo: Demo, where: str
) -> None:
    page = context.new_page()
    before = lose_the_session(page, demo)
    page.goto(demo.link if where == "invitation" else page.url)
    way = page.get_by_role("link", name=f"Continue as {before['code']}")
    expect(way).to_be_visible()
    way.click()
    at_item(page, 2)
    assert look(demo) == {**before, "answers": [[1, 1, False]]}


def test_another_person_removes_the_link_and_the_answer_stays_for_its_rater(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    before = lose_the_session(page, demo)
    page.goto(demo.link)
    page.get_by_role("button", name="I am someone else").click()
    assert before["path"] not in device_storage(page)
    page.reload()
    notice = page.get_by_role("alert")
    expect(notice.get_by_text("Open your personal link to send it.")).to_be_visible()
    page.get_by_role("button", name="I agree – start").click()
    at_item(page, 1)
    other = look(demo)
    assert (other["code"] != before["code"], other["answers"]) == (True, [])
    expect(page.locator("#waiting")).to_be_hidden()
    rate_by_keys(page, "111")
    page.keyboard.press("Enter")
    saved(page, 1)
    at_item(page, 2)
    assert look(demo, before["code"])["answers"] == []
    page.goto(demo.url + before["path"])
    at_item(page, 2)
    assert look(demo, before["code"])["answers"] == [[1, 1, False]]
    assert look(demo, other["code"])["answers"] == [[1, 1, False]]


def test_without_a_connection_the_answer_waits_for_the_personal_link(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin(page, demo)
    before = look(demo)
    context.set_offline(True)
    rate_by_keys(page)
    page.keyboard.press("Enter")
    expect(page.locator("#offline")).to_be_visible()
    page.close()
    context.clear_cookies()
    context.set_offline(False)
    page = context.new_page()
    page.goto(demo.url + before["path"])
    at_item(page, 2)
    assert look(demo) == {**before, "answers": [[1, 1, False]]}


AS_VERSION_0_2_STORED_IT = """() => {
  const name = Object.keys(localStorage).find((one) => one.startsWith("outbox:"));
  localStorage.setItem("outbox", JSON.stringify(JSON.parse(localStorage.getItem(name)).answers));
  localStorage.removeItem(name);
}"""


def test_an_answer_stored_by_version_0_2_is_delivered_by_its_rater_alone(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    before = lose_the_session(page, demo)
    page.evaluate(AS_VERSION_0_2_STORED_IT)
    page.reload()
    notice = page.get_by_role("alert").filter(has_text="Your answer is saved on this device")
    expect(notice.get_by_text("Open your personal link to send it.")).to_be_visible()
    page.goto(demo.link)
    page.get_by_role("button", name="I agree – start").click()
    at_item(page, 1)
    other = look(demo)
    rate_by_keys(page, "111")
    page.keyboard.press("Enter")
    saved(page, 1)
    at_item(page, 2)
    assert look(demo, before["code"])["answers"] == []
    assert "answer-quality" in device_storage(page)
    page.goto(demo.url + before["path"])
    at_item(page, 2)
    expect(page.get_by_text("Answers sent from this device: 1. They are saved.")).to_be_visible()
    assert look(demo, before["code"]) == {**before, "raters": other["raters"], "answers": [[1, 1, False]]}
    assert look(demo, other["code"])["answers"] == [[1, 1, False]]
    assert device_storage(page) == "[]"


TAKEN = """
item = rater.assignments.get(position=1).item
for seat in Seat.objects.filter(item=item).exclude(state="filled"):
    other = Rater.objects.create(study=rater.study, code=f"S-{seat.pk}", kind="slot")
    Seat.objects.filter(pk=seat.pk).update(state="filled", rater=other, until=None)
"""


def test_an_answer_that_comes_after_its_reservation_is_stored_as_late(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    before = lose_the_session(page, demo)
    run(demo, TAKEN)
    page.goto(demo.url + before["path"])
    expect(page.get_by_text("Answers sent from this device: 1.")).to_be_visible()
    assert look(demo) == {**before, "answers": [[1, 1, True]]}


def test_an_item_answered_on_another_device_meanwhile_is_shown_again_with_the_reason(
    browser: Browser, context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    before = lose_the_session(page, demo)
    elsewhere = browser.new_context()
    second = elsewhere.new_page()
    second.goto(demo.url + before["path"])
    at_item(second, 1)
    rate_by_keys(second, "111")
    second.keyboard.press("Enter")
    at_item(second, 2)
    elsewhere.close()
    page.goto(demo.url + before["path"])
    at_item(page, 1)
    notice = page.locator("#undelivered")
    expect(notice).to_contain_text("An answer waiting on this device was not saved.")
    expect(notice).to_contain_text("changed in another tab")
    expect(page.locator("input[name=answer-quality][value='4']")).to_be_checked()
    assert look(demo) == {**before, "answers": [[1, 1, False]]}
    assert device_storage(page) == "[]"


@pytest.mark.usefixtures("reopened")
def test_a_paused_study_takes_the_answer_that_waited(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    before = lose_the_session(page, demo)
    set_state(demo, "paused")
    page.goto(demo.url + before["path"])
    expect(page.get_by_text("Answers sent from this device: 1.")).to_be_visible()
    expect(page.get_by_text("This study is paused")).to_be_visible()
    expect(page.get_by_text("Your 1 answer is saved.")).to_be_visible()
    assert look(demo) == {**before, "answers": [[1, 1, False]]}


@pytest.mark.usefixtures("reopened")
def test_a_closed_study_says_that_the_answer_came_too_late(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    before = lose_the_session(page, demo)
    set_state(demo, "closed")
    page.goto(demo.url + before["path"])
    notice = page.locator("#undelivered")
    expect(notice).to_contain_text("An answer waiting on this device was not saved.")
    expect(notice).to_contain_text("This study is closed. Your saved answers are kept.")
    assert look(demo) == before
    assert device_storage(page) == "[]"


def test_who_has_withdrawn_leaves_neither_answer_nor_link_behind(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    before = lose_the_session(page, demo)
    run(demo, "withdraw(rater=rater)")
    page.goto(demo.url + before["path"])
    expect(page.get_by_role("heading", name="You have withdrawn")).to_be_visible()
    expect(page.locator("#undelivered")).to_contain_text("was not saved. You withdrew from this study on")
    assert look(demo)["answers"] == []
    assert device_storage(page) == "[]"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_way_back_fits_a_narrow_phone(browser: Browser, demo: Demo, scheme: Any) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    page = context.new_page()
    lose_the_session(page, demo)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.goto(demo.link)
    expect(page.get_by_role("button", name="I am someone else")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()
