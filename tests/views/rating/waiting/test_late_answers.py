"""An answer that came after its reservation had ended: its rater reads what happened to it."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import SeatState
from annotation.models import Assignment, Rater, Response, Seat
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
LATE_MESSAGES = {
    "en": "Item 1 was saved after its reservation had ended",
    "zh-hans": "第 1 条在预留时间结束后才保存",
    "ja": "1件目は確保の期限を過ぎてから保存された",
}


def joined(cast: Cast, language: str = "en") -> tuple[Client, str]:
    """A rater's browser, and the address of their first page."""
    client = Client()
    client.cookies["django_language"] = language
    agreed = client.post(reverse("join", args=[cast.invitation.token]), follow=True)
    return client, agreed.redirect_chain[-1][0]


def save(client: Client, address: str) -> Any:
    shown = client.get(address).context
    sent = {
        "submission_key": str(uuid.uuid4()),
        "version": shown["version"],
        "seen_revision": shown["seen_revision"],
        "answer-quality": 4,
        "answer-creativity": 2,
    }
    return client.post(address, sent, follow=True)


def give_away(address: str) -> None:
    """Another rater has filled the only seat of the item meanwhile."""
    page = Assignment.objects.select_related("seat").get(pk=int(address.rstrip("/").rpartition("/")[2]))
    other = Rater.objects.filter(study=page.rater.study).exclude(pk=page.rater_id).first()
    assert page.seat is not None
    Seat.objects.filter(item=page.item).exclude(pk=page.seat.pk).delete()
    Seat.objects.filter(pk=page.seat.pk).update(state=SeatState.FILLED, rater=other, until=None)


@pytest.mark.parametrize("language", sorted(LATE_MESSAGES))
def test_the_next_page_and_the_items_own_page_say_that_it_came_late(language: str) -> None:
    client, first = joined(make_cast(), language)
    give_away(first)
    following = save(client, first)
    assert Response.objects.get().late
    assert following.context["position"] == 2
    assert LATE_MESSAGES[language] in following.content.decode()
    assert LATE_MESSAGES[language] in client.get(first).content.decode()
    # The next answer came in time.
    third = save(client, following.redirect_chain[-1][0])
    assert third.context["position"] == 3
    assert LATE_MESSAGES[language] not in third.content.decode()


def test_an_answer_in_time_is_not_called_late() -> None:
    client, first = joined(make_cast())
    following = save(client, first).content.decode()
    assert not Response.objects.get().late
    assert 'id="late"' not in following + client.get(first).content.decode()


def test_the_pause_page_counts_late_answers() -> None:
    cast = make_cast()
    client, first = joined(cast)
    pause = reverse("rate-pause", args=[cast.slug])
    give_away(first)
    following = save(client, first)
    save(client, following.redirect_chain[-1][0])
    page_text = " ".join(client.get(pause).content.decode().split())
    assert "1 of them was saved after its reservation had ended." in page_text


def test_a_page_that_is_fetched_ahead_says_nothing_of_the_answers_before() -> None:
    client, first = joined(make_cast(items=12, overlap=4))
    give_away(first)
    second = save(client, first).redirect_chain[-1][0]
    ahead = client.post(f"{second}ahead/")
    assert ahead.status_code == 200
    assert 'id="late"' not in ahead.content.decode()


def test_a_preview_is_never_late() -> None:
    cast = make_cast(opened=False)
    member = Client()
    member.force_login(cast.users["owner"])
    first = member.get(reverse("rate", args=[cast.slug]), follow=True).redirect_chain[-1][0]
    assert 'id="late"' not in save(member, first).content.decode()
