"""Site administrators manage accounts in the browser."""

from __future__ import annotations

import re

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from rest_framework.test import APIClient

from annotation.models import AuditEntry, User
from annotation.services.base import audit
from annotation.services.base.accounts import add_user
from annotation.services.base.tokens import make_token, sign_in_token
from annotation.services.studies.lifecycle import create_study
from tests.support.outside import mail_server

pytestmark = pytest.mark.django_db
PASSWORD = "simile-and-metaphor-42"
LIST = "/site/accounts/"


@pytest.fixture
def jonas() -> User:
    user, _ = add_user(email="jonas@example.edu", password=PASSWORD, site_administrator=True)
    return user


@pytest.fixture
def admin(jonas: User) -> Client:
    client = Client()
    client.force_login(jonas)
    return client


@pytest.fixture
def mara() -> User:
    return User.objects.create_user("mara@example.edu", PASSWORD, name="Mara Osei")


def do(client: Client, user: User, act: str, **more: str) -> str:
    answer = client.post(f"{LIST}{user.pk}/", {"act": act, **more}, follow=True)
    assert answer.status_code == 200
    user.refresh_from_db()
    return answer.content.decode()


def link_on(page: str) -> str:
    found = re.search(r"http://testserver(/account/reset/[^<\"\s]+)", page)
    assert found is not None, page
    return found[1]


def set_password(link: str, password: str) -> bool:
    """Whether the link still lets a person set one."""
    client = Client()
    page = client.get(link, follow=True)
    if "This link no longer works" in page.content.decode():
        return False
    there = page.redirect_chain[-1][0]
    done = client.post(there, {"password1": password, "password2": password}, follow=True)
    assert "Password set" in done.content.decode()
    return True


def acts() -> list[str]:
    found = AuditEntry.objects.filter(study=None).order_by("pk").values_list("act", flat=True)
    return list(found)


class TestInvited:
    def test_the_person_sets_a_password_by_the_link_once_and_signs_in(self, admin):
        answer = admin.post(LIST, {"email": "New@Example.edu", "name": "Rui"})
        link = link_on(answer.content.decode())
        assert "invited" in admin.get(LIST).content.decode()
        assert set_password(link, PASSWORD)
        assert not set_password(link, "another-password-42")
        assert (
            Client().post("/account/login/", {"login": "new@example.edu", "password": PASSWORD}).status_code
            == 302
        )
        assert acts() == ["add_account", "invite_account"]

    def test_an_address_that_has_an_account_is_refused_and_so_is_a_bad_one(self, admin, mara):
        for email in (mara.email.upper(), "nonsense"):
            assert admin.post(LIST, {"email": email}).status_code == 422
        assert User.objects.count() == 2

    def test_mail_is_sent_where_it_is_set_up_and_a_refusal_leaves_the_link_to_copy(self, admin, settings):
        with mail_server.running() as server:
            settings.SENDS_MAIL, settings.EMAIL_BACKEND = True, "config.mail_backend.Backend"
            settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, 2
            page = admin.post(LIST, {"email": "new@example.edu", "mail": "on"}).content.decode()
            assert link_on(page) in server.last_text()
            page = admin.post(LIST, {"email": "nobody@example.edu", "mail": "on"}).content.decode()
        assert "The email to nobody@example.edu was not sent" in page
        assert "550 5.1.1 There is nobody of this name" in page
        assert set_password(link_on(page), PASSWORD)


class TestAccess:
    def test_deactivating_ends_sessions_and_tokens_at_once_and_for_good(self, admin, mara):
        browser, program = Client(), APIClient()
        browser.post("/account/login/", {"login": mara.email, "password": PASSWORD})
        key = make_token(user=mara, name="script", scopes=["write"])[1]
        sign_in_token(user=mara)
        program.credentials(HTTP_AUTHORIZATION=f"Token {key}")
        assert browser.get("/tokens/").status_code == program.get("/api/v1/studies/").status_code == 200
        assert "Account deactivated" in do(admin, mara, "deactivate")
        assert browser.get("/tokens/").status_code == 302
        assert program.get("/api/v1/studies/").status_code == 401
        do(admin, mara, "reactivate")
        assert browser.get("/tokens/").status_code == 302
        assert program.get("/api/v1/studies/").status_code == 401
        assert not mara.api_tokens.exists()
        answer = browser.post("/account/login/", {"login": mara.email, "password": PASSWORD})
        assert answer.status_code == 302
        assert browser.get("/tokens/").status_code == 200
        assert acts()[1:] == ["deactivate_account", "reactivate_account"]

    def test_a_password_link_made_before_deactivating_stays_ended_after_reactivating(self, admin, mara):
        link = link_on(do(admin, mara, "link"))
        do(admin, mara, "deactivate")
        do(admin, mara, "reactivate")
        assert not set_password(link, "another-password-42")
        assert set_password(link_on(do(admin, mara, "link")), "another-password-42")

    def test_a_deactivated_person_reads_why_and_gets_no_link(self, admin, mara):
        do(admin, mara, "deactivate")
        answer = Client().post("/account/login/", {"login": mara.email, "password": PASSWORD}, follow=True)
        assert "<code>account_inactive</code>" in answer.content.decode()
        assert "/account/reset/" not in do(admin, mara, "link")

    def test_no_one_deactivates_themselves_or_takes_away_the_last_site_administrator(
        self, admin, jonas, mara
    ):
        assert "your own account" in do(admin, jonas, "deactivate")
        refused = do(admin, jonas, "unmake_administrator")
        assert "the only site administrator" in refused
        assert "Last sign-in" in refused
        assert jonas.is_active
        assert jonas.is_site_administrator
        do(admin, mara, "make_administrator")
        do(admin, jonas, "unmake_administrator")
        assert mara.is_site_administrator
        assert not jonas.is_site_administrator
        assert admin.get(LIST).status_code == 403

    def test_a_new_password_ends_sessions_and_leaves_the_second_factor(self, admin, mara):
        Authenticator.objects.create(user=mara, type=Authenticator.Type.TOTP, data={"secret": "x"})
        browser = Client()
        browser.force_login(mara)
        link = link_on(do(admin, mara, "link"))
        assert browser.get("/tokens/").status_code == 200
        assert set_password(link, "another-password-42")
        assert browser.get("/tokens/").status_code == 302
        signing = Client()
        answer = signing.post("/account/login/", {"login": mara.email, "password": "another-password-42"})
        assert answer["Location"].startswith("/account/2fa/authenticate/")
        do(admin, mara, "remove_second_factor")
        # In the browser that still waits for the code.
        assert signing.get("/account/login/").status_code == 200
        signing.post("/account/login/", {"login": mara.email, "password": "another-password-42"})
        assert signing.get("/tokens/").status_code == 200
        assert acts()[1:] == ["make_password_link", "remove_second_factor"]


class TestNoRights:
    def test_a_site_administrator_reaches_no_study_and_sees_no_title(self, admin, mara):
        create_study(slug="lamps", title="Lamps and moons", owner=mara)
        assert admin.get("/studies/lamps/").status_code == 404
        assert admin.get("/api/v1/studies/").json()["results"] == []
        pages = [LIST, f"{LIST}{mara.pk}/", f"{LIST}{mara.pk}/delete/", "/site/log/"]
        assert not any("Lamps and moons" in admin.get(page).content.decode() for page in pages)

    def test_the_pages_are_for_site_administrators_alone(self, mara):
        client = Client()
        client.force_login(mara)
        for page in (LIST, f"{LIST}{mara.pk}/", f"{LIST}{mara.pk}/delete/", "/site/log/"):
            assert client.get(page).status_code == 403
        assert client.post(LIST, {"email": "x@example.edu"}).status_code == 403
        assert LIST not in client.get("/").content.decode()


class TestDeleted:
    def test_the_studies_get_the_owner_that_is_named_and_never_the_site_administrator(
        self, admin, jonas, mara
    ):
        study = create_study(slug="lamps", title="Lamps", owner=mara)
        other = User.objects.create_user("ines@example.edu", PASSWORD)
        page = f"{LIST}{mara.pk}/delete/"
        sent = {"confirmation": mara.email, "new_owner": jonas.email}
        assert "You cannot take over the studies yourself" in admin.post(page, sent).content.decode()
        assert admin.post(page, {**sent, "new_owner": ""}).status_code == 422
        assert admin.post(page, {**sent, "confirmation": "x@example.edu"}).status_code == 422
        assert admin.post(page, {**sent, "new_owner": other.email}).status_code == 302
        assert [(one.user, one.role) for one in study.memberships.all()] == [(other, "owner")]
        assert mara.email not in admin.get(LIST).content.decode()


class TestLog:
    def test_every_act_is_in_it_with_who_did_it_and_can_be_searched(self, admin, jonas, mara):
        do(admin, mara, "deactivate")
        page = admin.get("/site/log/?q=mara").content.decode()
        assert "Account deactivated" in page
        assert jonas.email in page
        assert "Account added" not in page
        for words in ("account+deactivated", "deactivate+account"):
            assert "Account deactivated" in admin.get(f"/site/log/?q={words}").content.decode()
        assert "No entries match this search." in admin.get("/site/log/?q=nonsense").content.decode()

    def test_the_deletion_of_a_study_is_found_by_its_address(self, admin):
        audit.record_for_site(actor=None, act="delete_study", study="lamps-of-old")
        assert "Study deleted" in admin.get("/site/log/?q=of-old").content.decode()

    def test_a_list_of_many_accounts_has_pages_and_a_search(self, admin):
        User.objects.bulk_create(User(email=f"p{n:03}@example.edu", password="!x") for n in range(60))
        assert admin.get(LIST).content.decode().count('href="/site/accounts/') <= 55
        assert "p059@example.edu" in admin.get(f"{LIST}?page=2").content.decode()
        assert "p059@example.edu" in admin.get(f"{LIST}?q=P059&state=invited").content.decode()
        assert "p059@example.edu" not in admin.get(f"{LIST}?state=deactivated").content.decode()


def test_a_forgotten_password_is_reset_by_mail_and_a_server_that_refuses_is_shown(mara, settings):
    settings.ROOT_URLCONF = "tests.views.people.urls_with_mail"
    settings.SENDS_MAIL, settings.EMAIL_BACKEND = True, "config.mail_backend.Backend"
    with mail_server.running() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, 2
        assert Client().post("/account/reset/", {"email": mara.email}).status_code == 302
        assert set_password(link_on(server.last_text()), "another-password-42")
        User.objects.create_user("nobody@example.edu", PASSWORD)
        page = Client().post("/account/reset/", {"email": "nobody@example.edu"}).content.decode()
    assert "mail_refused" in page


def test_deleting_looks_dangerous_and_the_safe_way_is_the_main_one(admin, mara):
    account = admin.get(f"{LIST}{mara.pk}/").content.decode()
    assert f'<a class="btn btn--danger" href="{LIST}{mara.pk}/delete/">' in account
    asked = admin.get(f"{LIST}{mara.pk}/delete/").content.decode()
    assert f'<a class="btn btn--main" href="{LIST}{mara.pk}/">Cancel</a>' in asked
    assert '<button class="btn btn--danger" type="submit">Delete account</button>' in asked
