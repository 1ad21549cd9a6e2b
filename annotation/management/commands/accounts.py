"""`manage.py accounts …`: the account administration of site administrators on the command line."""

from __future__ import annotations

import argparse
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.base.errors import GroundworkError
from annotation.management.site_address import on_this_site
from annotation.models import User
from annotation.selectors.people.site_accounts import AccountsView, accounts, state_of
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
from annotation.services.studies.account_deletion import delete_account

HEADING = ("email", "name", "state", "second factor", "studies", "last sign-in", "role")


class Command(BaseCommand):
    help = "Accounts of this installation: list, invite, deactivate, reset and others."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        listing = acts.add_parser("list", help="who can sign in")
        listing.add_argument("--search", default="", help="search in email addresses and names")
        inviting = _of_account(acts, "invite", "make an account, and a link with which a password is set")
        inviting.add_argument("--name", default="")
        inviting.add_argument("--site-admin", action="store_true", help="can manage accounts and the site")
        inviting.add_argument("--mail", action="store_true", help="also send the link by email")
        _of_account(acts, "reset", "a link with which a new password is set").add_argument(
            "--mail", action="store_true", help="also send the link by email"
        )
        _of_account(acts, "deactivate", "it cannot sign in; sessions and tokens end")
        _of_account(acts, "reactivate", "it can sign in again")
        _of_account(acts, "remove_second_factor", "for a person who has lost the device")
        _of_account(acts, "unlink", "forget which person at the institution it belongs to")
        role = _of_account(acts, "site_admin", "make somebody a site administrator")
        role.add_argument("--remove", action="store_true", help="remove the role")
        deleting = _of_account(acts, "delete", "the person’s data go; logs keep a number")
        deleting.add_argument(
            "--new-owner", metavar="EMAIL", help="new owner of studies without another owner"
        )
        deleting.add_argument(
            "--no-input",
            "--noinput",
            action="store_false",
            dest="interactive",
            help="do not ask for confirmation",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['act']}")(options)
        except GroundworkError as refusal:
            raise CommandError(f"{refusal.message} [{refusal.code}]", returncode=2) from refusal

    def _list(self, options: dict[str, Any]) -> None:
        rows = [HEADING, *(_row(user) for user in accounts(AccountsView(q=options["search"])))]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            self.stdout.write("  ".join(cells).rstrip())

    def _invite(self, options: dict[str, Any]) -> None:
        user = invite_account(
            email=options["email"],
            name=options["name"],
            site_administrator=options["site_admin"],
            actor=None,
        )
        self._give_link(user, by_mail=options["mail"])

    def _reset(self, options: dict[str, Any]) -> None:
        user = _account(options["email"])
        note_password_link(user=user, actor=None)
        self._give_link(user, by_mail=options["mail"])

    def _give_link(self, user: User, *, by_mail: bool) -> None:
        link = on_this_site(password_path(user=user))
        self.stdout.write(f"{user.email} can set a password with this link once within 3 days:\n{link}")
        if not by_mail:
            return
        if not settings.SENDS_MAIL:
            self.stderr.write("No email sent: EMAIL_HOST is not set. Send the link yourself.")
            return
        try:
            mail_link(user=user, link=link)
        except MailNotSent as problem:
            self.stderr.write(f"{problem.message} [{problem.code}] Send the link yourself.")
        else:
            self.stdout.write("Email sent.")

    def _deactivate(self, options: dict[str, Any]) -> None:
        set_active(user=_account(options["email"]), active=False, actor=None)
        self.stdout.write(f"{options['email']} deactivated. All sessions and tokens have ended.")

    def _reactivate(self, options: dict[str, Any]) -> None:
        set_active(user=_account(options["email"]), active=True, actor=None)
        self.stdout.write(f"{options['email']} can sign in again.")

    def _remove_second_factor(self, options: dict[str, Any]) -> None:
        removed = remove_second_factor(user=_account(options["email"]), actor=None)
        self.stdout.write(f"Two-factor authentication of {options['email']} removed (devices: {removed}).")

    def _unlink(self, options: dict[str, Any]) -> None:
        unlink_institution(user=_account(options["email"]), actor=None)
        self.stdout.write(f"{options['email']} unlinked from the institution.")

    def _site_admin(self, options: dict[str, Any]) -> None:
        becomes = not options["remove"]
        set_site_administrator(user=_account(options["email"]), is_administrator=becomes, actor=None)
        self.stdout.write(f"{options['email']} is {'' if becomes else 'not '}a site administrator.")

    def _delete(self, options: dict[str, Any]) -> None:
        successor = _account(options["new_owner"]) if options["new_owner"] else None
        user = _account(options["email"])
        if options["interactive"]:
            _confirm_deletion(user)
        studies = delete_account(user=user, new_owner=successor, actor=None)
        self.stdout.write(f"{options['email']} deleted (studies with a new owner: {studies}).")


def _of_account(acts: Any, name: str, words: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = acts.add_parser(name, help=words)
    parser.add_argument("email")
    return parser


def _account(email: str) -> User:
    user = accounts().filter(email__iexact=email).first()
    if user is None:
        raise CommandError(f"There is no account with the email {email} [no_account]", returncode=2)
    return user


def _confirm_deletion(user: User) -> None:
    try:
        typed = input(f"This cannot be undone. To delete {user.email}, type its email: ")
    except EOFError:
        typed = ""
    if typed.strip().lower() != user.email.lower():
        raise CommandError(
            "Nothing was deleted: the email was not confirmed. Use `--no-input` to skip the confirmation. "
            "[not_confirmed]",
            returncode=2,
        )


def _row(user: Any) -> tuple[str, ...]:
    seen = f"{user.last_login:%Y-%m-%d %H:%M} UTC" if user.last_login else "never"
    return (
        user.email,
        user.name,
        state_of(user).value,
        "on" if user.has_second_factor else "off",
        str(user.n_studies),
        seen,
        "site administrator" if user.is_site_administrator else "",
    )
