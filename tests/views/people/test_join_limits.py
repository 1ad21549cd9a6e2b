"""One link brings so many new raters in ten minutes, from one network and in all; then it says when."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from rest_framework.test import APIClient

from annotation.models import Rater
from config.client_address import network_of
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
CAMPUS, ELSEWHERE = "192.0.2.7", "198.51.100.9"


@pytest.fixture
def cast(settings: Any) -> Cast:
    settings.JOINS_BY_NETWORK, settings.JOINS_BY_LINK = 2, 3
    return make_cast(items=20, overlap=20)


def by_page(cast: Cast, address: str = CAMPUS, client: Client | None = None, **sent: Any) -> Any:
    client = client or Client(REMOTE_ADDR=address)
    return client.post(f"/join/{cast.invitation.token}/", {"join_key": str(uuid.uuid4()), **sent})


def by_api(cast: Cast, address: str = CAMPUS) -> Any:
    client = APIClient(REMOTE_ADDR=address)
    return client.post(f"/api/v1/join/{cast.invitation.token}/", {"agree": True}, format="json")


def test_page_and_api_count_together_and_both_say_when_to_try_again(cast: Cast) -> None:
    assert (by_page(cast).status_code, by_api(cast).status_code) == (302, 201)
    page, answer = by_page(cast), by_api(cast)
    assert (page.status_code, answer.status_code) == (429, 429)
    body = answer.json()
    assert body["code"] == "too_many_joins"
    assert 0 < int(answer["Retry-After"]) <= 600
    assert 0 < int(page["Retry-After"]) <= 600
    assert int(body["fields"]["seconds_left"]) == int(answer["Retry-After"])
    assert re.search(
        r"from your network in .* Try again in about \d+ minutes?, at \d\d:\d\d UTC\.", body["message"]
    )
    assert re.search(
        r"from your network in .* Try again in about \d+ minutes?, at \d\d:\d\d UTC\.", page.content.decode()
    )
    assert Rater.objects.filter(study=cast.study).count() == 3


def test_a_page_that_was_put_off_can_be_sent_again_as_it_is(cast: Cast, settings: Any) -> None:
    by_page(cast), by_page(cast)
    client, key = Client(REMOTE_ADDR=CAMPUS), str(uuid.uuid4())
    page = by_page(cast, client=client, join_key=key)
    assert key in page.content.decode()
    assert "<h2>Consent</h2>" in page.content.decode()
    settings.JOINS_BY_NETWORK = 3
    assert by_page(cast, client=client, join_key=key).status_code == 302


def test_another_network_still_joins_until_the_link_has_brought_as_many_as_it_may(cast: Cast) -> None:
    assert [by_page(cast).status_code for _ in range(3)] == [302, 302, 429]
    assert [by_page(cast, ELSEWHERE).status_code for _ in range(2)] == [302, 429]


def test_who_comes_back_is_not_counted(cast: Cast) -> None:
    client = Client(REMOTE_ADDR=CAMPUS)
    assert [by_page(cast, client=client).status_code for _ in range(6)] == [302] * 6
    personal = cast.study.invitations.filter(rater__isnull=False).latest("pk")
    again = Client(REMOTE_ADDR=CAMPUS)
    assert [again.post(f"/join/{personal.token}/", {}).status_code for _ in range(6)] == [302] * 6
    assert by_page(cast).status_code == 302


def test_who_sends_the_same_page_twice_is_counted_once(cast: Cast) -> None:
    key = str(uuid.uuid4())
    assert [by_page(cast, join_key=key).status_code for _ in range(4)] == [302] * 4
    assert by_page(cast).status_code == 302


def test_who_is_refused_is_not_counted(cast: Cast) -> None:
    assert {by_page(cast, consent_number="999").status_code for _ in range(4)} <= {409, 422}
    assert Rater.objects.filter(study=cast.study, kind="person").count() == 1
    assert [by_page(cast).status_code for _ in range(3)] == [302, 302, 429]


def test_the_count_begins_again_after_its_ten_minutes(cast: Cast) -> None:
    by_page(cast), by_page(cast)
    cache.clear()  # what the cache forgets by then
    assert by_page(cast).status_code == 302


@pytest.mark.parametrize(
    ("proxies", "forwarded", "remote", "network"),
    [
        (0, "203.0.113.5", "192.0.2.7", "192.0.2.7"),
        (1, "203.0.113.5, 198.51.100.1", "10.0.0.1", "198.51.100.1"),
        (2, "203.0.113.5, 198.51.100.1", "10.0.0.1", "203.0.113.5"),
        (0, "", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        (0, "", "::ffff:192.0.2.7", "192.0.2.7"),
        (0, "", "::FFFF:c000:0208", "192.0.2.8"),
        (1, "::ffff:203.0.113.5", "10.0.0.1", "203.0.113.5"),
        (0, "", "", ""),
    ],
)
def test_the_network_of_a_visitor_is_found_behind_the_proxies_that_are_ours(
    rf: Any, settings: Any, proxies: int, forwarded: str, remote: str, network: str
) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}
    extra = {"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}
    assert network_of(rf.post("/join/x/", REMOTE_ADDR=remote, **extra)) == network
