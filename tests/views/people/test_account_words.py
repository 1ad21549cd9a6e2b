"""Pages of one's own account, which allauth serves, speak in the words of this site."""

from __future__ import annotations

import re

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.template.loader import render_to_string
from django.test import Client, override_settings
from django.urls import reverse

from annotation.models import User
from tests.support.layout import folded

pytestmark = pytest.mark.django_db
PASSWORD = "simile-and-metaphor-42"
# What allauth's own templates and forms say, and words that the language guide avoids.
AVOIDED = (
    "Two-Factor", "Authenticator App", "Recovery Codes", "Sign In", "Log In", "Change Password",
    "Set Password", "Current Password", "New Password", "(again)", "Password Reset", "Reset My Password",
    "Confirm Access", "reauthenticate", "Please", "Alternative options", "Are you sure", "E-mail", "e-mail",
    "Forgotten", "Somebody", "Successfully",
)  # fmt: skip


@pytest.fixture
def user() -> User:
    return User.objects.create_user("mara@example.org", PASSWORD)


@pytest.fixture
def browser(user: User) -> Client:
    """Signed in, with the password entered again just now, so that no page asks for it."""
    client = Client()
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def words_of(page: str) -> str:
    """What a person reads, with placeholders and alternative texts."""
    read = re.findall(r'(?:placeholder|alt|aria-label)="([^"]*)"', page)
    return " ".join([re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL), *read])


def avoided_in(page: str) -> list[str]:
    words = words_of(page)
    return [one for one in AVOIDED if one in words]


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("account_change_password", "Change password"),
        ("account_reauthenticate", "Confirm your identity"),
        ("account_logout", "Sign out"),
        ("mfa_index", "Two-factor authentication"),
        ("mfa_activate_totp", "Activate authenticator app"),
    ],
)
def test_a_page_of_ones_own_account_has_the_words_of_this_site(browser, name, heading):
    page = browser.get(reverse(name)).content.decode()
    assert f"<h1>{heading}</h1>" in folded(page)
    assert avoided_in(page) == []


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("mfa_index", "Two-factor authentication"),
        ("mfa_deactivate_totp", "Deactivate authenticator app"),
        ("mfa_generate_recovery_codes", "Create recovery codes"),
        ("mfa_view_recovery_codes", "Recovery codes"),
        ("mfa_reauthenticate", "Confirm your identity"),
    ],
)
def test_so_have_the_pages_of_an_account_with_a_second_factor(user, browser, name, heading):
    TOTP.activate(user, generate_totp_secret())
    RecoveryCodes.activate(user)
    page = browser.get(reverse(name)).content.decode()
    assert f"<h1>{heading}</h1>" in folded(page)
    assert avoided_in(page) == []


def test_the_first_password_is_asked_for_in_these_words(user, browser):
    user.set_unusable_password()
    user.save()
    client = Client()
    client.force_login(user)
    page = client.get(reverse("account_set_password"), follow=True).content.decode()
    assert avoided_in(page) == []


def test_signing_in_with_a_second_factor_says_what_to_enter_and_what_was_wrong(user):
    TOTP.activate(user, generate_totp_secret())
    client = Client()
    page = client.post(
        reverse("account_login"), {"login": user.email, "password": PASSWORD}, follow=True
    ).content.decode()
    assert "Enter a code from your authenticator app, or a recovery code." in page
    assert avoided_in(page) == []
    wrong = client.post(reverse("mfa_authenticate"), {"code": "000000"}).content.decode()
    assert "The code is wrong or has expired." in wrong
    assert avoided_in(wrong) == []


def test_a_wrong_password_is_refused_in_these_words():
    page = (
        Client().post(reverse("account_login"), {"login": "no@example.org", "password": "x"}).content.decode()
    )
    assert "The email address or the password is wrong." in page
    assert avoided_in(page) == []


@override_settings(ROOT_URLCONF="tests.views.people.urls_with_mail")
def test_a_link_by_mail_is_asked_for_in_these_words():
    client = Client()
    page = client.get(reverse("account_reset_password")).content.decode()
    assert "Enter the email address of your account." in page
    assert avoided_in(page) == []
    assert avoided_in(render_to_string("account/password_reset_done.html")) == []


def test_a_changed_password_is_confirmed_once_and_briefly(browser):
    sent = {"oldpassword": PASSWORD, "password1": "another-password-42", "password2": "another-password-42"}
    answer = browser.post(reverse("account_change_password"), sent, follow=True)
    assert "Password changed." in answer.content.decode()
