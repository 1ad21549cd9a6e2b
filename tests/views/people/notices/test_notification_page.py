"""A member chooses emails on a page and by the API, for themselves alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import NoticeEvent
from annotation.models import NoticeChoice
from tests.support.outside.member_mail import listens
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
NO_SERVER = "This server sends no emails"


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def member(cast: Cast, who: str) -> Client:
    found = Client()
    found.force_login(cast.users[who])
    return found


def address(cast: Cast) -> str:
    return reverse("study-notifications", args=[cast.slug])


def chosen(cast: Cast, who: str) -> list[str]:
    own = NoticeChoice.objects.filter(membership__user=cast.users[who])
    return [choice.event for choice in own]


def test_a_member_chooses_for_themselves_in_the_language_of_the_page(cast: Cast) -> None:
    researcher = member(cast, "researcher")
    researcher.cookies["django_language"] = "zh-hans"
    sent = {"event": ["job_failed", "target_reached"]}
    researcher.post(address(cast), sent)
    assert chosen(cast, "researcher") == ["job_failed", "target_reached"]
    assert chosen(cast, "owner") == []
    assert {(one.language, one.site) for one in NoticeChoice.objects.all()} == {
        ("zh-hans", "http://testserver/")
    }
    page = researcher.get(address(cast)).content.decode()
    assert page.count(" checked") == 2


def test_clearing_the_boxes_ends_all_emails_and_says_so(cast: Cast) -> None:
    listens(cast, "admin")
    answer = member(cast, "admin").post(address(cast), {}, follow=True)
    assert "You get no emails about this study." in answer.content.decode()
    assert chosen(cast, "admin") == []


def test_the_page_says_where_no_email_can_be_sent(cast: Cast, settings: Any) -> None:
    owner = member(cast, "owner")
    assert NO_SERVER in owner.get(address(cast)).content.decode()
    settings.SENDS_MAIL = True
    assert NO_SERVER not in owner.get(address(cast)).content.decode()


def test_the_page_says_that_an_email_was_not_sent(cast: Cast) -> None:
    listens(cast, "owner", NoticeEvent.JOB_FAILED)
    NoticeChoice.objects.update(error="mail_refused", mailed_at="2026-01-02T03:04:05Z")
    assert "was not sent (mail_refused)" in member(cast, "owner").get(address(cast)).content.decode()


def test_an_unknown_event_is_refused(cast: Cast) -> None:
    answer = member(cast, "owner").post(address(cast), {"event": ["rating_stored"]}, follow=True)
    assert "Choose only events from the list." in answer.content.decode()
    assert chosen(cast, "owner") == []


def test_the_api_sets_and_reads_the_choice_of_the_caller_and_keeps_the_language(cast: Cast) -> None:
    owner, path = cast.client("owner"), f"{cast.base}/notifications/"
    put = {"events": ["job_failed", "target_reached"], "interface_language": "ja"}
    answer = owner.put(path, put, format="json")
    assert answer.json() == {"events": ["target_reached", "job_failed"], "sends_mail": False}
    owner.put(path, {"events": ["job_failed"]}, format="json")
    assert owner.get(path).json()["events"] == ["job_failed"]
    assert NoticeChoice.objects.get().language == "ja"
    assert cast.client("admin").get(path).json()["events"] == []
    assert owner.put(path, {"events": ["rating_stored"]}, format="json").status_code == 400
