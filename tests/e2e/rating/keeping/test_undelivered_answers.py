"""An answer that is not stored yet stays on the device, unless Groundwork itself has refused it."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.keeping.pages_ahead import begin_with_pages_ahead, stored, waiting_answers
from tests.e2e.rating.rating_pages import at_item, rate_by_keys, saved

pytestmark = [pytest.mark.browser, pytest.mark.processes]

CHANGE = """
from annotation.models import Membership, Study
from annotation.services.people.consent import change_text
study = Study.objects.get(slug="everyday-similes")
member = Membership.objects.filter(study=study).first()
change_text(study=study, actor=member.user, text=study.consent + " You agree to more.")
"""


def answer_three_items_offline_after_the_consent_text_changed(context: BrowserContext, demo: Demo) -> Page:
    """The first was shown before the change, the second and third after it."""
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    context.set_offline(True)
    demo.installation.run_script(CHANGE)
    for number in (1, 2, 3):
        at_item(page, number)
        page.wait_for_timeout(1000)
        rate_by_keys(page)
        page.keyboard.press("Enter")
    expect(page.locator("#offline")).to_contain_text("Answers waiting on this device: 3.")
    page.wait_for_timeout(3000)
    context.set_offline(False)
    expect(page).to_have_title(re.compile("^Consent"), timeout=20_000)
    return page


def test_answers_wait_until_the_rater_agrees_to_the_new_consent_text(
    context: BrowserContext, demo: Demo
) -> None:
    page = answer_three_items_offline_after_the_consent_text_changed(context, demo)
    notice = page.locator("#kept-answers")
    expect(notice).to_contain_text("Answers waiting on this device: 2. They will be sent after you agree.")
    expect(page.get_by_text("All answers that we have received are saved.")).to_be_visible()
    assert ([row[0] for row in stored(demo)], waiting_answers(page)) == ([1], 2)
    page.get_by_role("button", name="I agree – continue").click()
    at_item(page, 4)
    rows = stored(demo)
    assert [row[:3] for row in rows] == [(1, 1, False), (2, 1, False), (3, 1, False)]
    assert all(1 <= row[3] < 4 for row in rows[1:]), rows
    assert waiting_answers(page) == 0


def test_answers_of_a_rater_who_does_not_agree_to_the_new_consent_text_are_not_sent(
    context: BrowserContext, demo: Demo
) -> None:
    page = answer_three_items_offline_after_the_consent_text_changed(context, demo)
    page.get_by_role("link", name="I do not agree – withdraw").click()
    notice = page.locator("#kept-answers")
    expect(notice).to_contain_text("Answers waiting on this device: 2. If you withdraw, they are not sent")
    page.get_by_role("button", name="Withdraw from the study").click()
    expect(page.locator("#undelivered")).to_contain_text("was not saved")
    assert ([row[0] for row in stored(demo)], waiting_answers(page)) == ([1], 0)


@pytest.mark.parametrize("status", [429, 409, 413, 200])
def test_what_something_on_the_way_answers_drops_nothing(
    context: BrowserContext, demo: Demo, status: int
) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    tried: list[float] = []

    def answer(route: Route) -> None:
        if route.request.method != "POST" or route.request.url.endswith("/ahead/"):
            return route.continue_()
        tried.append(time.monotonic())
        if len(tried) > 1:
            return route.continue_()
        body, later = "<h1>Not by Groundwork</h1>", {"Retry-After": "8"}
        return route.fulfill(status=status, body=body, headers=later, content_type="text/html")

    page.route("**/rate/**", answer)
    rate_by_keys(page)
    page.keyboard.press("Enter")
    at_item(page, 2)
    notice = page.locator("#busy" if status == 429 else "#offline")
    expect(notice).to_contain_text("Answers waiting on this device: 1.")
    rate_by_keys(page)
    page.keyboard.press("Enter")
    at_item(page, 3)
    expect(notice).to_contain_text("Answers waiting on this device: 2.")
    saved(page, 2)
    assert tried[1] - tried[0] >= 8
    assert ([row[0] for row in stored(demo)], waiting_answers(page)) == ([1, 2], 0)
