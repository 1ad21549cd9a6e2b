"""Actions of site administrators on accounts, each recorded in the site log."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import F

from annotation.domain.base.errors import GroundworkError, InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import is_one_line
from annotation.models import User
from annotation.selectors.people.site_accounts import able_administrators
from annotation.services.base import audit

LONGEST_NAME = 150


def invite_account(
    *, email: str, name: str = "", site_administrator: bool = False, actor: User | None
) -> User:
    """Create an account without a password: its owner sets one by a link, or signs in with the institution.

    Parameters
    ----------
    email, name : str
        The name is shown to other members.
    site_administrator : bool
        Manages accounts and the installation; gives no rights in studies.
    actor : User or None
        User who invites; None on the command line.

    Raises
    ------
    InvalidContent
        The address or the name is not valid (`bad_account`), or the address is taken (`account_exists`).
    """
    email, name = email.strip().lower(), name.strip()
    try:
        validate_email(email)
    except ValidationError as problem:
        raise InvalidContent(" ".join(problem.messages), code="bad_account") from problem
    if len(name) > LONGEST_NAME or not is_one_line(name):
        raise InvalidContent(
            message("Enter a name on one line of at most %(n)d characters.", n=LONGEST_NAME),
            code="bad_account",
        )
    with transaction.atomic():
        if User.objects.filter(email__iexact=email).exists():
            raise InvalidContent(
                message("%(email)s already has an account.", email=email), code="account_exists"
            )
        user = User.objects.create_user(email, name=name, is_site_administrator=site_administrator)
        audit.record_for_site(
            actor=actor, act="invite_account", account=email, site_administrator=site_administrator or None
        )
    return user


def note_password_link(*, user: User, actor: User | None) -> None:
    """Write into the log that a link to set this account's password is made.

    Parameters
    ----------
    user, actor
        Whose account, and who makes the link; None on the command line.

    Raises
    ------
    NotAllowedNow
        The account is deactivated (`account_inactive`), so the password would be of no use.
    """
    if not user.is_active:
        raise NotAllowedNow(
            message("%(email)s is deactivated. Reactivate the account first.", email=user.email),
            code="account_inactive",
        )
    audit.record_for_site(actor=actor, act="make_password_link", account=user.email)


def set_active(*, user: User, active: bool, actor: User | None) -> None:
    """Deactivate an account, which ends its sessions and tokens at once, or reactivate it.

    Parameters
    ----------
    user, active, actor
        An account, whether it may sign in, and who decides; None on the command line.

    Raises
    ------
    NotAllowedNow
        It is the user's own account (`own_account`) or the last site administrator's
        (`last_site_administrator`).
    """
    with transaction.atomic():
        locked = locked_account(user)
        if locked.is_active == active:
            return
        if not active:
            refuse_own_or_last(locked, actor)
            end_sign_ins(locked)
        locked.is_active = active
        locked.save(update_fields=["is_active"])
        act = "reactivate_account" if active else "deactivate_account"
        audit.record_for_site(actor=actor, act=act, account=locked.email)


def set_site_administrator(*, user: User, is_administrator: bool, actor: User | None) -> None:
    """Give an account the role of a site administrator, or remove the role.

    Parameters
    ----------
    user, is_administrator, actor
        An account, what it is to be, and who decides; None on the command line or for the institution.

    Raises
    ------
    NotAllowedNow
        No site administrator who can sign in would be left (`last_site_administrator`), or the account is
        deactivated (`account_inactive`).
    """
    with transaction.atomic():
        locked = locked_account(user)
        if locked.is_site_administrator == is_administrator:
            return
        if not is_administrator:
            refuse_last(locked)
        elif not locked.is_active:
            raise NotAllowedNow(
                message("%(email)s is deactivated. Reactivate the account first.", email=locked.email),
                code="account_inactive",
            )
        locked.is_site_administrator = is_administrator
        locked.is_superuser = False
        locked.save(update_fields=["is_site_administrator", "is_superuser"])
        act = "give_site_administrator_role" if is_administrator else "remove_site_administrator_role"
        audit.record_for_site(actor=actor, act=act, account=locked.email)


def remove_second_factor(*, user: User, actor: User | None) -> int:
    """Remove every device of an account's second factor, when its owner has lost them; return how many.

    Parameters
    ----------
    user, actor
        Whose account, and who removes them; None on the command line.
    """
    with transaction.atomic():
        removed: int = Authenticator.objects.filter(user=user).delete()[0]
        audit.record_for_site(actor=actor, act="remove_second_factor", account=user.email, devices=removed)
    return removed


def unlink_institution(*, user: User, actor: User | None) -> None:
    """Forget which person at the institution an account belongs to: the next sign-in links it again.

    Parameters
    ----------
    user, actor
        Whose account, and who unlinks it; None on the command line.
    """
    with transaction.atomic():
        SocialAccount.objects.filter(user=user).delete()
        end_sign_ins(user)
        audit.record_for_site(actor=actor, act="unlink_institution", account=user.email)


def end_sign_ins(user: User) -> None:
    """End every session of an account, in browsers and programs."""
    User.objects.filter(pk=user.pk).update(sessions_ended=F("sessions_ended") + 1)
    user.api_tokens.all().delete()


def locked_account(user: User) -> User:
    """The row of an account, with those of all site administrators locked in one order."""
    locked = User.objects.select_for_update().order_by("pk")
    rows = {row.pk: row for row in locked.filter(is_site_administrator=True) | locked.filter(pk=user.pk)}
    found = rows[user.pk]
    if found.deleted_at is not None:
        raise GroundworkError(message("This account has been deleted."), code="account_deleted")
    return found


def refuse_own_or_last(user: User, actor: User | None) -> None:
    """Refuse changes to the user’s own account and to the last site administrator."""
    if actor is not None and actor.pk == user.pk:
        raise NotAllowedNow(
            message("This is your own account. Only another site administrator can do this."),
            code="own_account",
        )
    refuse_last(user)


def refuse_last(user: User) -> None:
    """Refuse to remove the only site administrator who can sign in."""
    others = User.objects.filter(is_site_administrator=True, is_active=True).exclude(pk=user.pk)
    able = set(able_administrators().values_list("pk", flat=True))
    if user.is_site_administrator and user.is_active and (not others.exists() or able == {user.pk}):
        raise NotAllowedNow(
            message(
                "This is the only site administrator who can sign in. Give another account the role "
                "first. Invited "
                "accounts count once they have a password."
            ),
            code="last_site_administrator",
        )
