"""The work of raters: sessions with their active time, and what of it is paid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.domain.base.states import Purpose, RaterState, StudyState
from annotation.domain.pay.wages import LONGEST_PAUSE, Answered, PayFor, Sitting, sittings_of, with_pay
from annotation.models import Pay, Rater, RaterKind, Response, Study

LONGEST_PAGE = LONGEST_PAUSE.total_seconds()


@dataclass(frozen=True)
class RaterTime:
    """One rater's sittings, and the known seconds of each page.

    `finished`: nothing more comes. `going_on`: the last sitting may not be over.
    """

    rater: str
    sittings: tuple[Sitting, ...]
    page_seconds: tuple[float, ...]
    finished: bool
    going_on: bool

    @property
    def ended(self) -> tuple[Sitting, ...]:
        return self.sittings[:-1] if self.going_on else self.sittings


def paid_work(pay: Pay, times: Sequence[RaterTime]) -> tuple[Sitting, ...]:
    """What has to be paid so far: saved pages, finished sessions, or raters who have finished."""
    paid_for = PayFor(pay.paid_for)
    chosen = {
        PayFor.PAGE: [sitting for one in times for sitting in one.sittings],
        PayFor.SITTING: [sitting for one in times for sitting in one.ended],
        PayFor.RATER: [sitting for one in times if one.finished for sitting in one.sittings],
    }
    return with_pay(chosen[paid_for], amount=pay.amount, paid_for=paid_for)


def finished_work(pay: Pay, times: Sequence[RaterTime]) -> tuple[Sitting, ...]:
    """The sessions that pay per hour is computed from: finished ones, or all of raters who have finished."""
    if pay.paid_for != PayFor.RATER:
        ended = [sitting for one in times for sitting in one.ended]
        return with_pay(ended, amount=pay.amount, paid_for=PayFor(pay.paid_for))
    return paid_work(pay, times)


def rater_times(study: Study) -> list[RaterTime]:
    """The work of each person who has saved a page, by code; attention checks are pages too."""
    of_persons = Response.objects.filter(
        assignment__rater__study=study,
        assignment__rater__kind=RaterKind.PERSON,
        assignment__rater__simulated=False,
    )
    return _times(study, of_persons)


def time_of_rater(rater: Rater) -> RaterTime | None:
    """The work of one rater, its study loaded; None before the first page is saved."""
    return next(iter(_times(rater.study, Response.objects.filter(assignment__rater=rater))), None)


def _times(study: Study, responses: QuerySet[Response]) -> list[RaterTime]:
    answered = (
        responses.filter(assignment__purpose__in=[Purpose.MAIN, Purpose.CHECK])
        .order_by("assignment__rater__code", "assignment", "revision")
        .values_list(
            "assignment__rater__code",
            "assignment__rater__state",
            "assignment",
            "submitted_at",
            Coalesce("active_seconds", "seconds"),
        )
    )
    rows = answered.iterator(chunk_size=5000)
    return [
        _time(study, code, state, [row[2:] for row in given])
        for (code, state), given in groupby(rows, key=itemgetter(0, 1))
    ]


def _time(
    study: Study, code: str, state: str, given: Sequence[tuple[int, datetime, float | None]]
) -> RaterTime:
    """`given` are the revisions of each page in order, each with the seconds of the page up to it."""
    revisions = [_capped(list(of_page)) for _, of_page in groupby(given, key=itemgetter(0))]
    answers = [answer for of_page in revisions for answer in _increments(of_page)]
    over = study.state == StudyState.CLOSED and state != RaterState.WITHDRAWN
    gone = study.state == StudyState.CLOSED or state in {RaterState.FINISHED, RaterState.WITHDRAWN}
    last = max(answer.at for answer in answers)
    return RaterTime(
        rater=code,
        sittings=sittings_of(code, answers),
        page_seconds=tuple(page[-1][1] for page in revisions if page[-1][1] is not None),
        finished=over or state == RaterState.FINISHED,
        going_on=not gone and timezone.now() - last <= LONGEST_PAUSE,
    )


def _capped(of_page: Sequence[tuple[int, datetime, float | None]]) -> list[tuple[datetime, float | None]]:
    return [(at, None if seconds is None else min(seconds, LONGEST_PAGE)) for _, at, seconds in of_page]


def _increments(of_page: Sequence[tuple[datetime, float | None]]) -> list[Answered]:
    """Each revision with the seconds that it added to its page."""
    found, before = [], 0.0
    for number, (at, seconds) in enumerate(of_page):
        known = before if seconds is None else max(before, seconds)
        found.append(Answered(at, known - before, pages=int(number == 0)))
        before = known
    return found
