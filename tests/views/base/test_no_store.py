"""What a user is shown is stored by no cache."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
OF_A_MEMBER = ("", "items/", "raters/", "disagreement/", "audit/", "exports/ratings/", "settings/")


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.mark.parametrize("part", OF_A_MEMBER)
def test_a_page_of_a_study_is_stored_by_no_cache(cast: Cast, part: str) -> None:
    client = Client()
    client.force_login(cast.users["owner"])
    answer = client.get(f"/studies/{cast.slug}/{part}")
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("path", ["raters/", "items/", "exports/"])
def test_an_answer_to_a_token_is_stored_by_no_cache(cast: Cast, path: str) -> None:
    answer = cast.client("owner").get(f"{cast.base}/{path}")
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]


def test_a_refusal_is_stored_by_no_cache_either(cast: Cast) -> None:
    assert "no-store" in Client().get(f"/studies/{cast.slug}/")["Cache-Control"]
