"""The work of raters: sessions with their active time, and what of it is paid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain
from operator import itemgetter

import numpy as np
from django.db.models import QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.domain.base.states import Purpose, RaterState, StudyState
from annotation.domain.pay.sessions import LONGEST_PAUSE, RaterWork, Revisions, work_by_rater
from annotation.domain.pay.wages import PayFor, Sitting, with_pay
from annotation.models import Pay, Rater, RaterKind, Response, Study
from annotation.selectors.pay.microseconds import Microseconds
from annotation.selectors.questions.counting import of_versions

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
UNKNOWN = -1.0


@dataclass(frozen=True)
class RaterTime:
    """One rater's sessions, and the known seconds of each page.

    `finished` means that no more work follows, `going_on` that the last session may not be over.
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
    return _times(study, of_versions(study), study.raters.filter(kind=RaterKind.PERSON, simulated=False))


def time_of_rater(rater: Rater) -> RaterTime | None:
    """The work of one rater, its study loaded; None before the first page is saved."""
    own = Response.objects.filter(assignment__rater=rater)
    return next(iter(_times(rater.study, own, Rater.objects.filter(pk=rater.pk))), None)


def _times(study: Study, responses: QuerySet[Response], raters: QuerySet[Rater]) -> list[RaterTime]:
    worked = work_by_rater(_saved(responses))
    people = raters.values_list("pk", "code", "state")
    return [
        _time(study, code, state, worked[pk])
        for pk, code, state in sorted(people, key=itemgetter(1))
        if pk in worked
    ]


def _saved(responses: QuerySet[Response]) -> Revisions:
    """The revisions of pages for which raters are paid, as columns."""
    rows = responses.filter(
        assignment__purpose__in=[Purpose.MAIN, Purpose.CHECK], submitted_at__isnull=False
    ).order_by()
    # Numbers alone, and whole ones small enough to be floats: they become one array without a loop.
    read = rows.values_list(
        "assignment__rater",
        "assignment",
        "revision",
        Microseconds("submitted_at"),
        Coalesce("active_seconds", "seconds", Value(UNKNOWN)),
    )
    flat = np.fromiter(chain.from_iterable(read.iterator(chunk_size=5000)), dtype=np.float64)
    columns = flat.reshape(-1, 5).T
    rater, page, revision, at = columns[:4].astype(np.int64)
    return Revisions(rater, page, revision, at, np.where(columns[4] == UNKNOWN, np.nan, columns[4]))


def _time(study: Study, code: str, state: str, worked: RaterWork) -> RaterTime:
    over = study.state == StudyState.CLOSED and state != RaterState.WITHDRAWN
    gone = study.state == StudyState.CLOSED or state in {RaterState.FINISHED, RaterState.WITHDRAWN}
    since = timezone.now() - EPOCH - timedelta(microseconds=worked.last)
    return RaterTime(
        rater=code,
        sittings=tuple(Sitting(code, seconds, pages) for seconds, pages in worked.sessions),
        page_seconds=worked.page_seconds,
        finished=over or state == RaterState.FINISHED,
        going_on=not gone and since <= LONGEST_PAUSE,
    )
