"""Tokens and webhooks in the browser: a secret is shown once, and what is revoked works no more."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.models import ApiToken, Webhook
from annotation.services.base.webhook_events import registered_events
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(opened=False)


def browser(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def status(cast: Cast, key: str) -> int:
    caller = APIClient()
    caller.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    return caller.get(f"{cast.base}/").status_code


def test_a_token_is_shown_once_and_works_until_it_is_revoked(cast: Cast) -> None:
    client = browser(cast, "researcher")
    made = client.post(reverse("tokens"), {"name": "nightly", "scope": "read"})
    key = re.search(r"gw-[\w-]{40,}", made.content.decode())
    assert key is not None
    assert "no-store" in made.headers["Cache-Control"]
    assert key[0] not in client.get(reverse("tokens")).content.decode()
    assert status(cast, key[0]) == 200
    client.post(reverse("token-revoke", args=[ApiToken.objects.get().pk]))
    assert status(cast, key[0]) == 401


def test_revoking_a_token_asks_first(cast: Cast) -> None:
    client = browser(cast, "researcher")
    client.post(reverse("tokens"), {"name": "nightly", "scope": "read"})
    page = client.get(reverse("tokens")).content.decode()
    assert_asks_first(page, reverse("token-revoke", args=[ApiToken.objects.get().pk]))


def test_removing_a_webhook_asks_first(cast: Cast) -> None:
    client, url = browser(cast, "admin"), reverse("study-webhooks", args=["lamps"])
    client.post(url, {"address": "https://example.org/told", "event": ["change_state"]})
    page = client.get(url).content.decode()
    assert_asks_first(page, reverse("study-webhook-remove", args=["lamps", Webhook.objects.get().pk]))


def test_webhooks_are_stacked_with_their_labels_on_a_phone(cast: Cast) -> None:
    client, url = browser(cast, "admin"), reverse("study-webhooks", args=["lamps"])
    client.post(url, {"address": "https://example.org/told", "event": ["change_state"]})
    page = client.get(url).content.decode()
    assert re.search(r'<table[^>]*class="[^"]*\bstacks\b', page)
    assert re.findall(r'data-label="([^"]+)"', page) == ["Events", "Delivered", "Last message"]


def assert_asks_first(page: str, action: str) -> None:
    asks = re.findall(r'<details class="confirm">.*?</details>', page, re.DOTALL)
    posted_to = f'action="{action}"'
    (asked,) = (one for one in asks if posted_to in one)
    assert page.count(posted_to) == 1
    assert "<summary" in asked
    assert "You cannot undo this." in asked


@pytest.mark.parametrize(
    "sent", [{"name": "", "scope": "read"}, {"name": "a", "scope": "all"}, {"name": "\x00"}]
)
def test_a_token_that_cannot_be_is_refused(cast: Cast, sent: dict[str, str]) -> None:
    assert browser(cast, "researcher").post(reverse("tokens"), sent).status_code == 422
    assert not ApiToken.objects.exists()


def test_a_webhook_is_added_its_secret_shown_once_and_removed(cast: Cast) -> None:
    client, url = browser(cast, "admin"), reverse("study-webhooks", args=["lamps"])
    sent = {"address": "https://example.org/told", "event": ["import_items", "change_state"]}
    made = client.post(url, sent).content.decode()
    webhook = Webhook.objects.get()
    assert webhook.events == ["change_state", "import_items"]
    assert webhook.secret in made
    again = client.get(url).content.decode()
    assert "https://example.org/told" in again
    assert webhook.secret not in again
    client.post(reverse("study-webhook-remove", args=["lamps", webhook.pk]))
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "sent",
    [
        {"address": "https://example.org/"},
        {"address": "http://127.0.0.1/", "event": ["change_state"]},
        {"address": "https://example.org/" + "a" * 600, "event": ["change_state"]},
    ],
)
def test_a_webhook_that_cannot_be_is_refused_and_the_form_keeps_what_was_sent(cast: Cast, sent) -> None:
    answer = browser(cast, "owner").post(reverse("study-webhooks", args=["lamps"]), sent)
    assert answer.status_code == 422
    assert sent["address"] in answer.content.decode()
    assert not Webhook.objects.exists()


def test_every_event_can_be_chosen_once_under_a_heading(cast: Cast) -> None:
    page = browser(cast, "owner").get(reverse("study-webhooks", args=[cast.slug]))
    offered = re.findall(r'name="event" value="([^"]+)"', page.content.decode())
    assert sorted(offered) == sorted(registered_events())
    assert all(events for _head, events in page.context["event_groups"])
