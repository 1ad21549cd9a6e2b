"""Submitting an answer: stored once, acknowledged when committed, corrected by revisions."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, DateTimeField, Q, UUIDField
from django.utils import timezone

from annotation.domain.base.errors import AnsweredElsewhere, NotAllowedNow, TooFast
from annotation.domain.base.messages import message
from annotation.domain.base.states import Purpose, RaterState, StudyState
from annotation.domain.questions.answers import Submission, check, first_values
from annotation.domain.questions.kinds.kind import Answer
from annotation.models import (
    Assignment,
    Criterion,
    FormVersion,
    Item,
    Rater,
    Rating,
    Response,
    Study,
)
from annotation.models.questions.given_answer import answer_columns
from annotation.selectors.base.prepared_queries import Compiled, CompiledInsert, CompiledUpdate
from annotation.selectors.questions.rubrics import criteria_of
from annotation.selectors.questions.shown_options import shown_order
from annotation.selectors.seats.stages import feeds_from
from annotation.selectors.seats.study_features import features_of
from annotation.selectors.seats.suggestions import suggestions_for
from annotation.services.people.consent import check_agreed
from annotation.services.quality.checks import judge
from annotation.services.quality.exclusions import copy_exclusions
from annotation.services.quality.qualification_progress import judge_attempt, refuse_after_judgement
from annotation.services.quality.reading_time import (
    find_too_fast,
    get_first_submission_seconds,
)
from annotation.services.questions.criteria import question_of
from annotation.services.rating.page_reports import heard_on_page, summed_presence
from annotation.services.rating.page_times import PageTime, page_time
from annotation.services.seats import reservations
from annotation.services.seats.locks import lock_items, locked_rater
from annotation.services.seats.pair_rounds import add_round_if_due, lock_pairing
from annotation.services.seats.stages import decide_items
from config.interface_language import known_language

ANSWERED_SINCE = message(
    "Not saved: this answer was changed in another tab or on another device. Check it, then save again."
)

READ_UNDER_LOCK = ("seat_id", "opened_at", "submitted_at", "hurried_after", "hurried_content")


ACTIVITY_INTERVAL = timedelta(minutes=1)

_under_lock = Compiled(
    lambda pk: Assignment.objects.filter(pk=pk).values_list(*READ_UNDER_LOCK), pk=BigIntegerField()
)
_known = Compiled(
    lambda assignment, key: Response.objects.filter(
        Q(submission_key=key) | Q(current=True), assignment=assignment
    ).order_by("revision"),
    assignment=BigIntegerField(),
    key=UUIDField(),
)
_insert_response = CompiledInsert(Response)
_insert_ratings = CompiledInsert(Rating)
_answered_at = CompiledUpdate(
    lambda assignment, now: (Assignment.objects.filter(pk=assignment), {"submitted_at": now}),
    assignment=BigIntegerField(),
    now=DateTimeField(),
)


@dataclass(frozen=True)
class Receipt:
    """What came of a submission: the stored response, and whether this call stored it."""

    response: Response
    stored: bool


def submit(*, assignment: Assignment, version: FormVersion, submission: Submission) -> Receipt:
    """Store an answer, or find the row that the same submission stored before.

    Sending the same page with the same content again is one submission. Other content, or another
    page of the same assignment, is a correction: a new revision, the earlier ones remain. A
    correction that changes nothing stores nothing. An excluded rater's answer is stored and fills no
    slot. Closing a study waits for the submissions that hold their rater's row, so none is stored
    after it. The result for an attention check, or for an attempt to qualify, is stored with it.
    A first answer that comes before the study's least time for its page is not stored: the rater may
    look over it and send it again.

    Parameters
    ----------
    assignment : Assignment
        What was answered; the caller has checked that it is the rater's own.
    version : FormVersion
        The version of the form that the page showed.
    submission : Submission
        What the page sent.

    Raises
    ------
    InvalidAnswer
        An answer is missing or outside its scale. Nothing is stored.
    AnsweredElsewhere
        A page that showed an older revision, or none, sends something else than is stored now; or what
        was stored before and has been corrected since.
    NotAllowedNow
        The study takes no answers now, the rater has withdrawn, or has not agreed to the consent text that
        was in force when the page was shown, or the attempt to qualify is over.
    TooFast
        The page's least time is not over.
    """
    with transaction.atomic():
        outcome = submit_locked(assignment=assignment, version=version, submission=submission)
    return outcome.receipt()


@dataclass(frozen=True)
class Outcome:
    """What came of a submission under the lock of its rater's row; `too_fast` where it was given back.

    `next_from`, of a first answer that is stored, is the earliest moment since when the next page was shown.
    """

    rater: Rater
    response: Response | None = None
    stored: bool = False
    too_fast: TooFast | None = None
    next_from: datetime | None = None

    def receipt(self) -> Receipt:
        """Return the receipt, or raise `TooFast`: only after the commit, which stores the early sending."""
        if self.response is None:
            raise self.too_fast or TooFast
        return Receipt(self.response, self.stored)


def submit_locked(*, assignment: Assignment, version: FormVersion, submission: Submission) -> Outcome:
    """As `submit`, within the transaction of the caller, who asks the outcome for its receipt afterwards.

    Parameters
    ----------
    assignment, version, submission
        As of `submit`.

    Returns
    -------
    Outcome
        With the rater, whose row stays locked until the caller's transaction ends.

    Raises
    ------
    InvalidAnswer, AnsweredElsewhere, NotAllowedNow
        As `submit`.
    """
    criteria = criteria_of(version, assignment.rater.study)
    questions = [question_of(criterion) for criterion in criteria]
    offers = version.cannot_rate or assignment.form.planted
    answers = check(questions, submission, assignment.item.fields, offers_cannot_rate=offers)
    cells = {one.key: str(one.question_kind.cell(answers[one.key])) for one in criteria if one.key in answers}
    content = _canonical(version.pk, submission.cannot_rate, submission.remark.strip(), cells)
    key = _submission_key(submission, assignment, content)
    rater = locked_rater(assignment.rater_id)
    # Another tab may have answered it, or found it another seat, since it was read.
    _refresh(assignment)
    known = _known(assignment=assignment.pk, key=key)
    before = next((one for one in known if one.submission_key == key), None)
    if before is not None and before.current:
        return Outcome(rater, before)
    time = page_time(assignment=assignment, submission=submission, now=timezone.now())
    _check_may_answer(rater, assignment, time, was_corrected=before is not None)
    current = next((one for one in known if one.current), None)
    if current is not None:
        stored = _stored_content(current)
        if stored == content:
            return Outcome(rater, current)
        _check_seen(current, submission, own=_submission_key(submission, assignment, stored))
    heard = heard_on_page(assignment, version, submission, current)
    too_fast = _too_fast(assignment, rater.study, current, content)
    if too_fast is not None:
        return Outcome(rater, too_fast=too_fast)
    takes_seat = assignment.purpose == Purpose.MAIN and not rater.is_excluded
    # Before the slot: a transaction that waits for this lock holds no slot that the holder waits for.
    pairing = lock_pairing(rater, assignment.form_id) if assignment.purpose == Purpose.MAIN else None
    feeds_on = assignment.purpose == Purpose.MAIN and feeds_from(rater.study, assignment.form_id)
    if feeds_on:
        lock_items(Item.everything.filter(pk=assignment.item_id))
    first = first_values(questions, submission, answers, {} if current is None else current.first_values)
    reports = {"first_values": first, "heard": heard}
    response = _store(
        assignment, version, submission, current, key, time, reports=reports, takes_seat=takes_seat
    )
    if current is not None:
        copy_exclusions(answer=current, correction=response)
    _note_suggestions(response, cells)
    _note_early_sending(response, rater.study, content)
    _store_ratings(response, criteria, answers)
    if feeds_on:
        decide_items(study=rater.study, items=[assignment.item_id], form_id=assignment.form_id)
    if pairing is not None:
        add_round_if_due(study=rater.study, pairing=pairing)
    _conclude(rater, assignment, response)
    return Outcome(rater, response, stored=True, next_from=time.next_from if current is None else None)


def _refresh(assignment: Assignment) -> None:
    (found,) = _under_lock(pk=assignment.pk)
    for name, value in zip(READ_UNDER_LOCK, found, strict=True):
        setattr(assignment, name, value)


def _check_may_answer(rater: Rater, assignment: Assignment, time: PageTime, *, was_corrected: bool) -> None:
    """Refuse as documented in `submit`; `was_corrected` if a later submission has replaced this one."""
    _check_open(rater)
    check_agreed(rater, shown_at=time.shown_at)
    if was_corrected:
        raise AnsweredElsewhere(ANSWERED_SINCE)
    if assignment.purpose == Purpose.QUALIFICATION:
        refuse_after_judgement(assignment)


def _conclude(rater: Rater, assignment: Assignment, response: Response) -> None:
    """Store the effects of an answer: results of checks, last activity, the end of an attempt."""
    if features_of(rater.study).checks:
        judge(response=response)
    _note_activity(rater)
    if assignment.purpose == Purpose.QUALIFICATION:
        judge_attempt(rater=rater, assignment=assignment)


def _too_fast(assignment: Assignment, study: Study, current: Response | None, content: str) -> TooFast | None:
    """The refusal of a response sent too early; None for corrections, whose first response took the time."""
    if study.least_seconds is None or current is not None:
        return None
    return find_too_fast(assignment=assignment, study=study, content=content)


def _note_early_sending(response: Response, study: Study, content: str) -> None:
    if study.least_seconds is not None and response.revision == 1:
        response.hurried_after = get_first_submission_seconds(assignment=response.assignment, content=content)
        if response.hurried_after is not None:
            response.save(update_fields=["hurried_after"])


def _note_suggestions(response: Response, cells: Mapping[str, str]) -> None:
    """Store what became of the suggested answers."""
    became = suggestions_for(response.assignment).became(cells)
    if became:
        response.suggestions = became
        response.save(update_fields=["suggestions"])


def _submission_key(submission: Submission, assignment: Assignment, content: str) -> uuid.UUID:
    return uuid.uuid5(submission.page_key, f"{assignment.pk} {content}")


def _check_seen(current: Response, submission: Submission, *, own: uuid.UUID) -> None:
    """Refuse a page that did not know of the current answer; `own` is the key if that page sent it."""
    if submission.seen_revision in {None, current.revision} or current.submission_key == own:
        return
    raise AnsweredElsewhere(ANSWERED_SINCE)


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
            message("This study is closed. Your saved answers are kept."),
            code=f"study_{rater.study.state}",
        )
    if rater.state == RaterState.WITHDRAWN:
        raise NotAllowedNow(message("You have withdrawn from this study."), code="rater_withdrawn")
    if rater.state == RaterState.FAILED:
        raise NotAllowedNow(message("You did not qualify for this study."), code="rater_failed")


def _store(
    assignment: Assignment,
    version: FormVersion,
    submission: Submission,
    current: Response | None,
    key: uuid.UUID,
    time: PageTime,
    *,
    reports: Mapping[str, Any],
    takes_seat: bool,
) -> Response:
    now = timezone.now()
    if current is None:
        _note_shown(assignment, time)
        filled = takes_seat and reservations.fill(assignment=assignment)
        late = (
            not filled if assignment.purpose == Purpose.MAIN else reservations.is_late_check(assignment, now)
        )
        assignment.submitted_at = now
        _answered_at(assignment=assignment.pk, now=now)
    else:
        late = current.late
        Response.objects.filter(pk=current.pk).update(current=False)
    response = Response(
        assignment=assignment,
        revision=1 if current is None else current.revision + 1,
        submission_key=key,
        version=version,
        cannot_rate=submission.cannot_rate,
        remark=submission.remark.strip(),
        late=late,
        shown_at=_shown_at(time, now),
        submitted_at=now,
        seconds=_seconds(assignment, submission, current, time.saved_at),
        **reports,
        interface_language=known_language(submission.interface_language),
        **summed_presence(assignment, submission, current, time.saved_at),
    )
    _insert_response(response)
    return response


def _shown_at(time: PageTime, now: datetime) -> datetime | None:
    """When the page was shown; None if unknown, as when the clock was set back meanwhile."""
    return None if time.shown_at is None or time.shown_at > now else time.shown_at


def _note_shown(assignment: Assignment, time: PageTime) -> None:
    """Store when a page was shown if it differs from the stored time."""
    if time.shown_at != assignment.opened_at:
        assignment.opened_at = time.shown_at
        Assignment.objects.filter(pk=assignment.pk).update(opened_at=time.shown_at)


def _seconds(
    assignment: Assignment, submission: Submission, current: Response | None, now: datetime
) -> float | None:
    """The time that the item was open until it was saved; a correction adds to what its answer took before.

    It is not known where the clock was set back meanwhile, nor where the rater was away for an unknown time.
    """
    if assignment.opened_at is None or assignment.opened_at > now:
        return None if current is None else current.seconds
    left = submission.left_at is not None and assignment.opened_at <= submission.left_at
    if left and submission.presence is None:
        return None
    before = 0.0 if current is None else current.seconds or 0.0
    return round(before + (now - assignment.opened_at).total_seconds(), 1)


def _store_ratings(response: Response, criteria: list[Criterion], answers: Mapping[str, Answer]) -> None:
    assignment = response.assignment
    _insert_ratings(
        *(
            Rating(
                response=response,
                shown=shown_order(criterion, assignment, response.version),
                **answer_columns(criterion, answers[criterion.key]),
            )
            for criterion in criteria
            if criterion.key in answers
        )
    )


def _note_activity(rater: Rater) -> None:
    """Store the time of the rater's last activity, to the minute."""
    now, begins = timezone.now(), rater.state in {RaterState.CONSENTED, RaterState.QUALIFIED}
    if not begins and rater.last_seen_at is not None and now - rater.last_seen_at < ACTIVITY_INTERVAL:
        return
    rater.last_seen_at = now
    if begins:
        rater.state = RaterState.ACTIVE
    rater.save(update_fields=["last_seen_at", "state"])
