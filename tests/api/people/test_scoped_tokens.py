"""Tokens that may do less than their owner, and how often anybody may ask."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from annotation.api.base.throttles import CallerThrottle
from annotation.models import ApiToken, Rater, Study
from tests.support.people import Cast, join

TOKENS = "/api/v1/auth/tokens/"


def with_token(key: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    return client


def made(cast: Cast, *scopes: str, who: str = "owner") -> APIClient:
    answer = cast.client(who).post(TOKENS, {"name": "a script", "scopes": scopes}, format="json")
    assert answer.status_code == 201, answer.json()
    return with_token(answer.json()["token"])


def test_a_token_that_may_look_changes_nothing(cast: Cast) -> None:
    reader = made(cast, "read")
    assert reader.get(f"{cast.base}/").json()["role"] == "owner"
    for answer in (
        reader.post(f"{cast.base}/state/", {"state": "paused"}, format="json"),
        reader.post(f"{cast.base}/copy/", {"slug": "copied", "title": "Copied"}, format="json"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "no_scope")
    assert list(Study.objects.values_list("state", flat=True)) == ["open"]


def test_a_token_that_may_write_does_what_its_owner_may_and_no_more(cast: Cast) -> None:
    researcher = made(cast, "write", who="researcher")
    assert researcher.get(f"{cast.base}/items/").status_code == 200
    assert researcher.post(f"{cast.base}/state/", {"state": "paused"}, format="json").status_code == 403
    assert (
        made(cast, "write").post(f"{cast.base}/state/", {"state": "paused"}, format="json").status_code == 200
    )


def test_no_token_makes_itself_another_and_only_its_digest_is_stored(cast: Cast) -> None:
    answer = cast.client("owner").post(TOKENS, {"name": "one", "scopes": ["write"]}, format="json").json()
    client = with_token(answer["token"])
    assert client.post(TOKENS, {"name": "two", "scopes": ["write"]}, format="json").status_code == 403
    assert client.get(TOKENS).status_code == 403
    assert answer["token"] not in str(list(ApiToken.objects.values_list()))


def test_a_revoked_token_opens_nothing_and_only_its_owner_revokes_it(cast: Cast) -> None:
    reader = made(cast, "read")
    address = f"{TOKENS}{ApiToken.objects.get(signs_in=False).pk}/"
    assert cast.client("admin").delete(address).status_code == 404
    assert reader.get("/api/v1/studies/").status_code == 200
    assert cast.client("owner").delete(address).status_code == 204
    assert reader.get("/api/v1/studies/").status_code == 401


@pytest.mark.parametrize("scopes", [[], ["all"], ["read", "all"], "read"])
def test_scopes_that_do_not_exist_make_no_token(cast: Cast, scopes) -> None:
    answer = cast.client("owner").post(TOKENS, {"name": "x", "scopes": scopes}, format="json")
    assert answer.status_code == 400
    assert not ApiToken.objects.filter(signs_in=False).exists()


def test_who_asks_too_often_has_to_wait_and_others_do_not(cast: Cast, monkeypatch) -> None:
    monkeypatch.setitem(CallerThrottle.THROTTLE_RATES, "caller", "3/min")
    answers = [cast.client("owner").get("/api/v1/studies/") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[-1].json()["code"] == "throttled"
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert cast.client("admin").get("/api/v1/studies/").status_code == 200


def test_raters_are_not_counted(cast: Cast, monkeypatch) -> None:
    _, rater = join(cast.invitation)
    monkeypatch.setitem(CallerThrottle.THROTTLE_RATES, "caller", "2/min")
    address = f"/api/v1/rate/{cast.slug}/next/"
    assert {rater.get(address).status_code for _ in range(5)} == {200}


@pytest.mark.parametrize("page", ["", "next/", "answers/"])
def test_rating_needs_the_scope_write_since_a_page_that_is_shown_holds_a_seat(cast: Cast, page: str) -> None:
    address = f"/api/v1/rate/{cast.slug}/{page}"
    refused = made(cast, "read").get(address)
    assert (refused.status_code, refused.json()["code"]) == (403, "no_scope")
    assert not Rater.objects.filter(user=cast.users["owner"]).exists()
    assert made(cast, "write").get(address).status_code == 200


def test_a_token_with_scopes_does_not_end_the_log_in_of_its_owner(cast: Cast) -> None:
    client = cast.client("owner")
    refused = made(cast, "write").delete("/api/v1/auth/token/")
    assert refused.status_code == 403
    assert client.get("/api/v1/studies/").status_code == 200


def test_a_token_with_scopes_revokes_no_token_of_its_owner(cast: Cast) -> None:
    script, other = made(cast, "read", "write"), made(cast, "read")
    for token in ApiToken.objects.filter(user=cast.users["owner"]):
        assert script.delete(f"{TOKENS}{token.pk}/").status_code == 403, token.name
    assert other.get("/api/v1/studies/").status_code == 200
    assert cast.client("owner").get("/api/v1/studies/").status_code == 200
