"""Submitting an answer: stored once, acknowledged when committed, corrected by revisions."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from annotation.domain.answers import Answer, Submission, check
from annotation.domain.errors import AnsweredElsewhere, NotAllowedNow
from annotation.domain.states import Purpose, RaterState, StudyState
from annotation.models import Assignment, Check, Criterion, FormVersion, Rater, Rating, Response, Study
from annotation.services import seats
from annotation.services.checks import judge
from annotation.services.questions import question_of


@dataclass(frozen=True)
class Receipt:
    """What came of a submission: the stored response, and whether this call stored it."""

    response: Response
    stored: bool


def submit(*, assignment: Assignment, version: FormVersion, submission: Submission) -> Receipt:
    """Store an answer, or find the row that the same submission stored before.

    Sending the same page with the same content again is one submission. Other content, or another
    page of the same assignment, is a correction: a new revision, the earlier ones are kept. A
    correction that changes nothing stores nothing. Closing a study waits for the submissions that
    hold their rater's row, so none is stored after it. What an answer says of an attention check is
    stored with it.

    Parameters
    ----------
    assignment : Assignment
        What was answered; the caller has checked that it is the rater's own.
    version : FormVersion
        The version of the form that the page showed.
    submission : Submission
        What the page sent.

    Returns
    -------
    Receipt
        The row that now holds this submission.

    Raises
    ------
    InvalidAnswer
        An answer is missing or outside its scale. Nothing is stored.
    AnsweredElsewhere
        A page that showed an older revision, or none, sends something else than is stored now.
    NotAllowedNow
        The study takes no answers now, or the rater has withdrawn.
    """
    criteria = list(version.criteria.prefetch_related("points"))
    answers = check([question_of(criterion) for criterion in criteria], submission)
    content = _content(version, submission, answers)
    key = _submission_key(submission, assignment, content)
    with transaction.atomic():
        rater = Rater.objects.select_for_update().get(pk=assignment.rater_id)
        study = Study.objects.annotate(has_checks=Exists(Check.objects.filter(study=OuterRef("pk"))))
        rater.study = with_checks = study.get(pk=rater.study_id)
        stored_before = assignment.responses.filter(Q(submission_key=key) | Q(current=True))
        known = list(stored_before.order_by("revision"))
        before = next((one for one in known if one.submission_key == key), None)
        if before is not None:
            return Receipt(response=before, stored=False)
        _check_open(rater)
        current = next((one for one in known if one.current), None)
        if current is not None:
            stored = _stored_content(current)
            if stored == content:
                return Receipt(response=current, stored=False)
            _check_seen(current, submission, own=_submission_key(submission, assignment, stored))
        response = _store(assignment, version, submission, current, key)
        _store_ratings(response, criteria, answers)
        if with_checks.has_checks:
            judge(response=response)
        _note_activity(rater)
    return Receipt(response=response, stored=True)


def _submission_key(submission: Submission, assignment: Assignment, content: str) -> uuid.UUID:
    return uuid.uuid5(submission.page_key, f"{assignment.pk} {content}")


def _check_seen(current: Response, submission: Submission, *, own: uuid.UUID) -> None:
    """Refuse a page that did not know of the current answer; `own` is the key if that page sent it."""
    if submission.seen_revision in {None, current.revision} or current.submission_key == own:
        return
    raise AnsweredElsewhere(
        "Not saved: this item was answered in another tab or on another device since the page was opened."
    )


def _content(version: FormVersion, submission: Submission, answers: Mapping[str, Answer]) -> str:
    given = {
        key: answer.text if answer.value is None else str(answer.value) for key, answer in answers.items()
    }
    return _canonical(version.pk, submission.cannot_rate, submission.remark.strip(), given)


def _stored_content(response: Response) -> str:
    given = {
        rating.criterion.key: str(rating) for rating in response.ratings.select_related("criterion").all()
    }
    return _canonical(response.version_id, response.cannot_rate, response.remark, given)


def _canonical(version: int, cannot_rate: str, remark: str, given: Mapping[str, str]) -> str:
    return json.dumps([version, cannot_rate, remark, dict(given)], sort_keys=True, ensure_ascii=False)


def _check_open(rater: Rater) -> None:
    if rater.kind == "trial":
        return
    if rater.study.state not in {StudyState.OPEN, StudyState.PAUSED}:
        raise NotAllowedNow(
            "The study is closed and takes no more answers; what you saved before is kept.",
            code=f"study_{rater.study.state}",
        )
    if rater.state == RaterState.WITHDRAWN:
        raise NotAllowedNow("You have withdrawn from this study.", code="rater_withdrawn")


def _store(
    assignment: Assignment,
    version: FormVersion,
    submission: Submission,
    current: Response | None,
    key: uuid.UUID,
) -> Response:
    now = timezone.now()
    if current is None:
        late = assignment.purpose == Purpose.MAIN and not seats.fill(assignment=assignment)
        assignment.submitted_at = now
        assignment.save(update_fields=["submitted_at"])
    else:
        late = current.late
        Response.objects.filter(pk=current.pk).update(current=False)
    return Response.objects.create(
        assignment=assignment,
        revision=1 if current is None else current.revision + 1,
        submission_key=key,
        version=version,
        cannot_rate=submission.cannot_rate,
        remark=submission.remark.strip(),
        late=late,
        submitted_at=now,
        seconds=_seconds(assignment, current, now),
    )


def _seconds(assignment: Assignment, current: Response | None, now: datetime) -> float | None:
    """The time that the item was open up to now; a correction adds to what its answer took before."""
    if assignment.opened_at is None:
        return None if current is None else current.seconds
    before = 0.0 if current is None else current.seconds or 0.0
    return round(before + (now - assignment.opened_at).total_seconds(), 1)


def _store_ratings(response: Response, criteria: list[Criterion], answers: Mapping[str, Answer]) -> None:
    Rating.objects.bulk_create(
        Rating(
            response=response,
            criterion=criterion,
            value=answers[criterion.key].value,
            minimum=criterion.minimum,
            maximum=criterion.maximum,
            answer=answers[criterion.key].text,
        )
        for criterion in criteria
        if criterion.key in answers
    )


def _note_activity(rater: Rater) -> None:
    rater.last_seen_at = timezone.now()
    if rater.state in {RaterState.CONSENTED, RaterState.QUALIFIED}:
        rater.state = RaterState.ACTIVE
    rater.save(update_fields=["last_seen_at", "state"])
