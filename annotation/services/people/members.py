"""Members of a study: roles are given, changed and removed; one owner always remains."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import TAKING_ANSWERS, Role
from annotation.models import Case, Membership, Rater, Study, User
from annotation.selectors.people.site_accounts import able_accounts
from annotation.services.base import audit

NO_MEMBER = message(
    "This email address cannot be added. It has no account here, or it belongs to a rater of this study."
)


def add_member(
    *, study: Study, user: User, role: Role, actor: User | None, declares_rules: bool = False
) -> Membership:
    """Give a user a role, or change it. A rater of the study cannot become a member of it.

    Parameters
    ----------
    study, user, actor
        A study, an account, and who gives the role; None for the program itself.
    role : Role
        Role that replaces an earlier one. Cases of a former adjudicator are no longer assigned.
    declares_rules : bool
        Whether a researcher may declare, apply and lift exclusion rules; replaces an earlier right. Admins
        and owners may without it, other roles never.

    Raises
    ------
    NotAllowedNow
        The user rates in this study (`no_such_member`), or it would be left without an owner who can sign
        in (`last_owner`).
    """
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if Rater.objects.filter(study=study, user=user).exists():
            # The refusal does not reveal who rates here: members know raters by their codes only.
            raise NotAllowedNow(NO_MEMBER, code="no_such_member")
        if role is not Role.OWNER and study.memberships.filter(user=user, role=Role.OWNER).exists():
            _refuse_last_owner(study, user)
        right = {"declares_rules": declares_rules} if role is Role.RESEARCHER else {}
        membership, _ = Membership.objects.update_or_create(
            study=study, user=user, defaults={"role": role.value, "declares_rules": False, **right}
        )
        if role is not Role.ADJUDICATOR:
            _unassign(study, user)
        audit.record(study=study, actor=actor, act="set_role", member=user.email, role=role.value, **right)
    return membership


def remove_member(*, study: Study, membership: Membership, actor: User) -> None:
    """Remove a member; their actions remain in the audit log, and their cases are no longer assigned.

    Parameters
    ----------
    study, membership, actor
        A study, a role in it, and who removes it.

    Raises
    ------
    NotAllowedNow
        The study would be left without an owner who can sign in (`last_owner`).
    """
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if membership.role == Role.OWNER:
            _refuse_last_owner(study, membership.user)
        membership.delete()
        _unassign(study, membership.user)
        audit.record(study=study, actor=actor, act="remove_member", member=membership.user.email)


def archive_study(*, study: Study, user: User, archived: bool) -> None:
    """Move a study into the archive of a member, or back into the list of their studies.

    Nothing changes for other members.

    Parameters
    ----------
    study, user
        A study and its member.
    archived : bool
        Whether the archive has it.

    Raises
    ------
    NotAllowedNow
        Raters are at work in a study that is to be archived (`not_closed`).
    """
    if archived and study.state in TAKING_ANSWERS:
        raise NotAllowedNow(message("Close the study before you archive it."), code="not_closed")
    Membership.objects.filter(study=study, user=user).update(archived=archived)


def _unassign(study: Study, user: User) -> None:
    Case.objects.filter(study=study, adjudicator=user).update(adjudicator=None)
    Case.objects.filter(study=study, second=user).update(second=None)


def only_owner(study: Study) -> int | None:
    """Give the primary key of the only account that owns the study and can sign in; None for several."""
    owners = list(_able_owners(study).values_list("user", flat=True)[:2])
    return owners[0] if len(owners) == 1 else None


def _able_owners(study: Study) -> QuerySet[Membership]:
    return study.memberships.filter(role=Role.OWNER, user__in=able_accounts())


def _refuse_last_owner(study: Study, user: User) -> None:
    """Refuse to remove the only owner who can sign in."""
    if not _able_owners(study).exclude(user=user).exists():
        raise NotAllowedNow(
            message("A study needs an owner who can sign in. Make another member an owner first."),
            code="last_owner",
        )
