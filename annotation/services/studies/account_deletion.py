"""Deletion of an account: its studies get another owner, and its log entries lose the name."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.utils import timezone

from annotation.domain.base.addresses import names_address, other_addresses
from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import counted_message, message
from annotation.domain.base.states import Role
from annotation.models import AuditEntry, Case, Membership, Rater, Study, User
from annotation.selectors.people.site_accounts import able_accounts, studies_without_another_owner
from annotation.services.base import audit
from annotation.services.people.contact import set_contact
from annotation.services.people.members import add_member
from annotation.services.people.site_accounts import end_sign_ins, locked_account, refuse_own_or_last
from annotation.services.seats.locks import lock_studies


def delete_account(*, user: User, new_owner: User | None, actor: User | None) -> int:
    """Delete an account, and return how many studies got another owner.

    All personal data are deleted: address, name, password, devices, tokens and links to the institution.
    The log shows a number instead. Ratings remain under the rater's code.

    Parameters
    ----------
    user : User
        The account.
    new_owner : User or None
        The new owner of the studies without another owner; None if there are none.
    actor : User or None
        The administrator; None on the command line.

    Raises
    ------
    NotAllowedNow
        It is the actor's own account or that of the last site administrator; a new owner is needed
        (`owns_studies`) or is a rater in one of the studies (`no_such_member`); or the account has been
        given a role in the meantime (`account_changed`).
    InvalidContent
        The new owner is deactivated, the account itself or the acting site administrator
        (`bad_new_owner`), or was invited and cannot sign in yet (`new_owner_cannot_sign_in`).
    """
    with transaction.atomic():
        locked = _locked_with_studies(user)
        refuse_own_or_last(locked, actor)
        handed_over = list(studies_without_another_owner(locked))
        to: dict[str, str] = {}
        if handed_over:
            successor = _checked(new_owner, locked, actor, len(handed_over))
            for study in handed_over:
                add_member(study=study, user=successor, role=Role.OWNER, actor=actor)
            to = {"new_owner": successor.email}
        _leave_studies(locked, actor)
        _forget_person(locked)
        audit.record_for_site(
            actor=actor, act="delete_account", account=locked.email, studies=len(handed_over), **to
        )
    return len(handed_over)


def _locked_with_studies(user: User) -> User:
    """Lock the studies that the account leaves, so that their owners do not change, then the account."""
    joined = Membership.objects.filter(user=user.pk).values_list("study_id", flat=True)
    studies = {*joined, *_naming(user)}
    lock_studies(studies)
    locked = locked_account(user)
    if not studies.issuperset(joined.all()):
        raise NotAllowedNow(
            message("%(email)s has just been given a role in a study. Try again.", email=locked.email),
            code="account_changed",
        )
    return locked


def _checked(new_owner: User | None, user: User, actor: User | None, studies: int) -> User:
    if new_owner is None:
        raise NotAllowedNow(
            counted_message(
                "%(email)s is the only owner of %(n)d study. Enter a new owner.",
                "%(email)s is the only owner of %(n)d studies. Enter a new owner.",
                n=studies,
                email=user.email,
            ),
            code="owns_studies",
        )
    new_owner = User.objects.select_for_update().get(pk=new_owner.pk)
    if not new_owner.is_active or new_owner.pk == user.pk:
        raise InvalidContent(
            message("Enter an active account other than the deleted one as the new owner."),
            code="bad_new_owner",
        )
    if actor is not None and new_owner.pk == actor.pk:
        raise InvalidContent(
            message("You cannot take over the studies yourself. Enter another new owner."),
            code="bad_new_owner",
        )
    if not able_accounts().filter(pk=new_owner.pk).exists():
        raise InvalidContent(
            message(
                "%(email)s cannot sign in yet, because no password has been set. Send this person a password "
                "link, or enter another new owner.",
                email=new_owner.email,
            ),
            code="new_owner_cannot_sign_in",
        )
    return new_owner


def _leave_studies(user: User, actor: User | None) -> None:
    memberships = Membership.objects.filter(user=user).select_related("study")
    Case.objects.filter(adjudicator=user).update(adjudicator=None)
    Case.objects.filter(second=user).update(second=None)
    for membership in memberships.order_by("study_id"):
        membership.delete()
        audit.record(study=membership.study, actor=actor, act="remove_member", member=user.email)
    for study in Study.objects.filter(pk__in=_naming(user)).order_by("pk"):
        owners = Membership.objects.filter(study=study, role=Role.OWNER).select_related("user")
        owner = owners.order_by("-user__is_active", "pk").first()
        contact = study.contact
        if names_address(contact, user.email):
            others = ", ".join(other_addresses(contact, user.email))
            contact = others or (owner.user.email if owner else "")
        set_contact(study=study, actor=actor, contact=contact, translations={})


def _naming(user: User) -> set[int]:
    """The studies whose contact contains the address of an account, in any language."""
    studies = Study.objects.values_list("pk", "contact", "contact_translations")
    return {
        pk
        for pk, contact, translated in studies
        if any(names_address(text, user.email) for text in (contact, *translated.values()))
    }


def _forget_person(user: User) -> None:
    """Remove personal data from the row; decisions and log entries keep pointing to it."""
    known_as, end = user.email, timezone.now()
    Rater.objects.filter(user=user).update(user=None)
    for model in (Authenticator, SocialAccount, EmailAddress):
        model.objects.filter(user=user).delete()
    end_sign_ins(user)
    user.refresh_from_db()
    user.email, user.name = f"account-{user.pk}@deleted.invalid", f"Deleted account {user.pk}"
    user.is_active = user.is_site_administrator = user.is_superuser = False
    user.last_login, user.deleted_at = None, end
    user.set_unusable_password()
    user.save()
    AuditEntry.objects.pseudonymise(known_as, user.email)
