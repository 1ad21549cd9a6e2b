"""`/site/accounts/`: the accounts of this installation, for site administrators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError
from annotation.forms.accounts import InviteForm
from annotation.models import User
from annotation.selectors.base.audit_log import site_entries
from annotation.selectors.people.site_accounts import (
    AccountState,
    read_accounts_view,
    state_of,
    studies_without_another_owner,
)
from annotation.selectors.people.site_accounts import accounts as listed_accounts
from annotation.services.people.mail import MailNotSent
from annotation.services.people.password_links import mail_link, password_path
from annotation.services.people.site_accounts import (
    invite_account,
    note_password_link,
    remove_second_factor,
    set_active,
    set_site_administrator,
    unlink_institution,
)
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import shown_page, site_page

ACCOUNTS_PER_PAGE = 50
ENTRIES_SHOWN = 20


@dataclass(frozen=True)
class MadeLink:
    """A link to share; `mailed` if the mail server accepted it, else `problem` says why not."""

    user: User
    address: str
    mailed: bool = False
    problem: str = ""


@site_page("GET", "POST")
def accounts(request: HttpRequest, administrator: User) -> HttpResponse:
    """The list, and the form for a new account; only this answer shows the link."""
    form = InviteForm(request.POST if request.method == "POST" else None)
    made = None
    if form.is_bound and form.is_valid():
        given = dict(form.cleaned_data)
        by_mail = bool(given.pop("mail", False))
        try:
            user = invite_account(**given, actor=administrator)
        except GroundworkError as refusal:
            form.add_error("email", translated(refusal.message))
        else:
            made, form = _made_link(request, user, by_mail=by_mail), InviteForm()
    view = read_accounts_view(request.GET)
    context = {
        "tab": "accounts",
        "view": view,
        "accounts": shown_page(request, listed_accounts(view), size=ACCOUNTS_PER_PAGE),
        "states": list(AccountState),
        "form": form,
        "made": made,
        "institution": settings.INSTITUTION,
    }
    return render(request, "annotation/people/accounts.html", context, status=422 if form.errors else 200)


@site_page("GET", "POST")
def account(request: HttpRequest, administrator: User, pk: int) -> HttpResponse:
    """One account, and the actions on it."""
    user = get_object_or_404(listed_accounts(), pk=pk)
    made = None
    if request.method == "POST":
        act = request.POST.get("act", "")
        try:
            if act == "link":
                note_password_link(user=user, actor=administrator)
                made = _made_link(request, user, by_mail=settings.SENDS_MAIL and "mail" in request.POST)
            elif act in ACTS:
                messages.success(request, ACTS[act](user, administrator))
        except GroundworkError as refusal:
            messages.error(request, translated(refusal.message))
        if made is None:
            administrator.refresh_from_db()
            return (
                redirect("site-account", pk=pk) if administrator.is_site_administrator else redirect("home")
            )
    context: dict[str, Any] = {
        "tab": "accounts",
        "account": user,
        "state": state_of(user),
        "made": made,
        "n_owned_alone": studies_without_another_owner(user).count(),
        "entries": site_entries().filter(detail__account=user.email)[:ENTRIES_SHOWN],
        "sends_mail": settings.SENDS_MAIL,
        "institution": settings.INSTITUTION,
    }
    return render(request, "annotation/people/account.html", context)


def _made_link(request: HttpRequest, user: User, *, by_mail: bool) -> MadeLink:
    address = request.build_absolute_uri(password_path(user=user))
    if not by_mail:
        return MadeLink(user, address)
    try:
        mail_link(user=user, link=address)
    except MailNotSent as problem:
        return MadeLink(user, address, problem=problem.message)
    return MadeLink(user, address, mailed=True)


def _deactivate(user: User, administrator: User) -> str:
    set_active(user=user, active=False, actor=administrator)
    return _("Account deactivated. All its sessions ended and all its tokens are revoked.")


def _reactivate(user: User, administrator: User) -> str:
    set_active(user=user, active=True, actor=administrator)
    return _("Account reactivated.")


def _make_administrator(user: User, administrator: User) -> str:
    set_site_administrator(user=user, is_administrator=True, actor=administrator)
    return _("Site administrator added.")


def _unmake_administrator(user: User, administrator: User) -> str:
    set_site_administrator(user=user, is_administrator=False, actor=administrator)
    return _("Site administrator removed.")


def _remove_second_factor(user: User, administrator: User) -> str:
    remove_second_factor(user=user, actor=administrator)
    return _("Two-factor authentication turned off. The next sign-in needs only the password.")


def _unlink(user: User, administrator: User) -> str:
    unlink_institution(user=user, actor=administrator)
    return _("Link to the institution removed. The next sign-in with the institution creates it again.")


ACTS: dict[str, Callable[[User, User], str]] = {
    "deactivate": _deactivate,
    "reactivate": _reactivate,
    "make_administrator": _make_administrator,
    "unmake_administrator": _unmake_administrator,
    "remove_second_factor": _remove_second_factor,
    "unlink": _unlink,
}
