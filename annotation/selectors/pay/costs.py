"""Pay and time of a study so far: active time, pay per hour and costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_CEILING, Decimal
from itertools import groupby
from operator import itemgetter
from statistics import median

from django.db.models import QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.domain.base.states import DesignKind, Purpose, RaterState, SeatState, StudyState
from annotation.domain.pay.wages import (
    CENT,
    LONGEST_PAUSE,
    NOBODY_YET,
    Answered,
    BonusRow,
    Paid,
    PayFor,
    Sitting,
    bonus_rows,
    implied_pay,
    per_hour,
    sittings_of,
    with_pay,
)
from annotation.domain.seats.designs import check_pages
from annotation.models import Bonus, Pay, Rater, RaterKind, Response, Seat, Study
from annotation.selectors.pay.workload_preview import pages_between_checks

PUBLISHED = "published"
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


@dataclass(frozen=True)
class PayFigures:
    """What is known of pay and time. Without settings of the pay there is time alone.

    `expected` is None where `reason` says why.
    """

    raters: int
    pages: int
    page_seconds: float | None
    sitting_seconds: float | None
    paid: Paid | None = None
    estimated_per_hour: Decimal | None = None
    cost: Decimal | None = None
    expected: Decimal | None = None
    reason: str = ""
    bonuses: tuple[BonusRow, ...] = ()

    @property
    def bonus_total(self) -> Decimal:
        return sum((row.amount for row in self.bonuses), Decimal(0))


def pay_of(study: Study) -> Pay | None:
    """The pay settings, or None."""
    return Pay.objects.filter(study=study).first()


def pay_shown_to_raters(study: Study) -> Pay | None:
    """The pay settings if raters see them before they start; `study` has its pay loaded."""
    pay: Pay | None = getattr(study, "pay", None)
    return pay if pay is not None and pay.shown else None


def pay_figures(study: Study, pay: Pay | None) -> PayFigures:
    """Times, implied pay, cost and bonuses, in a fixed number of queries.

    Simulated raters and trials are left out. A page counts for half an hour at most.
    """
    times = rater_times(study)
    pages = [seconds for one in times for seconds in one.page_seconds]
    sittings = [sitting for one in times for sitting in one.ended if sitting.seconds]
    n_pages = sum(sitting.pages for one in times for sitting in one.sittings)
    figures = PayFigures(
        raters=len(times),
        pages=n_pages,
        page_seconds=median(pages) if pages else None,
        sitting_seconds=median(one.seconds for one in sittings) if sittings else None,
    )
    if pay is None:
        return figures
    work = paid_work(pay, times)
    cost = sum((one.paid for one in work), Decimal(0))
    expected, reason = _expected(study, pay, work, n_pages)
    return replace(
        figures,
        paid=implied_pay(work, pay.floor),
        estimated_per_hour=_estimated(pay),
        cost=_to_the_cent(cost),
        expected=expected,
        reason=reason,
        bonuses=bonus_rows(work, floor=pay.floor, bonuses=_granted(study)),
    )


def paid_work(pay: Pay, times: Sequence[RaterTime]) -> tuple[Sitting, ...]:
    """What has to be paid so far: saved pages, finished sessions, or raters who have finished."""
    paid_for = PayFor(pay.paid_for)
    chosen = {
        PayFor.PAGE: [sitting for one in times for sitting in one.sittings],
        PayFor.SITTING: [sitting for one in times for sitting in one.ended],
        PayFor.RATER: [sitting for one in times if one.finished for sitting in one.sittings],
    }
    return with_pay(chosen[paid_for], amount=pay.amount, paid_for=paid_for)


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


def estimated_per_hour(pay: Pay, page_seconds: float, pages: int) -> Decimal | None:
    """What an hour earns where a page takes so long; None where sessions are paid, whose length is open.

    `pages` are those of a rater's whole part in the study.
    """
    if pay.paid_for == PayFor.PAGE:
        return per_hour(pay.amount, page_seconds)
    return per_hour(pay.amount, page_seconds * pages) if pay.paid_for == PayFor.RATER and pages else None


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


def _estimated(pay: Pay) -> Decimal | None:
    """Pay per hour at the expected time per page; the number of pages of a session is not known."""
    if pay.page_seconds is None or pay.paid_for != PayFor.PAGE:
        return None
    return per_hour(pay.amount, pay.page_seconds)


def _granted(study: Study) -> dict[str, Decimal]:
    granted = Bonus.objects.filter(rater__study=study, rater__simulated=False)
    return dict(granted.values_list("rater__code", "amount"))


def _expected(study: Study, pay: Pay, work: Sequence[Sitting], n_pages: int) -> tuple[Decimal | None, str]:
    """Cost when all rating slots are filled; if pages are not paid, at the rate of the costs so far."""
    if study.source:
        return None, PUBLISHED
    cost, paid_pages = sum((one.paid for one in work), Decimal(0)), sum(one.pages for one in work)
    if pay.paid_for == PayFor.PAGE:
        return _to_the_cent(cost + pay.amount * _pages_to_come(study)), ""
    if not paid_pages:
        return None, NOBODY_YET
    to_come = _pages_to_come(study) + n_pages - paid_pages
    return _to_the_cent(cost + cost / paid_pages * to_come), ""


def _pages_to_come(study: Study) -> int:
    if study.state == StudyState.CLOSED:
        return 0
    if study.state == StudyState.DRAFT:
        each = study.forms.aggregate(each=Sum("overlap"))["each"] or 0
        seats = each * study.items.count()
    else:
        seats = Seat.objects.filter(form__study=study).exclude(state=SeatState.FILLED).count()
    return seats + check_pages(seats, pages_between_checks(study), batched=study.design == DesignKind.BATCHES)


def _to_the_cent(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, rounding=ROUND_CEILING)
