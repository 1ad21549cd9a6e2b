"""Saving an answer and going on to the next item: one act of the rater, one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.states import Purpose
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, FormVersion
from annotation.services.quality.reading_time import note_shown, start_clock
from annotation.services.rating.next_item import assign_ahead, assign_next
from annotation.services.rating.page_times import last_saved
from annotation.services.rating.submission import Outcome, Receipt, submit_locked


@dataclass(frozen=True)
class SubmissionAndNext:
    """The receipt of a response, and the next assignment; None where there is none now.

    `has_following` says that the sender has the page of the next assignment already, `ahead` is then what
    follows the last page that the sender has.
    """

    receipt: Receipt
    following: Assignment | None
    has_following: bool = False
    ahead: Assignment | None = None


def submit_and_advance(
    *,
    assignment: Assignment,
    version: FormVersion,
    submission: Submission,
    shown: bool = False,
    held: Sequence[int] = (),
) -> SubmissionAndNext:
    """Store a response and choose the rater's next item under one lock.

    Parameters
    ----------
    assignment, version, submission
        As of `annotation.services.rating.submission.submit`.
    shown : bool
        The caller shows the page of the next item at once, so that its clock starts now.
    held : sequence of int
        Keys of the assignments whose pages the sender has, in order: the first is shown since this was saved.

    Raises
    ------
    InvalidAnswer, AnsweredElsewhere, NotAllowedNow, TooFast
        As `submit`; nothing is assigned then.
    """
    with transaction.atomic():
        outcome = submit_locked(assignment=assignment, version=version, submission=submission)
        # What follows a calibration item is its feedback, or the next when the rater asks for it.
        ends_here = outcome.too_fast is not None or assignment.purpose == Purpose.QUALIFICATION
        following = None if ends_here else assign_next(outcome.rater, shown=shown)
        has_following = following is not None and following.pk in held[:1]
        ahead = None
        if following is not None and has_following:
            note_shown(assignment=following, when=_shown_since(following, submission, outcome))
            ahead = assign_ahead(outcome.rater, after=held[-1])
    if following is not None and following.version_id == version.pk:
        following.version = version
    if following is not None and shown and not outcome.stored and not has_following:
        # The answer came again because the page that followed it was never seen.
        start_clock(assignment=following, now=timezone.now())
    return SubmissionAndNext(outcome.receipt(), following, has_following, ahead)


def _shown_since(following: Assignment, submission: Submission, outcome: Outcome) -> datetime:
    """When the page before was saved; after a correction, or an answer that came again, it may be later."""
    if outcome.next_from is not None:
        return outcome.next_from
    sent_at = timezone.now() - timedelta(seconds=submission.waited_seconds)
    return max(sent_at, last_saved(assignment=following))
