"""At least one site administrator who can sign in always remains."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from allauth.socialaccount.models import SocialAccount

from annotation.domain.base.errors import NotAllowedNow
from annotation.models import User
from annotation.services.base.accounts import add_user
from annotation.services.people.site_accounts import invite_account, set_active, set_site_administrator
from annotation.services.studies.account_deletion import delete_account
from config.settings.institution import from_environment

pytestmark = pytest.mark.django_db
ISSUER = "https://sso.example.edu"
ACTS: dict[str, Callable[[User], object]] = {
    "deactivate": lambda user: set_active(user=user, active=False, actor=None),
    "demote": lambda user: set_site_administrator(user=user, is_administrator=False, actor=None),
    "delete": lambda user: delete_account(user=user, new_owner=None, actor=None),
}


@pytest.fixture
def jonas() -> User:
    return add_user(email="jonas@example.edu", site_administrator=True)[0]


def invited() -> User:
    return invite_account(email="rui@example.edu", site_administrator=True, actor=None)


def allowed(act: str, user: User) -> bool:
    try:
        ACTS[act](user)
    except NotAllowedNow as refusal:
        return refusal.code != "last_site_administrator"
    return True


@pytest.mark.parametrize("act", ACTS)
def test_an_invited_one_without_a_password_does_not_replace_the_only_one_who_can_sign_in(jonas, act):
    rui = invited()
    assert not allowed(act, jonas)
    rui.set_password("simile-and-metaphor-42")
    rui.save()
    assert allowed(act, jonas)


@pytest.mark.parametrize("act", ACTS)
def test_who_is_invited_can_be_taken_away_while_another_one_can_sign_in(jonas, act):
    assert allowed(act, invited())


def test_a_link_to_the_institution_counts_while_this_installation_has_that_institution(
    jonas, settings, monkeypatch
):
    SocialAccount.objects.create(user=invited(), provider=ISSUER, uid="r")
    settings.INSTITUTION = None
    assert not allowed("deactivate", jonas)
    monkeypatch.setenv("GROUNDWORK_OIDC_ISSUER", ISSUER)
    monkeypatch.setenv("GROUNDWORK_OIDC_CLIENT_ID", "groundwork")
    monkeypatch.setenv("GROUNDWORK_OIDC_CLIENT_SECRET", "a secret")
    monkeypatch.setenv("GROUNDWORK_OIDC_DOMAINS", "example.edu")
    settings.INSTITUTION = from_environment()
    assert allowed("deactivate", jonas)
