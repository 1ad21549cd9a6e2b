"""An address that only takes forms says so in words when it is opened by itself."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.services.rating.enrolment import consent
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def test_a_member_who_opens_the_address_of_an_act_reads_that_nothing_was_changed(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.users["owner"])
    answer = client.get(reverse("study-state", args=[cast.slug]))
    assert answer.status_code == 405
    assert answer["Allow"] == "POST"
    assert "<h1>Nothing was changed</h1>" in answer.content.decode()
    cast.study.refresh_from_db()
    assert cast.study.state == "open"


def test_a_rater_reads_it_in_the_language_of_the_pages(cast: Cast) -> None:
    client = Client(headers={"Accept-Language": "ja"})
    client.get(reverse("join", args=[consent(invitation=cast.invitation).invitation.token]))
    answer = client.get(reverse("rate-link", args=[cast.slug]))
    assert answer.status_code == 405
    assert '<html lang="ja">' in answer.content.decode()
    assert "Nothing was changed" not in answer.content.decode()


def test_the_api_answers_in_json(cast: Cast) -> None:
    answer = cast.client("owner").put(f"{cast.base}/state/", {}, format="json")
    assert answer.status_code == 405
    assert answer["Content-Type"].startswith("application/json")
