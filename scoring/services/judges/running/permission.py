"""The owner’s permission for the texts of items to leave the installation."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import Role
from annotation.models import Membership, User
from annotation.services.base import audit
from scoring.models import Judge
from scoring.services.judges.running.settings import CHAT

ALLOWED = "texts_may_be_sent"


def allow_texts(*, judge: Judge, actor: User, consent_names_it: bool) -> Judge:
    """Let the texts of the study’s items be sent to the endpoint of a judge.

    Parameters
    ----------
    judge : Judge
        Judge that calls a chat endpoint.
    actor : User
        An owner of the study.
    consent_names_it : bool
        The owner confirms that the consent form says that the texts are sent to a model of others.

    Raises
    ------
    NotAllowedNow
        `owner_only`, or `consent_says_nothing_of_judges` where the owner does not confirm it.
    """
    with transaction.atomic():
        judge = _owned(judge, actor)
        if not consent_names_it:
            raise NotAllowedNow(
                message(
                    "The consent form must say that the texts of items are sent to an outside model, and "
                    "name the recipient. Change it under Settings → Consent, then confirm that it does."
                ),
                code="consent_says_nothing_of_judges",
            )
        address = judge.settings[CHAT]["address"]
        judge.settings[ALLOWED] = {
            "address": address,
            "at": timezone.now().isoformat(timespec="seconds"),
            "consent_version": judge.study.consent_number,
        }
        judge.save(update_fields=["settings"])
        audit.record(
            study=judge.study, actor=actor, act="allow_judge_texts", name=judge.name, address=address
        )
    return judge


def forbid_texts(*, judge: Judge, actor: User) -> Judge:
    """Withdraw the permission; a run that is in progress ends before its next call.

    Parameters
    ----------
    judge, actor
        The judge, and an owner of the study.

    Raises
    ------
    NotAllowedNow
        `owner_only`.
    """
    with transaction.atomic():
        judge = _owned(judge, actor)
        if judge.settings.pop(ALLOWED, None) is not None:
            judge.save(update_fields=["settings"])
            audit.record(study=judge.study, actor=actor, act="forbid_judge_texts", name=judge.name)
    return judge


def may_send_texts(judge: Judge) -> bool:
    """Whether an owner has allowed that texts are sent to the address of a judge.

    Parameters
    ----------
    judge : Judge
        Judge that calls a chat endpoint.
    """
    return bool(judge.settings.get(ALLOWED, {}).get("address") == judge.settings[CHAT]["address"])


def check_allowed(judge: Judge) -> None:
    """Refuse to send texts that may not leave.

    Parameters
    ----------
    judge : Judge
        As its row is now.

    Raises
    ------
    NotAllowedNow
        `texts_may_not_leave`.
    """
    if not may_send_texts(judge):
        raise NotAllowedNow(
            message("An owner of the study must first allow that the texts of items are sent to this judge."),
            code="texts_may_not_leave",
        )


def _owned(judge: Judge, actor: User) -> Judge:
    """The row, locked, if the actor is an owner of its study."""
    locked = Judge.objects.select_for_update(of=("self",)).select_related("study").get(pk=judge.pk)
    owners = Membership.objects.filter(study=locked.study, user=actor, role=Role.OWNER.value)
    if not owners.exists():
        raise NotAllowedNow(
            message("Only an owner of the study may decide that texts of items leave this installation."),
            code="owner_only",
        )
    return locked
