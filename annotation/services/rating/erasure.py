"""Erasing what a study holds of a person: at a rater's withdrawal, or when an owner is asked to."""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.module_loading import import_string

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import RaterState
from annotation.domain.people.holdings import registered_holdings
from annotation.models import (
    AuditEntry,
    Bonus,
    CheckVerdict,
    Exclusion,
    ExclusionLift,
    FinalAnswer,
    PairRound,
    PilotMatch,
    ProblemReport,
    Rater,
    RaterFlag,
    RaterKind,
    Rating,
    Response,
    User,
)
from annotation.services.base import audit
from annotation.services.base.archives import delete_archives
from annotation.services.pay.leaving import erase_payment_notes, store_earnings
from annotation.services.people.identity import erase_identity
from annotation.services.seats import reservations
from annotation.services.seats.locks import lock_studies
from annotation.services.seats.pair_rounds import lock_pairings
from annotation.services.seats.stages import decide_items, lock_stage_items

# The fields of a rater that `erase_answers` empties; its caller saves them.
EMPTIED = ("user", "join_key", "last_seen_at", "messages_stopped_at")


def erase_rater(*, rater: Rater, actor: User | None) -> int:
    """Erase a person's data from a study in any state; only the rater's code and what was shown to them stay.

    The rater counts as withdrawn: others are given the items, and bundles made before are deleted. Reports
    computed before are out of date; those with statistics of this rater lose those of every single rater.
    Erasing again erases what came to be stored since; the time of the first erasure stays the one that is
    reported.

    Parameters
    ----------
    rater : Rater
        A person, in any state; their answers may have been imported.
    actor : User or None
        The owner who was asked to; None on the command line.

    Returns
    -------
    int
        How many responses were erased, earlier revisions among them.

    Raises
    ------
    NotAllowedNow
        The rater is no person: a trial, or a slot of an imported table (`no_person`).
    """
    if rater.kind != RaterKind.PERSON:
        sentence = message("%(code)s is not a person and has no personal data to erase.", code=rater.code)
        raise NotAllowedNow(sentence, code="no_person")
    with transaction.atomic():
        lock_studies([rater.study_id])
        rater = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        lock_pairings(rater.study)
        store_earnings(rater=rater)
        staged = lock_stage_items(rater)
        reservations.reopen(rater=rater)
        erased = erase_answers(rater)
        reservations.release(raters=[rater.pk])
        decide_items(study=rater.study, items=staged)
        rater.state = RaterState.WITHDRAWN
        rater.finished_at = rater.finished_at or timezone.now()
        rater.save(update_fields=["state", "finished_at", *EMPTIED])
        audit.record(study=rater.study, actor=actor, act="erase_rater", rater=rater.code, responses=erased)
    return erased


def erase_answers(rater: Rater) -> int:
    """Erase a rater's answers, demographics and identity; return the number of responses.

    Parameters
    ----------
    rater : Rater
        Locked by the caller's transaction, which saves it and has locked the study before: a job that
        computes something of raters stores it before or after, and then without this one.
    """
    for holding in registered_holdings():
        import_string(holding.erase)(rater)
    CheckVerdict.objects.filter(assignment__rater=rater).delete()
    # The difference between the counts of two rounds shows a single answer.
    rounds = PairRound.objects.filter(pairing__form__in=rater.assignments.values("form"))
    rounds.update(counts=[], strengths={})
    FinalAnswer.objects.filter(chosen_from=rater).update(chosen_from=None)
    answers = Response.objects.filter(assignment__rater=rater)
    Rating.objects.filter(response__in=answers).delete()
    _erase_words(rater)
    erased = answers.count()
    answers.delete()
    ProblemReport.objects.filter(assignment__rater=rater).delete()
    rater.demographic_answers.all().delete()
    _erase_times(rater)
    erase_identity(rater)
    PilotMatch.objects.filter(Q(rater=rater) | Q(main_rater=rater)).delete()
    for study in (rater.study, *rater.study.main_studies.all()):
        # A main study may have been pooled with its pilot.
        transaction.on_commit(partial(delete_archives, study))
    return erased


def _erase_words(rater: Rater) -> None:
    """Erase what members wrote about the rater; exclusions and their rules stay."""
    responses = set(Response.objects.filter(assignment__rater=rater).values_list("pk", flat=True))
    AuditEntry.objects.erase_words(rater.study, rater.code, responses)
    Exclusion.objects.filter(response__assignment__rater=rater).update(response=None, rater=rater)
    exclusions = Exclusion.objects.filter(rater=rater)
    ExclusionLift.objects.filter(exclusion__in=exclusions).update(reason="")
    exclusions.filter(by_rule=None).update(reason="")
    rater.attempts.update(figure=None, detail={}, decision="")
    Bonus.objects.filter(rater=rater).update(note="")
    erase_payment_notes(rater=rater)
    RaterFlag.objects.filter(rater=rater).delete()


def _erase_times(rater: Rater) -> None:
    """Erase when the rater worked. Which items were answered stays known, since pay depends on it."""
    rater.last_seen_at = rater.messages_stopped_at = None
    rater.assignments.update(
        created_at=timezone.now(), opened_at=None, held_until=None, hurried_after=None, hurried_content=""
    )
    rater.assignments.filter(submitted_at__isnull=False).update(submitted_at=timezone.now())
