"""A rater leaves while pages are fetched ahead or answers wait: unsent answers are reported, none is lost."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.keeping.pages_ahead import (
    LATEST,
    Refusing,
    begin_with_pages_ahead,
    save_item,
    stored,
    waiting_answers,
)
from tests.e2e.rating.rating_pages import at_item, begin, saved

pytestmark = [pytest.mark.browser, pytest.mark.processes]

RECEIVED = "All answers that we have received are saved."
LOOK = """
import json
from annotation.models import Rater, Seat
rater = {rater}
print("FOUND" + json.dumps({{
    "code": rater.code,
    "path": f"/join/{{rater.invitation.token}}/",
    "given": list(rater.assignments.order_by("position").values_list("pk", flat=True)),
    "reserved": Seat.objects.filter(rater=rater, state="reserved").count(),
}}))
"""


def look(demo: Demo) -> dict[str, Any]:
    """The rater who joined last: their code, link, pages in order, and how many slots are reserved."""
    printed = demo.installation.run_script(LOOK.format(rater=LATEST))
    found: dict[str, Any] = json.loads(printed.partition("FOUND")[2])
    return found


def two_answers_wait(context: BrowserContext, demo: Demo) -> tuple[Page, Refusing]:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    server = Refusing(page, 503)
    for number in (1, 2):
        save_item(page, number)
    at_item(page, 3)
    expect(page.locator("#busy")).to_contain_text("Answers waiting on this device: 2.")
    return page, server


def test_after_a_pause_the_pages_fetched_ahead_come_in_the_same_sequence(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    before = look(demo)["given"]
    page.get_by_role("link", name="Pause").click()
    expect(page.get_by_text(f"Paused. {RECEIVED}")).to_be_visible()
    page.get_by_role("link", name="Continue rating").click()
    for number in (1, 2, 3):
        save_item(page, number)
    at_item(page, 4)
    saved(page, 3)
    after = look(demo)
    assert after["given"][:3] == before
    assert [row[:2] for row in stored(demo)] == [(1, 1), (2, 1), (3, 1)]
    assert after["reserved"] <= 3


def test_the_pause_page_says_what_is_unsent_and_sends_it_when_it_can(
    context: BrowserContext, demo: Demo
) -> None:
    page, server = two_answers_wait(context, demo)
    page.get_by_role("link", name="Pause").click()
    expect(page.get_by_text(f"Paused. {RECEIVED}")).to_be_visible()
    expect(page.locator("#busy")).to_contain_text("Answers waiting on this device: 2.")
    assert (waiting_answers(page), stored(demo)) == (2, [])
    server.recover()
    sent = page.get_by_text("Answers sent from this device: 2. They are saved.")
    expect(sent).to_be_visible(timeout=15_000)
    expect(page.get_by_text(re.compile(r"2 of \d+ items saved"))).to_be_visible()
    assert (waiting_answers(page), [row[:2] for row in stored(demo)]) == (0, [(1, 1), (2, 1)])
    page.get_by_role("link", name="Continue rating").click()
    at_item(page, 3)


def test_who_withdraws_reads_before_and_after_what_becomes_of_the_answers_that_wait(
    context: BrowserContext, demo: Demo
) -> None:
    page, server = two_answers_wait(context, demo)
    assert look(demo)["reserved"] == 3
    page.get_by_role("link", name="Pause").click()
    page.get_by_role("link", name="Withdraw from the study").click()
    notice = page.locator("#kept-answers")
    expect(notice).to_contain_text("Answers waiting on this device: 2.")
    expect(notice).to_contain_text(
        "If you withdraw, they are not sent, and they are deleted from this device."
    )
    server.recover()
    tried = len(server.tried)
    page.get_by_role("button", name="Withdraw from the study").click()
    expect(page.locator("#undelivered")).to_contain_text("was not saved. You withdrew from this study on")
    assert (waiting_answers(page), stored(demo), len(server.tried)) == (0, [], tried)
    assert look(demo)["reserved"] == 0


def test_who_does_not_withdraw_after_all_loses_nothing(context: BrowserContext, demo: Demo) -> None:
    page, server = two_answers_wait(context, demo)
    page.get_by_role("link", name="Pause").click()
    page.get_by_role("link", name="Withdraw from the study").click()
    expect(page.locator("#kept-answers")).to_be_visible()
    server.recover()
    page.get_by_role("link", name="Cancel").click()
    at_item(page, 3)
    assert (waiting_answers(page), [row[:2] for row in stored(demo)]) == (0, [(1, 1), (2, 1)])


def test_another_rater_in_this_browser_sends_and_sees_nothing_of_the_first(
    context: BrowserContext, demo: Demo
) -> None:
    page, other = context.new_page(), context.new_page()
    begin_with_pages_ahead(page, demo)
    first = look(demo)
    context.clear_cookies()
    begin(other, demo)
    second = look(demo)
    assert second["code"] != first["code"]
    for number in (1, 2):
        save_item(page, number)
        at_item(page, number + 1)
        expect(page.locator("#waiting")).to_contain_text("saved on this device but not sent yet")
        expect(page.locator("#waiting")).to_contain_text(f"Continue as {first['code']}")
        assert int(page.url.rstrip("/").rpartition("/")[2]) == first["given"][number]
    save_item(other, 1, "111")
    saved(other, 1)
    assert first["code"] not in other.content()
    assert [row[:2] for row in stored(demo, second["code"])] == [(1, 1)]
    assert (waiting_answers(page), stored(demo, first["code"])) == (2, [])
    page.goto(demo.url + first["path"])
    at_item(page, 3)
    assert (waiting_answers(page), [row[:2] for row in stored(demo, first["code"])]) == (0, [(1, 1), (2, 1)])
    assert [row[:2] for row in stored(demo, second["code"])] == [(1, 1)]


def test_without_a_connection_the_page_says_that_pause_has_to_wait(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    save_item(page, 1)
    at_item(page, 2)
    saved(page, 1)
    context.set_offline(True)
    save_item(page, 2)
    at_item(page, 3)
    page.get_by_role("link", name="Pause").click()
    notice = page.locator("#not-now")
    expect(notice).to_contain_text("“Pause” and other pages open when you are back online.")
    expect(notice).to_contain_text("are kept on this device")
    expect(notice).to_be_focused()
    at_item(page, 3)
    assert waiting_answers(page) == 1
    context.set_offline(False)
    saved(page, 2)
    expect(notice).to_be_hidden()
    page.get_by_role("link", name="Pause").click()
    expect(page.get_by_text(f"Paused. {RECEIVED}")).to_be_visible()


def test_a_comment_stays_until_the_server_has_it(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    page.get_by_role("link", name="Comment on this item").click()
    box = page.get_by_role("textbox", name="Your comment")
    box.fill("x" * 2001)
    expect(page.get_by_text("Too long. Characters to delete: 1")).to_be_visible()
    page.get_by_role("button", name="Send comment").click()
    expect(page.get_by_text("Use at most 2000 characters.")).to_be_visible()
    expect(box).to_have_value("x" * 2001)
    box.fill("The vehicle is not a noun.")
    context.set_offline(True)
    page.get_by_role("button", name="Send comment").click()
    notice = page.get_by_text("Not sent. Check the connection and send again.")
    expect(notice).to_be_visible()
    expect(box).to_have_value("The vehicle is not a noun.")
    context.set_offline(False)
    page.reload()
    expect(box).to_have_value("The vehicle is not a noun.")
    page.get_by_role("button", name="Send comment").click()
    at_item(page, 1)
    expect(page.get_by_text("Comment sent. Your rating stays as it is.")).to_be_visible()
    page.get_by_role("link", name="Comment on this item").click()
    expect(page.get_by_role("listitem").filter(has_text="The vehicle is not a noun.")).to_be_visible()
    expect(box).to_have_value("")
