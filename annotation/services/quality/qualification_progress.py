"""Progress of a rater through the qualification: reading, calibration items, and the outcome."""

from __future__ import annotations

import math

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import Purpose, RaterState, StudyState
from annotation.domain.quality.calibration import RuleKind, rankable
from annotation.domain.quality.qualification import NextStep, Outcome, outcome
from annotation.models import Assignment, FormVersion, Qualification, QualificationAttempt, Rater
from annotation.selectors.quality.qualification import (
    NOT_YET_QUALIFIED,
    Step,
    answers_and_reference,
    attempt_items,
    qualification_for,
    qualification_status,
    settings_of,
)

REFUSALS = {
    Step.BACKGROUND: ("background_unread", message("Read the background pages first.")),
    Step.AGAIN: ("attempt_failed", message("You did not pass. You can try again.")),
    Step.WAITING: ("waiting_for_approval", message("Your calibration answers are waiting for approval.")),
}


def read_page(*, rater: Rater, number: int) -> Rater:
    """Note that a rater has read a background page, numbered from 1, if it is the next one.

    Nothing is noted for a rater who is not on the way to the main work.

    Parameters
    ----------
    rater : Rater
        On the way to the main work; for anybody else nothing is noted.
    number : int
        Of the page, from 1; a page beyond the next one is not noted.
    """
    with transaction.atomic():
        rater = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        if rater.state in NOT_YET_QUALIFIED and number == rater.pages_read + 1:
            rater.pages_read = number
            rater.save(update_fields=["pages_read"])
    return rater


def due_calibration(rater: Rater) -> Assignment:
    """The calibration item that a rater on the way to the main work is to answer now.

    Called under the lock of the rater's row. No rating slot is touched.

    Parameters
    ----------
    rater : Rater
        On the way to the main work of a study that has a qualification.

    Raises
    ------
    NotAllowedNow
        Something else comes first: `background_unread`, `attempt_failed`, `waiting_for_approval`; or the
        study is paused.
    """
    now = qualification_status(rater, Qualification.objects.get(study=rater.study_id))
    if now.step in REFUSALS:
        code, sentence = REFUSALS[now.step]
        raise NotAllowedNow(sentence, code=code)
    held = None if now.attempt is None else _held(now.attempt)
    if held is not None:
        return held
    if rater.study.state != StudyState.OPEN:
        raise NotAllowedNow(message("This study is paused. Please come back later."), code="study_paused")
    return _give_next(rater, now.attempt or _begin(rater, 1))


def start_attempt(*, rater: Rater) -> QualificationAttempt:
    """Begin another attempt, the one before having failed.

    Raises
    ------
    NotAllowedNow
        There is no attempt to begin (`no_attempt`), or the study is not open.
    """
    with transaction.atomic():
        rater = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        qualification = qualification_for(rater)
        now = None if qualification is None else qualification_status(rater, qualification)
        if now is None or now.step is not Step.AGAIN or now.attempt is None:
            raise NotAllowedNow(message("You cannot try again."), code="no_attempt")
        if rater.study.state != StudyState.OPEN:
            raise NotAllowedNow(
                message("This study is not open right now."), code=f"study_{rater.study.state}"
            )
        return _begin(rater, now.attempt.number + 1)


def refuse_after_judgement(assignment: Assignment) -> None:
    """Refuse an answer to an attempt that is over.

    Raises
    ------
    NotAllowedNow
        `attempt_over`.
    """
    if QualificationAttempt.objects.filter(assignments=assignment, finished_at__isnull=False).exists():
        raise NotAllowedNow(
            message("This attempt is complete. You can read your answers but not change them."),
            code="attempt_over",
        )


def judge_attempt(*, rater: Rater, assignment: Assignment) -> None:
    """Judge an attempt when its last item is answered, in the transaction that stores the answer.

    Parameters
    ----------
    rater, assignment
        The rater, locked by the caller, and the calibration item just answered.
    """
    attempt = QualificationAttempt.objects.get(assignments=assignment)
    qualification = Qualification.objects.get(study=rater.study_id)
    given_items = attempt_items(rater, attempt.number)
    items = given_items.items
    if attempt.assignments.filter(submitted_at__isnull=False).count() < len(items):
        return
    given, reference = answers_and_reference(attempt, items, feedback=qualification.feedback)
    if qualification.rule == RuleKind.RANK:
        usable = rankable([one.reference for one in items])
        reference = {key: value for key, value in reference.items() if key[1] in usable}
    found = outcome(settings_of(qualification), given, reference, attempt=attempt.number)
    attempt.finished_at = timezone.now()
    _note(attempt, found, repeated=given_items.repeated)
    advance_rater(rater, found.next_step)


def advance_rater(rater: Rater, step: NextStep) -> None:
    """Give a locked rater the state that follows from an outcome.

    Parameters
    ----------
    rater : Rater
        A rater whose row the caller's transaction locks.
    step : NextStep
        Step that follows from the outcome of an attempt.
    """
    states = {NextStep.START: RaterState.QUALIFIED, NextStep.SCREENED_OUT: RaterState.FAILED}
    rater.state = states.get(step, RaterState.QUALIFYING)
    if rater.state == RaterState.FAILED:
        rater.finished_at = timezone.now()
    rater.save(update_fields=["state", "finished_at"])


def _note(attempt: QualificationAttempt, found: Outcome, *, repeated: int) -> None:
    attempt.passed, attempt.reason = found.passed, found.reason
    attempt.figure, attempt.threshold = _finite(found.figure), _finite(found.threshold)
    attempt.detail = {
        "n": found.n,
        "n_within": found.n_within,
        "repeated": repeated,
        "correlations": {
            one.criterion: {"estimate": _finite(one.estimate), "reason": one.reason, "n": one.n}
            for one in found.correlations
        },
    }
    attempt.save()


def _finite(figure: float) -> float | None:
    return figure if math.isfinite(figure) else None


def _held(attempt: QualificationAttempt) -> Assignment | None:
    waiting = attempt.assignments.filter(submitted_at__isnull=True)
    return waiting.select_related("item", "form", "seat", "rater__study").first()


def _begin(rater: Rater, number: int) -> QualificationAttempt:
    if rater.state != RaterState.QUALIFYING:
        rater.state = RaterState.QUALIFYING
        rater.save(update_fields=["state"])
    return QualificationAttempt.objects.create(rater=rater, number=number)


def _give_next(rater: Rater, attempt: QualificationAttempt) -> Assignment:
    """The next item in the researcher's order: the same for all, so that a group can talk about it."""
    given = set(attempt.assignments.values_list("item", flat=True))
    one = next(one for one in attempt_items(rater, attempt.number).items if one.item_id not in given)
    return Assignment.objects.create(
        rater=rater,
        item=one.item,
        form=one.form,
        version=FormVersion.objects.filter(form=one.form).latest("number", "correction"),
        purpose=Purpose.QUALIFICATION,
        attempt=attempt,
        position=len(given) + 1,
    )
