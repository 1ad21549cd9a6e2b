"""Minimum page time of a study: measured on the server; earlier responses are returned to the rater."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from annotation.domain.base.errors import TooFast
from annotation.domain.quality.reading_speed import Least, too_fast
from annotation.models import Assignment, Rater, Response, Study
from annotation.selectors.quality.reading_time import least_of


def start_clock(*, assignment: Assignment, now: datetime) -> None:
    """Note that a page is shown from now on.

    Only one page is timed at once: where the study has a minimum page time, the clocks of the rater's other
    unanswered pages stop, and start again when those are shown again.

    Parameters
    ----------
    assignment : Assignment
        With `rater__study` loaded.
    now : datetime
        When it is shown.
    """
    assignment.opened_at = now
    # In this order two pages that are opened at once stop each other, and never both run.
    Assignment.objects.filter(pk=assignment.pk).update(opened_at=now, version=assignment.version_id)
    if assignment.rater.study.least_seconds is not None and assignment.submitted_at is None:
        others = Assignment.objects.filter(rater=assignment.rater_id, submitted_at__isnull=True)
        others.filter(opened_at__isnull=False).exclude(pk=assignment.pk).update(opened_at=None)


def note_shown(*, assignment: Assignment, when: datetime) -> None:
    """Store once when a page that was reserved ahead was shown, as reported by the browser; not too early.

    Parameters
    ----------
    assignment : Assignment
        Reserved ahead, with `rater__study` loaded. Where the study has a minimum page time, only the server's
        own clock counts, and nothing is noted.
    when : datetime
        A time before the page was reserved counts as that moment.
    """
    if assignment.opened_at is not None or assignment.rater.study.least_seconds is not None:
        return
    assignment.opened_at = max(assignment.created_at, min(when, timezone.now()))
    Assignment.objects.filter(pk=assignment.pk).update(opened_at=assignment.opened_at)


def leave_out_pause(*, rater: Rater, begun: datetime, ended: datetime) -> None:
    """Advance the clocks of the pages that a rater left for a pause by the length of the pause.

    Parameters
    ----------
    rater : Rater
        Who paused.
    begun, ended : datetime
        When the pause was asked for, and when a page to be rated was opened again. Nothing changes where the
        clock was set back in between.
    """
    if ended <= begun:
        return
    answered = Response.objects.filter(assignment=OuterRef("pk"), submitted_at__gte=OuterRef("opened_at"))
    left = Assignment.objects.filter(~Exists(answered), rater=rater, opened_at__lte=begun)
    left.update(opened_at=F("opened_at") + (ended - begun))


def seconds_left(assignment: Assignment) -> float | None:
    """How much of its minimum time is left of a page; None where it has none, or was answered before.

    Parameters
    ----------
    assignment : Assignment
        With `rater__study`, `version` and `item` loaded.
    """
    least = least_of(assignment.rater.study, assignment.version, assignment.item).minimum
    if least is None or assignment.submitted_at is not None:
        return None
    return max(0.0, least - _elapsed(assignment, timezone.now()))


def find_too_fast(*, assignment: Assignment, study: Study, content: str) -> TooFast | None:
    """The refusal of a response sent before the page's minimum time; None where it may be stored.

    The time at which this very content was first sent is noted, for a response that is sent again
    unchanged. Called in the transaction that stores responses, under the lock of the rater's row.

    Parameters
    ----------
    assignment, study
        Not answered yet, with `rater__study` loaded; the study has a minimum page time.
    content : str
        What was sent, in one form.
    """
    fresh = Assignment.objects.select_related("version", "item").get(pk=assignment.pk)
    least = least_of(study, fresh.version, fresh.item).minimum
    now = timezone.now()
    elapsed = _elapsed(fresh, now)
    if least is None or not too_fast(elapsed, Least(None, least)):
        return None
    if fresh.opened_at is None or fresh.opened_at > now:
        start_clock(assignment=assignment, now=now)
    if fresh.hurried_content != _digest(content):
        Assignment.objects.filter(pk=fresh.pk).update(
            hurried_after=round(elapsed, 1), hurried_content=_digest(content)
        )
    return TooFast(least=least, left=least - elapsed)


def get_first_submission_seconds(*, assignment: Assignment, content: str) -> float | None:
    """Seconds after which the same content was first sent too early; None if it was not.

    Parameters
    ----------
    assignment : Assignment
        What is answered.
    content : str
        What was sent, in one form.
    """
    early = Assignment.objects.filter(pk=assignment.pk, hurried_content=_digest(content))
    return early.values_list("hurried_after", flat=True).first()


def _elapsed(assignment: Assignment, now: datetime) -> float:
    """Seconds since the page was shown; 0 if the clock was set back since then."""
    return 0.0 if assignment.opened_at is None else max(0.0, (now - assignment.opened_at).total_seconds())


def _digest(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()
