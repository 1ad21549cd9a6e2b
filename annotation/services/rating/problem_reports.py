"""Problems that raters report about items, and their resolution by members of the study."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_PROBLEM, MOST_PROBLEMS_PER_PAGE
from annotation.domain.base.messages import message
from annotation.domain.base.states import ProblemReason, RaterState, StudyState
from annotation.domain.base.text_validation import validated_text
from annotation.models import Assignment, ProblemReport, Rater, RaterKind, User
from annotation.services.base import audit
from annotation.services.base.webhook_events import announce

WITH_WORDS = {ProblemReason.OTHER, ProblemReason.COMMENT}


def report_problem(
    *, assignment: Assignment, reason: str, text: str = "", report_key: uuid.UUID
) -> ProblemReport:
    """Store what a rater reports about an item; the rater's answer stays as it is.

    Parameters
    ----------
    assignment : Assignment
        The page on which the rater found it, answered or not.
    reason : str
        A `ProblemReason`.
    text : str
        The rater's own words, up to 2,000 characters; required for `other` and `comment`.
    report_key : uuid.UUID
        Key of the page that is sent; sending the same report again returns the one stored before.

    Returns
    -------
    ProblemReport
        The stored report.

    Raises
    ------
    InvalidContent
        No such reason, no words where they are needed, or too many of them; `fields` names which.
    NotAllowedNow
        The rater is a member who previews the task (`preview`), has withdrawn (`rater_withdrawn`), or has
        reported ten problems with this item (`too_many_problems`); or the study is closed (`study_closed`).
    """
    text = _checked(reason, text)
    with transaction.atomic():
        raters = Rater.objects.select_for_update(of=("self",)).select_related("study")
        rater = raters.get(pk=assignment.rater_id)
        stored = assignment.problems.filter(report_key=report_key).first()
        if stored is not None and (stored.reason, stored.text) == (reason, text):
            return stored
        _check_rater(rater, assignment)
        # A browser that goes back sends other words with the key of the page before.
        report_key = uuid.uuid4() if stored else report_key
        if reason != ProblemReason.COMMENT:
            announce(study=rater.study, event="problem_reported", detail={"reason": reason})
        return ProblemReport.objects.create(
            assignment=assignment, report_key=report_key, reason=reason, text=text
        )


def resolve_problem(*, problem: ProblemReport, actor: User) -> ProblemReport:
    """Mark a reported problem as resolved; resolving it again changes nothing.

    Parameters
    ----------
    problem : ProblemReport
        The report.
    actor : User
        The member who dealt with it.

    Returns
    -------
    ProblemReport
        The report as it is stored now.

    Raises
    ------
    NotAllowedNow
        The report was erased meanwhile with the data of its rater (`problem_erased`).
    """
    with transaction.atomic():
        found = ProblemReport.objects.select_related("assignment__item__study", "assignment__rater")
        stored = found.select_for_update(of=("self",)).filter(pk=problem.pk).first()
        if stored is None:
            sentence = message("This report was erased with the data of its rater.")
            raise NotAllowedNow(sentence, code="problem_erased")
        if stored.resolved_at is None:
            stored.resolved_at, stored.resolved_by = timezone.now(), actor
            stored.save(update_fields=["resolved_at", "resolved_by"])
            item, rater = stored.assignment.item, stored.assignment.rater
            audit.record(
                study=item.study, actor=actor, act="resolve_problem", item=item.key, rater=rater.code
            )
    return stored


def _checked(reason: str, text: str) -> str:
    """The words of a report, which has a known reason."""
    text = validated_text(text)
    if reason not in set(ProblemReason):
        raise InvalidContent(
            _("Choose what is wrong."), code="no_reason", fields={"reason": _("Choose one.")}
        )
    if reason in WITH_WORDS and not text:
        missing = _("Describe the problem.") if reason == ProblemReason.OTHER else _("Write your comment.")
        raise InvalidContent(missing, code="no_words", fields={"text": missing})
    if len(text) > LONGEST_PROBLEM:
        longer = _("Use at most %(n)s characters.") % {"n": LONGEST_PROBLEM}
        raise InvalidContent(longer, code="too_long", fields={"text": longer})
    return text


def _check_rater(rater: Rater, assignment: Assignment) -> None:
    if rater.kind != RaterKind.PERSON:
        raise NotAllowedNow(_("This is a preview: your report is not stored."), code="preview")
    if rater.state == RaterState.WITHDRAWN:
        raise NotAllowedNow(_("You have withdrawn from this study."), code="rater_withdrawn")
    if rater.study.state == StudyState.CLOSED:
        raise NotAllowedNow(_("The study is closed: it takes no reports."), code="study_closed")
    if assignment.problems.count() >= MOST_PROBLEMS_PER_PAGE:
        refused = _("You have already reported %(n)s problems with this item.") % {
            "n": MOST_PROBLEMS_PER_PAGE
        }
        raise NotAllowedNow(refused, code="too_many_problems")
