"""Accounts for site administrators: how they sign in, without any data of their studies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import QueryDict

from annotation.domain.base.messages import message
from annotation.domain.base.states import Role
from annotation.models import Membership, Study, User


class AccountState(StrEnum):
    """The state of an account; an `INVITED` one has never signed in."""

    ACTIVE = "active"
    INVITED = "invited"
    DEACTIVATED = "deactivated"

    @property
    def words(self) -> str:
        """The name of the state."""
        return STATE_NAMES[self]


STATE_NAMES: Mapping[AccountState, str] = {
    AccountState.ACTIVE: message("active"),
    AccountState.INVITED: message("invited"),
    AccountState.DEACTIVATED: message("deactivated"),
}

NEVER_SIGNED_IN = Q(last_login=None) & Q(("password__startswith", UNUSABLE_PASSWORD_PREFIX))
STATES = {
    AccountState.ACTIVE: Q(is_active=True) & ~NEVER_SIGNED_IN,
    AccountState.INVITED: Q(is_active=True) & NEVER_SIGNED_IN,
    AccountState.DEACTIVATED: Q(is_active=False),
}


@dataclass(frozen=True)
class AccountsView:
    """The filters of the list of accounts."""

    q: str = ""
    state: str = ""
    role: str = ""

    def query(self) -> str:
        """The filters as the query string of the page's address."""
        written = QueryDict(mutable=True)
        for name in ("q", "state", "role"):
            if getattr(self, name):
                written[name] = getattr(self, name)
        return written.urlencode()


def read_accounts_view(asked: QueryDict) -> AccountsView:
    """Read the filters of a URL; unknown ones are left out."""
    state, role = asked.get("state", ""), asked.get("role", "")
    return AccountsView(
        q=asked.get("q", "").strip().replace("\x00", ""),
        state=state if state in set(AccountState) else "",
        role=role if role == "admin" else "",
    )


def accounts(view: AccountsView | None = None) -> QuerySet[User]:
    """Accounts that are not deleted, by address, each with `has_second_factor`, `is_linked`, `n_studies`."""
    view = view or AccountsView()
    found = User.objects.filter(deleted_at=None)
    if view.q:
        found = found.filter(Q(email__icontains=view.q) | Q(name__icontains=view.q))
    if view.state:
        found = found.filter(STATES[AccountState(view.state)])
    if view.role:
        found = found.filter(is_site_administrator=True)
    own = {"user": OuterRef("pk")}
    return found.annotate(
        has_second_factor=Exists(Authenticator.objects.filter(**own)),
        is_linked=Exists(SocialAccount.objects.filter(**own)),
        n_studies=Count("memberships"),
    ).order_by("email")


def able_administrators() -> QuerySet[User]:
    """Site administrators who can sign in."""
    return able_accounts().filter(is_site_administrator=True)


def able_accounts() -> QuerySet[User]:
    """Accounts that can sign in: by a password, or linked to the institution that is set."""
    institution = settings.INSTITUTION
    link = SocialAccount.objects.filter(
        user=OuterRef("pk"), provider=institution.issuer if institution else None
    )
    by_password = ~Q(password="") & ~Q(("password__startswith", UNUSABLE_PASSWORD_PREFIX))
    return User.objects.filter(by_password | Exists(link), is_active=True)


def has_institution_only(user: User) -> bool:
    """Whether an account signs in with the institution that is set, and has no password."""
    institution = settings.INSTITUTION
    if institution is None or user.has_usable_password():
        return False
    linked: bool = SocialAccount.objects.filter(user=user, provider=institution.issuer).exists()
    return linked


def state_of(user: User) -> AccountState:
    """The state of an account."""
    if not user.is_active:
        return AccountState.DEACTIVATED
    if user.last_login is None and not user.has_usable_password():
        return AccountState.INVITED
    return AccountState.ACTIVE


def studies_without_another_owner(user: User) -> QuerySet[Study]:
    """Studies without another owner who can sign in; an owner who is only invited cannot yet."""
    others = Membership.objects.filter(study=OuterRef("pk"), role=Role.OWNER, user__in=able_accounts())
    owned = Study.objects.filter(memberships__user=user, memberships__role=Role.OWNER)
    return owned.exclude(Exists(others.exclude(user=user))).order_by("pk")
