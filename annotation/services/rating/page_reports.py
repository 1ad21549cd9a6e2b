"""What a page reports in addition to the answers: page activity and recordings heard to the end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from annotation.domain.base.page_activity import bounded
from annotation.domain.items.heard import heard_through, refuse_unheard
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, FormVersion, Response

COUNTED = ("times_away", "pastes")
PRESENCE = ("active_seconds", "away_seconds", *COUNTED)


def summed_presence(
    assignment: Assignment, submission: Submission, current: Response | None, now: datetime
) -> dict[str, float | int | None]:
    """The page activity, limited by the server's clock; a correction adds to earlier activity.

    If one of two visits reported nothing, their total seconds are not known; counts are preserved.

    Parameters
    ----------
    assignment, submission
        What was answered, and what its page sent.
    current : Response or None
        The revision that is corrected.
    now : datetime
        When the answer was saved.
    """
    reported: Mapping[str, float | int] = {}
    if submission.presence is not None and assignment.opened_at is not None:
        reported = vars(bounded(submission.presence, elapsed=(now - assignment.opened_at).total_seconds()))
    before = {name: None if current is None else getattr(current, name) for name in PRESENCE}
    summed: dict[str, float | int | None] = {}
    for name in PRESENCE:
        parts = [part for part in (reported.get(name), before[name]) if part is not None]
        known = len(parts) == (1 if current is None else 2) or (parts and name in COUNTED)
        summed[name] = round(sum(parts), 1) if known else None
    return summed


def heard_on_page(
    assignment: Assignment, version: FormVersion, submission: Submission, current: Response | None
) -> dict[str, str]:
    """How the rater came to the end of each recording of the page.

    Parameters
    ----------
    assignment, version, submission
        What was answered, the version that was shown, and what its page sent.
    current : Response or None
        The revision that is corrected.

    Raises
    ------
    InvalidAnswer
        One that must be heard to the end was not, and the answer rates the item.
    """
    before = {} if current is None else current.heard
    heard = heard_through(version.blocks, assignment.item.fields, submission.heard, before)
    if not submission.cannot_rate:
        refuse_unheard(version.blocks, assignment.item.fields, heard)
    return heard
