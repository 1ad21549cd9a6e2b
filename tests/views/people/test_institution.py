"""Signing in with the institution, against a provider that these tests start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
import requests
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from rest_framework.test import APIClient

from annotation.models import AuditEntry, User
from annotation.services.base.tokens import make_token
from annotation.services.people.site_accounts import invite_account, set_active, unlink_institution
from config.settings import institution
from tests.support.outside import mail_server
from tests.support.outside.oidc_provider import Provider, person, running

pytestmark = pytest.mark.django_db
MARA = "mara@example.edu"
START = "/account/institution/"


@pytest.fixture
def provider(settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    with running(mara=person(MARA)) as started:
        for name, value in started.settings.items():
            monkeypatch.setenv(name, value)
        settings.INSTITUTION = institution.from_environment()
        yield started


def sign_in(
    provider: Provider, client: Client | None = None, who: str = "mara", answer: str = "allow", to: str = ""
) -> Any:
    """As a browser goes: to the provider, through its page, and back."""
    client = client or Client()
    left = client.get(START, {"next": to} if to else {})
    assert left.status_code == 302, left.content
    assert requests.get(left["Location"], timeout=10).status_code == 200
    asked = dict(parse_qsl(urlsplit(left["Location"]).query))
    back = requests.post(
        f"{provider.issuer}/authorize",
        {**asked, "subject": who, "answer": answer},
        allow_redirects=False,
        timeout=10,
    )
    return client.get(back.headers["Location"].removeprefix("http://testserver"))


def code_of(answer: Any) -> str:
    page: str = answer.content.decode()
    assert "<h1>Not signed in</h1>" in page, page
    return page.partition("<code>")[2].partition("</code>")[0]


def signed_in_as(client: Client) -> User | None:
    found = client.session.get("_auth_user_id")
    return User.objects.get(pk=found) if found else None


class TestWho:
    def test_a_new_person_gets_an_account_without_a_password_and_nothing_of_their_claims_is_stored(
        self, provider
    ):
        client = Client()
        assert sign_in(provider, client)["Location"] == "/"
        user = signed_in_as(client)
        assert user is not None
        assert (user.email, user.name, user.has_usable_password()) == (MARA, "Mara Osei", False)
        assert not user.is_site_administrator
        link = SocialAccount.objects.get()
        assert (link.provider, link.uid, link.extra_data) == (provider.issuer, "mara", {})
        acts = set(AuditEntry.objects.filter(study=None).values_list("act", flat=True))
        assert acts == {"add_account", "link_institution"}

    def test_an_account_with_the_verified_address_is_linked_and_keeps_its_password(self, provider):
        user = User.objects.create_user("Mara@Example.edu", "simile-and-metaphor-42", name="M.")
        client = Client()
        sign_in(provider, client)
        assert signed_in_as(client) == user
        user.refresh_from_db()
        assert user.check_password("simile-and-metaphor-42")
        assert user.name == "M."

    def test_the_subject_decides_after_the_first_sign_in_whatever_the_address_becomes(self, provider):
        sign_in(provider)
        provider.people["mara"]["email"] = "m.lind@example.edu"
        client = Client()
        sign_in(provider, client)
        assert signed_in_as(client) == User.objects.get(email=MARA)

    def test_another_person_who_gets_the_address_later_does_not_get_the_account(self, provider):
        sign_in(provider)
        provider.people["new"] = person(MARA)
        client = Client()
        answer = sign_in(provider, client, who="new")
        assert (answer.status_code, code_of(answer)) == (403, "sso_other_identity")
        assert signed_in_as(client) is None
        user = User.objects.get(email=MARA)
        unlink_institution(user=user, actor=None)
        sign_in(provider, client, who="new")
        assert signed_in_as(client) == user

    def test_the_second_factor_of_an_account_is_asked_for_here_too(self, provider):
        user = User.objects.create_user(MARA, "simile-and-metaphor-42")
        TOTP.activate(user, secret := generate_totp_secret())
        client = Client()
        there = sign_in(provider, client, to="/tokens/")["Location"]
        assert there.startswith("/account/2fa/authenticate/")
        assert signed_in_as(client) is None
        code = format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))
        assert client.post(there, {"code": code})["Location"] == "/tokens/"
        assert signed_in_as(client) == user
        assert client.session.get_expiry_age() <= 12 * 3600

    def test_a_session_by_the_institution_is_new_and_short(self, provider):
        client = Client()
        client.get(START)
        before = client.session.session_key
        sign_in(provider, client)
        assert client.session.session_key != before
        assert client.session.get_expiry_age() <= 12 * 3600
        assert "You stay signed in at your institution" in client.get("/account/logout/").content.decode()


class TestRefusals:
    @pytest.mark.parametrize(
        ("claims", "code"),
        [
            ({"email": "mara@elsewhere.example"}, "sso_domain"),
            ({"email": "mara@sub.example.edu"}, "sso_domain"),
            ({"email": "mara@example.edu.evil.example"}, "sso_domain"),
            ({"email_verified": False}, "sso_unverified_email"),
            ({"email_verified": None}, "sso_unverified_email"),
            ({"email": None}, "sso_no_email"),
        ],
    )
    def test_only_verified_addresses_of_the_domains_come_in(self, provider, claims, code):
        provider.people["mara"] |= claims
        client = Client()
        answer = sign_in(provider, client)
        assert (answer.status_code, code_of(answer)) == (403, code)
        assert signed_in_as(client) is None
        assert not User.objects.exists()

    def test_an_unverified_address_does_not_open_the_account_that_has_it(self, provider):
        User.objects.create_user(MARA, "simile-and-metaphor-42", is_site_administrator=True)
        provider.people["mara"]["email_verified"] = False
        assert code_of(sign_in(provider)) == "sso_unverified_email"
        assert not SocialAccount.objects.exists()

    def test_a_deactivated_account_stays_outside(self, provider):
        sign_in(provider)
        set_active(user=User.objects.get(), active=False, actor=None)
        client = Client()
        answer = sign_in(provider, client)
        assert (answer.status_code, code_of(answer)) == (403, "sso_inactive")
        assert signed_in_as(client) is None

    def test_where_no_accounts_are_made_only_those_invited_come_in(self, provider, settings):
        settings.INSTITUTION = replace(settings.INSTITUTION, creates_accounts=False)
        assert code_of(sign_in(provider)) == "sso_no_account"
        invite_account(email=MARA, actor=None)
        assert sign_in(provider)["Location"] == "/"

    @pytest.mark.parametrize(
        "fault",
        ["nonce", "signature", "unsigned", "shared_secret", "issuer", "audience", "expired", "userinfo"],
    )
    def test_a_token_that_is_not_the_providers_answer_to_this_request_is_refused(self, provider, fault):
        provider.fault = fault
        client = Client()
        answer = sign_in(provider, client)
        assert (answer.status_code, code_of(answer)) == (400, "sso_invalid")
        assert signed_in_as(client) is None
        assert not User.objects.exists()

    def test_an_answer_belongs_to_the_browser_that_asked_and_works_once(self, provider):
        asked, other = Client(), Client()
        left = asked.get(START)
        query = dict(parse_qsl(urlsplit(left["Location"]).query))
        callback = urlsplit(provider.code_for(query, "mara"))
        path = f"{callback.path}?{callback.query}"
        answer = other.get(path)
        assert (answer.status_code, code_of(answer)) == (400, "sso_expired")
        assert asked.get(path)["Location"] == "/"
        assert code_of(asked.get(path)) == "sso_expired"
        forged = f"{callback.path}?{urlencode({'code': 'x', 'state': 'forged'})}"
        assert code_of(Client().get(forged)) == "sso_expired"

    def test_cancelling_at_the_provider_is_reported(self, provider):
        answer = sign_in(provider, answer="deny")
        assert (answer.status_code, code_of(answer)) == (403, "sso_cancelled")

    @pytest.mark.parametrize("fault", ["away", "nonsense", "discovery_issuer"])
    def test_a_provider_with_an_invalid_answer_is_shown_as_unavailable(self, provider, fault):
        provider.fault = fault
        answer = Client().get(START)
        assert (answer.status_code, code_of(answer)) == (503, "sso_unavailable")

    def test_a_provider_that_fails_during_sign_in_gives_a_page_too(self, provider):
        provider.fault = "token"
        assert code_of(sign_in(provider)) == "sso_invalid"

    @pytest.mark.usefixtures("provider")
    def test_no_server_answers_at_the_address(self, settings):
        settings.INSTITUTION = replace(settings.INSTITUTION, issuer="http://127.0.0.1:9")
        assert code_of(Client().get(START)) == "sso_unavailable"


class TestWhereTo:
    def test_one_gets_to_the_page_that_was_asked_for(self, provider):
        assert sign_in(provider, to="/tokens/")["Location"] == "/tokens/"

    @pytest.mark.parametrize("evil", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
    def test_never_to_another_site(self, provider, evil):
        assert sign_in(provider, to=evil)["Location"] == "/"

    @pytest.mark.usefixtures("provider")
    def test_the_log_in_page_leads_there_and_keeps_the_page_asked_for(self):
        page = Client().get("/account/login/?next=/tokens/").content.decode()
        assert 'href="/account/institution/?next=%2Ftokens%2F"' in page
        assert "Sign in with your institution" in page


class TestRoles:
    @pytest.fixture
    def roles(self, provider: Provider, settings) -> Provider:
        settings.INSTITUTION = replace(
            settings.INSTITUTION,
            role_claim="realm_access.roles",
            user_values=frozenset({"researcher"}),
            site_admin_values=frozenset({"it"}),
        )
        return provider

    def test_a_role_is_needed_where_one_is_named(self, roles):
        assert code_of(sign_in(roles)) == "sso_role"
        roles.people["mara"]["realm_access"] = {"roles": ["student", "researcher"]}
        assert sign_in(roles)["Location"] == "/"
        assert not User.objects.get().is_site_administrator

    def test_the_provider_makes_and_unmakes_site_administrators_but_never_takes_the_last(self, roles):
        roles.people["mara"]["realm_access"] = {"roles": ["researcher", "it"]}
        sign_in(roles)
        assert User.objects.get(email=MARA).is_site_administrator
        roles.people["mara"]["realm_access"] = {"roles": ["researcher"]}
        sign_in(roles)
        assert User.objects.get(email=MARA).is_site_administrator
        other = invite_account(email="other@example.edu", site_administrator=True, actor=None)
        sign_in(roles)
        assert User.objects.get(email=MARA).is_site_administrator
        other.set_password("simile-and-metaphor-42")
        other.save()
        sign_in(roles)
        assert not User.objects.get(email=MARA).is_site_administrator

    @pytest.mark.parametrize(
        "refused",
        [{}, {"email": "mara@elsewhere.example"}, {"email_verified": False}, {"email": None}],
        ids=["role", "domain", "unverified", "no address"],
    )
    def test_a_person_refused_without_a_role_loses_the_site_their_sessions_and_their_tokens(
        self, roles, refused
    ):
        add_administrator()
        client, token = signed_in_administrator(roles)
        roles.people["mara"] |= {"realm_access": {"roles": ["student"]}, **refused}
        assert sign_in(roles).status_code == 403
        user = User.objects.get(email=MARA)
        assert not user.is_site_administrator
        assert not user.api_tokens.exists()
        assert client.get("/tokens/").status_code == 302
        assert token.get("/api/v1/studies/").status_code == 401
        logged = AuditEntry.objects.filter(study=None).values_list("act", flat=True)
        assert {"remove_site_administrator_role", "end_sign_ins"} <= set(logged)

    def test_a_person_refused_for_an_address_loses_the_site_alone(self, roles):
        add_administrator()
        client, token = signed_in_administrator(roles)
        roles.people["mara"] |= {
            "realm_access": {"roles": ["researcher"]},
            "email": "mara@elsewhere.example",
        }
        assert code_of(sign_in(roles)) == "sso_domain"
        assert not User.objects.get(email=MARA).is_site_administrator
        assert client.get("/tokens/").status_code == 200
        assert token.get("/api/v1/studies/").status_code == 200

    def test_a_refusal_never_takes_the_last_site_administrator_nor_makes_one(self, roles):
        signed_in_administrator(roles)
        roles.people["mara"]["realm_access"] = {"roles": []}
        assert code_of(sign_in(roles)) == "sso_role"
        assert User.objects.get(email=MARA).is_site_administrator
        add_administrator()
        sign_in(roles)
        assert not User.objects.get(email=MARA).is_site_administrator
        roles.people["mara"]["realm_access"] = {"roles": ["it"]}
        assert code_of(sign_in(roles)) == "sso_role"
        assert not User.objects.get(email=MARA).is_site_administrator

    def test_a_refused_person_without_a_link_takes_nothing_from_the_account_with_their_address(self, roles):
        user = User.objects.create_user(MARA, "simile-and-metaphor-42", is_site_administrator=True)
        add_administrator()
        make_token(user=user, name="a script", scopes=["read"])
        assert code_of(sign_in(roles)) == "sso_role"
        user.refresh_from_db()
        assert (user.is_site_administrator, user.api_tokens.count()) == (True, 1)


def add_administrator() -> None:
    """Another person who can sign in, so that the one of the institution is not the last."""
    User.objects.create_user("other@example.edu", "simile-and-metaphor-42", is_site_administrator=True)


def signed_in_administrator(roles: Provider) -> tuple[Client, APIClient]:
    """A browser and a program of a person that the provider makes a site administrator."""
    roles.people["mara"]["realm_access"] = {"roles": ["researcher", "it"]}
    client, program = Client(), APIClient()
    sign_in(roles, client)
    user = User.objects.get(email=MARA)
    assert user.is_site_administrator
    _, key = make_token(user=user, name="a script", scopes=["read"])
    program.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    assert program.get("/api/v1/studies/").status_code == 200
    return client, program


class TestNoPassword:
    """A password would go on opening an account that the institution refuses."""

    def test_an_account_of_the_institution_sets_none(self, provider):
        client = Client()
        sign_in(provider, client)
        new = {"password1": "another-password-42", "password2": "another-password-42"}
        for answer in (client.get("/account/password/set/"), client.post("/account/password/set/", new)):
            assert answer.status_code == 403
            assert "<code>sso_no_password</code>" in answer.content.decode()
        assert not User.objects.get().has_usable_password()
        assert "/account/password/" not in client.get("/").content.decode()

    def test_without_that_institution_it_sets_one(self, provider, settings):
        client = Client()
        sign_in(provider, client)
        settings.INSTITUTION = None
        assert client.get("/account/password/set/").status_code == 200
        assert "/account/password/set/" in client.get("/").content.decode()

    def test_it_gets_a_mail_without_a_link_and_no_one_else_learns_that(self, provider, settings):
        sign_in(provider)
        User.objects.create_user("other@example.edu", "simile-and-metaphor-42")
        settings.ROOT_URLCONF = "tests.views.people.urls_with_mail"
        settings.SENDS_MAIL, settings.EMAIL_BACKEND = True, "config.mail_backend.Backend"
        with mail_server.running() as server:
            settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, 2
            answers, texts = [], []
            for who in (MARA, "other@example.edu"):
                answers.append(Client().post("/account/reset/", {"email": who}))
                texts.append(server.last_text())
        assert answers[0].status_code == answers[1].status_code == 302
        assert answers[0]["Location"] == answers[1]["Location"]
        assert "sign in with your institution" in texts[0]
        assert "sso_no_password" in texts[0]
        assert ["/account/reset/" in text for text in texts] == [False, True]


def test_without_the_settings_there_is_no_link_and_no_page() -> None:
    assert "institution" not in Client().get("/account/login/").content.decode()
    assert Client().get(START).status_code == 404
    assert Client().get(f"{START}callback/").status_code == 404
