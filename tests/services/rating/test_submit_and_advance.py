"""Saving an answer and going on: one act, and the next page at once for who prefers it."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Assignment, Rater, Response
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db

PREFERRED = {"HTTP_PREFER": "return=representation"}


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=4, overlap=1)


@pytest.fixture
def browser(cast: Cast) -> Client:
    client = Client()
    join = reverse("join", args=[cast.invitation.token])
    client.get(join)
    client.post(join, {"join_key": str(uuid.uuid4()), "agree": "on"})
    return client


def page_of(client: Client, cast: Cast) -> tuple[str, dict[str, str]]:
    page = client.get(reverse("rate", args=[cast.study.slug]), follow=True)
    return fields_of(page.content.decode())


def fields_of(html: str) -> tuple[str, dict[str, str]]:
    action = re.search(r'<form class="criteria" method="post" action="([^"]+)"', html)
    assert action is not None, html[:500]
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', html))
    return action.group(1), fields | {"answer-quality": "4", "answer-creativity": "2"}


def test_without_the_preference_an_answer_leads_to_the_next_address(cast, browser):
    action, fields = page_of(browser, cast)
    saved = browser.post(action, fields)
    assert saved.status_code == 303
    assert browser.get(saved["Location"]).status_code == 200


def test_with_the_preference_it_is_answered_by_the_next_page(cast, browser):
    action, fields = page_of(browser, cast)
    saved = browser.post(action, fields, **PREFERRED)
    assert saved.status_code == 200
    assert saved["Preference-Applied"] == "return=representation"
    following, _ = fields_of(saved.content.decode())
    assert following == saved["Content-Location"] != action
    assert Response.objects.count() == 1


def test_the_clock_of_the_next_page_starts_when_it_is_sent(cast, browser):
    action, fields = page_of(browser, cast)
    before = timezone.now()
    browser.post(action, fields, **PREFERRED)
    opened = Assignment.objects.latest("pk").opened_at
    assert opened is not None
    assert before <= opened <= before + timedelta(seconds=60)


def test_the_clock_of_the_next_item_does_not_start_before_its_page_is_asked_for(cast, browser):
    action, fields = page_of(browser, cast)
    browser.post(action, fields)
    assert Assignment.objects.latest("pk").opened_at is None


def test_after_the_last_item_the_answer_leads_to_the_end(cast, browser):
    action, fields = page_of(browser, cast)
    for _ in range(3):
        action, fields = fields_of(browser.post(action, fields, **PREFERRED).content.decode())
    end = browser.post(action, fields, **PREFERRED)
    assert (end.status_code, end["Location"]) == (303, reverse("rate", args=[cast.study.slug]))
    assert Rater.objects.get(pk=Assignment.objects.latest("pk").rater_id).state == "finished"


def test_what_cannot_be_stored_hands_out_nothing(cast, browser):
    action, fields = page_of(browser, cast)
    refused = browser.post(action, fields | {"answer-quality": "9"}, **PREFERRED)
    assert refused.status_code == 422
    assert (Response.objects.count(), Assignment.objects.count()) == (0, 1)


def test_an_answer_is_stored_where_nothing_follows(cast, browser):
    action, fields = page_of(browser, cast)
    type(cast.study).objects.filter(pk=cast.study.pk).update(state="paused")
    assert browser.post(action, fields, **PREFERRED).status_code == 303
    assert Response.objects.count() == 1


def test_an_answer_that_comes_again_starts_the_clock_of_the_page_never_seen(cast, browser):
    action, fields = page_of(browser, cast)
    browser.post(action, fields, **PREFERRED)
    following = Assignment.objects.latest("pk")
    Assignment.objects.filter(pk=following.pk).update(opened_at=timezone.now() - timedelta(hours=1))
    again = browser.post(action, fields, **PREFERRED)
    assert fields_of(again.content.decode())[0] == reverse(
        "rate-assignment", args=[cast.study.slug, following.pk]
    )
    following.refresh_from_db()
    assert following.opened_at is not None
    assert timezone.now() - following.opened_at < timedelta(minutes=5)
    assert Response.objects.count() == 1
