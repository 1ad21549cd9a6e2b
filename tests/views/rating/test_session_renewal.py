"""The session key of a browser changes when its person joins, comes back or signs in."""

from __future__ import annotations

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.models import User
from annotation.services.people.invitations import invite
from annotation.services.rating.enrolment import consent
from annotation.services.studies.lifecycle import change_state
from tests.support.outside.second_factor import current_code
from tests.support.people import PASSWORD, Cast, make_cast

pytestmark = pytest.mark.django_db
LOGIN = "/account/login/"


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3)


def planted() -> tuple[Client, Client, str]:
    """The browser of a person, that of another person with the same session, and its key."""
    elsewhere = make_cast(slug="moons", items=3)
    known, victim = Client(), Client()
    known.post(reverse("join", args=[elsewhere.invitation.token]))
    key = known.cookies[settings.SESSION_COOKIE_NAME].value
    victim.cookies[settings.SESSION_COOKIE_NAME] = key
    assert victim.get(reverse("rate-guide", args=["moons"])).status_code == 200
    return known, victim, key


def check_renewed(known: Client, victim: Client, key: str, page: str, status: int = 200) -> None:
    assert victim.cookies[settings.SESSION_COOKIE_NAME].value != key
    assert not Session.objects.filter(pk=key).exists()
    assert victim.get(page).status_code == status
    known.cookies[settings.SESSION_COOKIE_NAME] = key
    assert known.get(page).status_code != status


def test_joining_renews_the_session(cast):
    known, victim, key = planted()
    assert victim.post(reverse("join", args=[cast.invitation.token])).status_code == 302
    check_renewed(known, victim, key, reverse("rate-guide", args=[cast.slug]))


def test_going_on_by_a_personal_link_renews_the_session(cast):
    rater = consent(invitation=cast.invitation)
    known, victim, key = planted()
    assert victim.get(reverse("join", args=[rater.invitation.token])).status_code == 302
    check_renewed(known, victim, key, reverse("rate-guide", args=[cast.slug]))


def test_agreeing_by_a_personal_link_renews_the_session(cast):
    personal = invite(study=cast.study, actor=cast.users["admin"], personal=True)
    known, victim, key = planted()
    assert victim.post(reverse("join", args=[personal.token])).status_code == 302
    check_renewed(known, victim, key, reverse("rate-guide", args=[cast.slug]))


def test_coming_back_after_the_end_renews_the_session(cast):
    rater = consent(invitation=cast.invitation)
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    known, victim, key = planted()
    assert victim.get(reverse("join", args=[rater.invitation.token])).status_code == 409
    check_renewed(known, victim, key, reverse("rate-guide", args=[cast.slug]))


def signed_in(client: Client, user: User) -> int:
    return client.post(LOGIN, {"login": user.email, "password": PASSWORD}).status_code


def test_signing_in_renews_the_session(cast):
    known, victim, key = planted()
    assert signed_in(victim, cast.users["owner"]) == 302
    check_renewed(known, victim, key, reverse("study", args=[cast.slug]))


def test_signing_in_with_a_second_factor_renews_the_session_and_the_password_alone_opens_nothing(cast):
    secret, owner = generate_totp_secret(), cast.users["owner"]
    TOTP.activate(owner, secret)
    known, victim, key = planted()
    assert signed_in(victim, owner) == 302
    assert victim.get(reverse("study", args=[cast.slug])).status_code == 302
    assert victim.post("/account/2fa/authenticate/", {"code": current_code(secret)}).status_code == 302
    check_renewed(known, victim, key, reverse("study", args=[cast.slug]))
