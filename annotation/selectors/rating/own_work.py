"""What a rater has done so far: time spent, pace, the time that is left, pay by the hour."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from statistics import median

from django.db.models import Count, Q

from annotation.domain.base.states import SEQUENCE, Purpose
from annotation.models import Assignment, Pay, Rater, Response
from annotation.selectors.pay.costs import estimated_per_hour, pay_shown_to_raters
from annotation.selectors.pay.paid_work import time_of_rater
from annotation.selectors.rating.rating_page import Progress, progress

# With fewer pages the pace is not known.
ENOUGH_PAGES = 5
MINUTE = 60
# From here on, minutes are rounded up to five.
LONG, STEP = 20, 5


@dataclass(frozen=True)
class OwnWork:
    """A rater's own statistics; `minutes_left` is None if nothing is left or the pace is not known.

    `late` answers came after their reservation had ended. `pay` is None where the study shows none;
    `per_hour` where it is not known.
    """

    done: int
    total: int
    cannot_rate: int
    late: int
    seconds: float
    sessions: int
    minutes_left: int | None
    pay: Pay | None
    per_hour: Decimal | None


def own_work(rater: Rater) -> OwnWork:
    """The statistics of a rater, its study loaded with its pay."""
    count = progress(rater)
    time = time_of_rater(rater)
    pace = None if time is None or len(time.page_seconds) < ENOUGH_PAGES else median(time.page_seconds)
    pay = pay_shown_to_raters(rater.study)
    seconds = sum(one.seconds for one in time.sittings) if time else 0.0
    given = Response.objects.filter(
        assignment__rater=rater, assignment__purpose__in=SEQUENCE, current=True
    ).aggregate(cannot_rate=Count("pk", filter=~Q(cannot_rate="")), late=Count("pk", filter=Q(late=True)))
    return OwnWork(
        done=count.done,
        total=count.total,
        cannot_rate=given["cannot_rate"],
        late=given["late"],
        seconds=seconds,
        sessions=len(time.sittings) if time else 0,
        minutes_left=_minutes_left(pace, count.total - count.done),
        pay=pay,
        per_hour=None if pay is None or pace is None else _per_hour(pay, seconds, count),
    )


def _per_hour(pay: Pay, seconds: float, count: Progress) -> Decimal | None:
    """By the time that the pages took so far, long ones too, as *Pay* counts it."""
    return estimated_per_hour(pay, seconds / count.done, count.total) if count.done and seconds else None


def is_break_due(assignment: Assignment) -> bool:
    """Whether the study suggests a break after the answer that is given now; not after a correction."""
    every = assignment.rater.study.break_after
    if every is None or assignment.submitted_at is not None or assignment.purpose == Purpose.QUALIFICATION:
        return False
    return (progress(assignment.rater).done + 1) % every == 0


def _minutes_left(pace: float | None, pages: int) -> int | None:
    """The minutes left, rounded up so that the stated time is never too short."""
    if pace is None or pages <= 0:
        return None
    minutes = math.ceil(pace * pages / MINUTE)
    return minutes if minutes <= LONG else math.ceil(minutes / STEP) * STEP
