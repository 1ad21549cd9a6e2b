"""Leaving a study for good: what becomes of the answers, and of what says who somebody was."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import RaterState
from annotation.models import (
    CheckVerdict,
    Exclusion,
    FinalAnswer,
    Invitation,
    PlatformIdentity,
    Rater,
    Rating,
    Response,
    Study,
    Withdrawal,
)
from annotation.services.base import audit
from annotation.services.seats import reservations
from annotation.services.seats.stages import decide_items, lock_stage_items


def withdraw(*, rater: Rater) -> Rater:
    """Withdraw a rater for good; their answers are kept, excluded or erased, and reserved slots go to others.

    Which of these is the study's `on_withdrawal`, as its consent text says. Erasing leaves the rater's
    code and what they were given, without answers, account or platform's id; what was computed before
    is then out of date. Where the answers no longer count, others are given the items, and which items come
    to the next stage is decided anew. Withdrawing twice is withdrawing once.

    Parameters
    ----------
    rater : Rater
        A rater in any state.

    Raises
    ------
    NotAllowedNow
        The rater’s answers were imported (`rater_imported`): nobody here is that rater.
    """
    with transaction.atomic():
        rater = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        if rater.state == RaterState.WITHDRAWN:
            return rater
        if rater.state == RaterState.FINISHED and rater.consented_at is None:
            raise NotAllowedNow(
                "The answers of this rater were imported: nobody can withdraw for them.",
                code="rater_imported",
            )
        policy = rater.study.on_withdrawal
        staged = lock_stage_items(rater)
        _handle_answers(rater, policy)
        reservations.release(raters=[rater.pk])
        decide_items(study=rater.study, items=staged)
        rater.state = RaterState.WITHDRAWN
        rater.finished_at = rater.finished_at or timezone.now()
        rater.save(update_fields=["state", "finished_at", "user", "join_key"])
        # Members read the log and know raters by their codes alone, so no account is named.
        audit.record(study=rater.study, actor=None, act="withdraw", rater=rater.code, answers=policy)
    return rater


def _handle_answers(rater: Rater, policy: str) -> None:
    if policy != Withdrawal.KEEP:
        reservations.reopen(rater=rater)
    if policy == Withdrawal.EXCLUDE:
        Exclusion.objects.create(
            study=rater.study, rater=rater, rule="withdrawn", reason="The rater has withdrawn."
        )
    elif policy == Withdrawal.ERASE:
        CheckVerdict.objects.filter(assignment__rater=rater).delete()
        FinalAnswer.objects.filter(chosen_from=rater).update(chosen_from=None)
        answers = Response.objects.filter(assignment__rater=rater)
        Rating.objects.filter(response__in=answers).delete()
        Exclusion.objects.filter(response__in=answers).update(response=None, rater=rater)
        answers.delete()
        rater.demographic_answers.all().delete()
        rater.attempts.update(figure=None, detail={}, decision="")
        rater.assignments.update(hurried_after=None, hurried_content="")
        _erase_identity(rater)


def _erase_identity(rater: Rater) -> None:
    """Erase who somebody was; of a platform's id a keyed hash stays, by which coming again is known."""
    rater.user, rater.join_key = None, None
    Invitation.objects.filter(rater=rater).update(label="")
    identity = PlatformIdentity.objects.filter(rater=rater).first()
    if identity is not None:
        identity.person = hashed_person(rater.study, identity.platform, identity.person)
        identity.task = identity.session = identity.submit_to = ""
        identity.save(update_fields=["person", "task", "session", "submit_to"])


def hashed_person(study: Study, platform: str, person: str) -> str:
    """What is stored of the platform ID of a withdrawn rater: a keyed hash, the same for the same person.

    Parameters
    ----------
    study : Study
        They took part in.
    platform, person : str
        Where they came from, and their id there.
    """
    return salted_hmac("erased person", f"{study.pk} {platform} {person}", algorithm="sha256").hexdigest()
