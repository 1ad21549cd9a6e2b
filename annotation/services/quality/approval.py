"""Decisions of researchers about trial annotations, and notes of the group discussion."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_REMARK
from annotation.domain.base.messages import message
from annotation.domain.base.states import RaterState
from annotation.domain.quality.qualification import outcome
from annotation.domain.questions.text_languages import with_translation, without_texts
from annotation.models import CalibrationItem, Qualification, QualificationAttempt, Rater, Study, User
from annotation.selectors.quality.qualification import settings_of
from annotation.services.base import audit
from annotation.services.quality.qualification_progress import advance_rater
from annotation.services.questions.text_languages import offered_translations


def waiting_attempts(study: Study) -> QuerySet[QualificationAttempt]:
    """Attempts that are complete and not decided, of raters who have not left, oldest first."""
    return (
        QualificationAttempt.objects.filter(
            rater__study=study,
            rater__state=RaterState.QUALIFYING,
            finished_at__isnull=False,
            passed__isnull=True,
        )
        .select_related("rater__study")
        .order_by("finished_at", "pk")
    )


def decide(
    *, attempt: QualificationAttempt, approved: bool, reason: str, actor: User
) -> QualificationAttempt:
    """Approve or decline a trial annotation that is complete and waits; declining needs a reason.

    Parameters
    ----------
    attempt : QualificationAttempt
        Complete and waiting.
    approved : bool
        Whether the rater may begin.
    reason : str
        Why; needed to decline.
    actor : User
        User who decides.

    Raises
    ------
    InvalidContent
        A trial is declined without a reason (`no_reason`).
    NotAllowedNow
        It was decided before, or the rater has left (`not_waiting`).
    """
    if not approved and not reason.strip():
        raise InvalidContent(
            message("Enter a reason. The rater sees it, and it is saved in the audit log."), code="no_reason"
        )
    with transaction.atomic():
        rater = Rater.objects.select_for_update(of=("self",)).get(pk=attempt.rater_id)
        waiting = waiting_attempts(rater.study).filter(pk=attempt.pk).first()
        if waiting is None:
            raise NotAllowedNow(
                message(
                    "Attempt %(number)s of %(code)s is no longer waiting for a decision.",
                    number=attempt.number,
                    code=rater.code,
                ),
                code="not_waiting",
            )
        _decide(rater, waiting, approved=approved, reason=reason, actor=actor)
    return waiting


def start_all(*, study: Study, actor: User, reason: str) -> int:
    """Let every rater who waits begin the main work, as after a group round; returns how many.

    Parameters
    ----------
    study, actor
        A study with a qualification, and who decides.
    reason : str
        Stored with every decision.

    Raises
    ------
    NotAllowedNow
        No trial annotations are waiting (`nobody_waits`).
    """
    with transaction.atomic():
        waiting = list(waiting_attempts(study))
        raters = {
            rater.pk: rater
            for rater in Rater.objects.select_for_update(of=("self",))
            .filter(pk__in=[one.rater_id for one in waiting])
            .order_by("pk")
        }
        # Read again under the raters' locks: another member may have decided meanwhile.
        waiting = list(waiting_attempts(study).filter(rater__in=raters))
        if not waiting:
            raise NotAllowedNow(message("No trial annotations are waiting."), code="nobody_waits")
        for attempt in waiting:
            _decide(raters[attempt.rater_id], attempt, approved=True, reason=reason, actor=actor)
    return len(waiting)


def write_note(
    *,
    calibration: CalibrationItem,
    note: str,
    actor: User,
    translations: Mapping[str, str] | None = None,
) -> CalibrationItem:
    """Save the note of a discussion about a calibration item.

    Parameters
    ----------
    calibration, actor
        A calibration item, and the member named in the log.
    note : str
        At most `LONGEST_REMARK` characters; empty removes the note.
    translations : mapping of str to str or None
        Language of raters’ pages → the note in it, for the languages that change. A note that changes loses
        its other translations.

    Raises
    ------
    InvalidContent
        The note is too long (`invalid_note`), or there are no pages in a language
        (`language_not_offered`).
    """
    if len(note) > LONGEST_REMARK:
        raise InvalidContent(
            message(
                "The note has %(n)s characters. Shorten it to %(most)s.", n=len(note), most=LONGEST_REMARK
            ),
            code="invalid_note",
        )
    with transaction.atomic():
        calibration = (
            CalibrationItem.objects.select_for_update(of=("self",), no_key=True)
            .select_related("item", "qualification__study")
            .get(pk=calibration.pk)
        )
        texts = dict(calibration.translations)
        if calibration.note != note.strip():
            texts = without_texts(texts, ["note"])
        for language, text in (translations or {}).items():
            texts = with_translation(texts, language, {"note": text})
        calibration.note, calibration.translations = note.strip(), offered_translations(texts)
        calibration.save(update_fields=["note", "translations"])
        study = calibration.qualification.study
        audit.record(study=study, actor=actor, act="write_calibration_note", item=calibration.item.key)
    return calibration


def release_notes(*, qualification: Qualification, released: bool, actor: User) -> Qualification:
    """Show the discussion notes, with the references, to raters who have answered; or hide them again.

    Parameters
    ----------
    qualification, actor
        The study's qualification, and the member named in the log.
    released : bool
        True to show the notes, False to hide them.
    """
    with transaction.atomic():
        qualification.notes_released_at = timezone.now() if released else None
        qualification.save(update_fields=["notes_released_at"])
        act = "release_calibration_notes" if released else "hide_calibration_notes"
        audit.record(study=qualification.study, actor=actor, act=act)
    return qualification


def _decide(rater: Rater, attempt: QualificationAttempt, *, approved: bool, reason: str, actor: User) -> None:
    qualification = Qualification.objects.get(study=rater.study_id)
    found = outcome(settings_of(qualification), {}, {}, attempt=attempt.number, approved=approved)
    attempt.passed, attempt.reason = approved, found.reason
    attempt.decision, attempt.decided_by, attempt.decided_at = reason.strip(), actor, timezone.now()
    attempt.save()
    advance_rater(rater, found.next_step)
    audit.record(
        study=rater.study,
        actor=actor,
        act="approve_qualification" if approved else "decline_qualification",
        rater=rater.code,
        attempt=attempt.number,
        reason=reason.strip(),
    )
