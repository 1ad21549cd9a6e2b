"""Withdrawal from a study, and what happens to the rater's answers and identity."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import RaterState
from annotation.models import Exclusion, Rater, Withdrawal
from annotation.services.base import audit
from annotation.services.pay.leaving import store_earnings
from annotation.services.rating.erasure import EMPTIED, erase_answers
from annotation.services.seats import reservations
from annotation.services.seats.locks import lock_studies
from annotation.services.seats.pair_rounds import lock_pairings
from annotation.services.seats.stages import decide_items, lock_stage_items


def withdraw(*, rater: Rater) -> Rater:
    """Withdraw a rater for good; answers are retained, excluded or erased, and reserved slots are released.

    Which of these is the study's `on_withdrawal`, as its consent text says. Erasing leaves the rater's
    code and what they were given, without answers, account or platform's id; what was computed before
    is then out of date. Where the answers no longer count, others are given the items, and which items come
    to the next stage is decided again. What the rater has earned stays owed.
    Withdrawing twice is withdrawing once.

    Parameters
    ----------
    rater : Rater
        A rater in any state.

    Raises
    ------
    NotAllowedNow
        The rater’s answers were imported (`rater_imported`): imported raters cannot withdraw.
    """
    with transaction.atomic():
        if rater.study.on_withdrawal == Withdrawal.ERASE:
            lock_studies([rater.study_id])
        rater = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        if rater.state == RaterState.WITHDRAWN:
            return rater
        if rater.state == RaterState.FINISHED and rater.consented_at is None:
            raise NotAllowedNow(
                message("The responses of this rater were imported. Imported raters cannot withdraw."),
                code="rater_imported",
            )
        policy = rater.study.on_withdrawal
        if policy == Withdrawal.ERASE:
            lock_pairings(rater.study)
        store_earnings(rater=rater)
        staged = lock_stage_items(rater)
        _handle_answers(rater, policy)
        reservations.release(raters=[rater.pk])
        decide_items(study=rater.study, items=staged)
        rater.state = RaterState.WITHDRAWN
        rater.finished_at = rater.finished_at or timezone.now()
        rater.save(update_fields=["state", "finished_at", *EMPTIED])
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
        erase_answers(rater)
