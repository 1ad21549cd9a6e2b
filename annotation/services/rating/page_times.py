"""When a page was shown and when its answer was saved: by the server's clock, or as its browser reports."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Response

Span = tuple[datetime, datetime]


@dataclass(frozen=True)
class PageTime:
    """When a page was shown, None where it is not known, and when it was saved.

    `next_from` is the earliest moment since when the page after it can have been shown.
    """

    shown_at: datetime | None
    saved_at: datetime
    next_from: datetime


def page_time(*, assignment: Assignment, submission: Submission, now: datetime) -> PageTime:
    """The time of the page that is answered.

    The server's clock counts. A page that was reserved ahead and not requested before it was saved reports
    its own time, which begins neither before it was reserved nor within that of another page: no second
    counts for two pages.

    Parameters
    ----------
    assignment : Assignment
        What is answered, with `rater__study` loaded.
    submission : Submission
        What the page sent.
    now : datetime
        When it arrived.
    """
    if _reports_time(assignment, submission, now):
        return _reported_time(assignment, submission, now)
    begun = min(assignment.opened_at or assignment.created_at, now)
    saved = max(begun, now - timedelta(seconds=submission.waited_seconds))
    return PageTime(assignment.opened_at, saved, next_from=saved)


def last_saved(*, assignment: Assignment) -> datetime:
    """When the rater last saved another page; when this one was reserved, where none was saved since.

    Parameters
    ----------
    assignment : Assignment
        Not answered yet.
    """
    return max([assignment.created_at, *(ended for _, ended in _spans(assignment))])


def _reports_time(assignment: Assignment, submission: Submission, now: datetime) -> bool:
    """Whether the times of the page count: no request had shown it before its answer waited on the device."""
    if submission.shown_seconds is None or assignment.submitted_at is not None:
        return False
    if assignment.rater.study.least_seconds is not None:
        return False
    opened = assignment.opened_at
    return opened is None or now - timedelta(seconds=submission.waited_seconds) < opened <= now


def _reported_time(assignment: Assignment, submission: Submission, now: datetime) -> PageTime:
    reserved = min(assignment.created_at, now)
    saved = max(reserved, now - timedelta(seconds=submission.waited_seconds))
    shown = saved - timedelta(seconds=submission.shown_seconds or 0)
    others = sorted(_spans(assignment), key=lambda span: span[1], reverse=True)
    next_from = max([saved, *(ended for _, ended in others)])
    for begun, ended in others:
        if ended <= saved:
            shown = max(shown, ended)
            break
        saved = min(saved, begun)
    shown = max(reserved, min(shown, saved))
    return PageTime(shown, max(shown, saved), next_from)


def _spans(assignment: Assignment) -> list[Span]:
    """Time spans of the rater's other pages that arrived since this one was reserved."""
    first = Response.objects.filter(
        revision=1, assignment__rater=assignment.rater_id, submitted_at__gt=assignment.created_at
    )
    others = first.exclude(assignment=assignment)
    return [_span(one, one.submitted_at) for one in others if one.submitted_at is not None]


def _span(response: Response, arrived: datetime) -> Span:
    """Time span of a page; if its times are not known, its answer counts as saved when it arrived."""
    opened, took = response.shown_at, timedelta(seconds=response.seconds or 0)
    ended = arrived if opened is None or response.seconds is None else min(arrived, opened + took)
    return ended - took, ended
