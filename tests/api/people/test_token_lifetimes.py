"""Tokens expire, are shown once, are distinguishable, and can be revoked one by one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.models import ApiToken
from annotation.services.base.tokens import MOST_SIGN_INS, make_token, sign_in_token
from tests.support.people import PASSWORD, Cast

ADDRESS, TOKENS = "/api/v1/auth/token/", "/api/v1/auth/tokens/"


def with_token(key: str) -> APIClient:
    return APIClient(HTTP_AUTHORIZATION=f"Token {key}")


def end(token: ApiToken, *, days: float) -> None:
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now() + timedelta(days=days))


def test_an_expired_token_opens_nothing_and_says_since_when(cast: Cast) -> None:
    owner = cast.users["owner"]
    for token, key in (make_token(user=owner, name="one", scopes=["write"]), sign_in_token(user=owner)):
        end(token, days=0.1)
        assert with_token(key).get("/api/v1/studies/").status_code == 200
        end(token, days=-0.1)
        refused = with_token(key).get("/api/v1/studies/")
        assert (refused.status_code, refused.json()["code"]) == (401, "token_expired")
        assert "Create a new token or sign in again" in refused.json()["message"]


@pytest.mark.parametrize(("chosen", "days"), [({}, 5), ({"days": 1}, 1), ({"days": 366}, 366)])
def test_a_token_lives_as_long_as_was_chosen_or_as_the_installation_says(
    cast, settings, chosen, days
) -> None:
    settings.TOKEN_DAYS = 5
    body = {"name": "a script", "scopes": ["read"], **chosen}
    made = cast.client("owner").post(TOKENS, body, format="json").json()
    token = ApiToken.objects.get(pk=made["id"])
    assert abs(token.expires_at - timezone.now() - timedelta(days=days)) < timedelta(minutes=5)
    assert made["ends_soon"] is (days <= 14)


@pytest.mark.parametrize("days", [0, -1, 367, "long"])
def test_a_lifetime_that_is_too_long_or_none_is_refused(cast: Cast, days) -> None:
    body = {"name": "a script", "scopes": ["read"], "days": days}
    answer = cast.client("owner").post(TOKENS, body, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["days"])
    page = Client()
    page.force_login(cast.users["owner"])
    shown = page.post(reverse("tokens"), {"name": "a script", "scope": "read", "days": str(days)})
    assert (shown.status_code, "lifetime of 1 to 366 days" in shown.content.decode()) == (422, True)
    assert not ApiToken.objects.filter(signs_in=False).exists()


def test_lists_show_how_a_token_begins_and_when_it_ends_and_never_the_token(cast: Cast) -> None:
    owner, page = cast.users["owner"], Client()
    page.force_login(owner)
    made = {name: make_token(user=owner, name=name, scopes=["read"]) for name in ("old", "soon", "new")}
    end(made["old"][0], days=-1)
    end(made["soon"][0], days=3)
    shown = page.get(reverse("tokens")).content.decode()
    listed = cast.client("owner").get(TOKENS)
    for token, key in made.values():
        assert f"{key[:9]}…" in shown
        assert token.prefix == key[:9]
        assert key not in shown + listed.content.decode()
    assert [words in shown for words in ("expired ", "soon: ")] == [True, True]
    assert [one["ends_soon"] for one in listed.json() if not one["signs_in"]] == [False, True, False]


def sign_in(cast: Cast) -> str:
    body = {"email": cast.users["owner"].email, "password": PASSWORD}
    key: str = APIClient().post(ADDRESS, body, format="json").json()["token"]
    return key


def test_each_sign_in_has_a_token_of_its_own_that_is_given_back_alone(cast: Cast) -> None:
    first, second = sign_in(cast), sign_in(cast)
    assert first != second
    assert with_token(first).delete(ADDRESS).status_code == 204
    assert [with_token(key).get("/api/v1/studies/").status_code for key in (first, second)] == [401, 200]
    page = Client(enforce_csrf_checks=False)
    page.force_login(cast.users["owner"])
    assert page.delete(ADDRESS).status_code == 204
    assert with_token(second).get("/api/v1/studies/").status_code == 401


def test_of_many_sign_ins_the_oldest_end_and_no_token_with_scopes(cast: Cast) -> None:
    owner = cast.users["owner"]
    _, scoped = make_token(user=owner, name="nightly", scopes=["read"])
    keys = [sign_in_token(user=owner)[1] for _ in range(MOST_SIGN_INS + 1)]
    tried = (keys[0], keys[1], keys[-1], scoped)
    answers = [with_token(key).get("/api/v1/studies/").status_code for key in tried]
    assert answers == [401, 200, 200, 200]
