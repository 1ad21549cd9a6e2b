"""Signing in for a token."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.hashers import make_password
from django.core.management import call_command
from django.test import Client
from rest_framework.test import APIClient

from annotation.models import User
from annotation.services.base.tokens import make_token
from tests.support.people import PASSWORD, Cast

ADDRESS = "/api/v1/auth/token/"


def sign_in(email: str, password: str, **more: str):
    return APIClient().post(ADDRESS, {"email": email, "password": password, **more}, format="json")


def test_it_gives_a_token_that_opens_the_studies(cast: Cast) -> None:
    answer = sign_in(cast.users["researcher"].email, PASSWORD)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {answer.json()['token']}")
    listed = client.get("/api/v1/studies/").json()["results"]
    assert [(study["slug"], study["role"]) for study in listed] == [(cast.slug, "researcher")]


def test_it_does_not_tell_an_unknown_email_from_a_wrong_password(cast: Cast) -> None:
    wrong = sign_in(cast.users["owner"].email, "not this one")
    unknown = sign_in("nobody@example.org", "not this one")
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json() == unknown.json()


def test_it_refuses_an_account_that_was_closed(cast: Cast) -> None:
    user = cast.users["owner"]
    user.is_active = False
    user.save()
    assert sign_in(user.email, PASSWORD).status_code == 401


def test_it_stops_answering_after_too_many_attempts(cast: Cast) -> None:
    answers = [sign_in(cast.users["owner"].email, "guess") for _ in range(12)]
    assert answers[-1].status_code == 429
    assert answers[-1].json()["code"] == "throttled"


@pytest.mark.usefixtures("cast")
def test_a_forged_forwarding_header_does_not_reset_the_count() -> None:
    numbers = []
    for attempt in range(12):
        body = {"email": f"guess{attempt}@example.org", "password": "guess"}
        forged = APIClient(HTTP_X_FORWARDED_FOR=f"10.0.0.{attempt}")
        numbers.append(forged.post(ADDRESS, body, format="json").status_code)
    assert numbers[-1] == 429


def test_a_token_given_back_opens_nothing(cast: Cast) -> None:
    client = cast.client("researcher")
    assert client.delete(ADDRESS).status_code == 204
    refused = client.get("/api/v1/studies/")
    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"] == "Token"


def test_a_second_factor_is_asked_for_where_the_account_has_one(cast: Cast) -> None:
    from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    user = cast.users["owner"]
    TOTP.activate(user, generate_totp_secret())
    code = RecoveryCodes.activate(user).get_unused_codes()[0]
    refused = sign_in(user.email, PASSWORD)
    assert (refused.status_code, refused.json()["code"]) == (401, "second_factor")
    assert sign_in(user.email, PASSWORD, code="000000").status_code == 401
    assert not user.api_tokens.exists()
    assert sign_in(user.email, PASSWORD, code=code).status_code == 200


def test_a_new_password_ends_what_signed_in_with_the_old_one(cast: Cast) -> None:
    user = cast.users["owner"]
    token = sign_in(user.email, PASSWORD).json()["token"]
    _, scoped = make_token(user=user, name="a script", scopes=["read"])
    page = Client()
    page.force_login(user)
    new = {"oldpassword": PASSWORD, "password1": "another-metaphor-43", "password2": "another-metaphor-43"}
    assert page.post("/account/password/", new).status_code == 302
    for key in (token, scoped):
        programme = APIClient()
        programme.credentials(HTTP_AUTHORIZATION=f"Token {key}")
        assert programme.get("/api/v1/studies/").status_code == 401


def test_the_second_factor_cannot_be_guessed_from_many_addresses(cast: Cast) -> None:
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    TOTP.activate(cast.users["owner"], generate_totp_secret())
    answers = [
        APIClient(REMOTE_ADDR=f"10.1.{number}.1").post(
            ADDRESS,
            {"email": cast.users["owner"].email, "password": PASSWORD, "code": f"{number:06d}"},
            format="json",
        )
        for number in range(30)
    ]
    assert {answer.status_code for answer in answers[:5]} == {401}
    assert answers[-1].status_code == 429


def test_a_new_password_set_by_the_command_ends_all_tokens(cast: Cast, monkeypatch) -> None:
    user, client = cast.users["owner"], cast.client("owner")
    _, key = make_token(user=user, name="nightly", scopes=["read"])
    monkeypatch.setattr("getpass.getpass", lambda **_: "another-simile-43")
    call_command("changepassword", user.email, stdout=StringIO())
    scoped = APIClient()
    scoped.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    assert {one.get("/api/v1/studies/").status_code for one in (client, scoped)} == {401}


def test_signing_in_with_a_password_whose_hash_is_renewed_ends_nothing(cast: Cast) -> None:
    user, client = cast.users["owner"], cast.client("owner")
    make_token(user=user, name="nightly", scopes=["read"])
    short_of_salt = make_password(PASSWORD, salt="salt")
    User.objects.filter(pk=user.pk).update(password=short_of_salt)
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    user.refresh_from_db()
    assert user.password != short_of_salt
    assert client.get("/api/v1/studies/").status_code == 200
    assert user.api_tokens.filter(signs_in=False).count() == 1
