"""Pay and time of a study, live: what was worked, what it earns in an hour, what it costs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_CEILING, Decimal
from statistics import median

from django.db.models import F, FilteredRelation, Q, Sum
from django.utils import timezone

from annotation.domain.pay import (
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
from annotation.domain.states import Purpose, RaterState, SeatState, StudyState
from annotation.models import Assignment, Bonus, Pay, RaterKind, Seat, Study

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
    """The settings of the pay; None where there are none."""
    return Pay.objects.filter(study=study).first()


def told_pay(study: Study) -> Pay | None:
    """The pay, where raters are to read it before they start; `study` comes with its pay loaded."""
    pay: Pay | None = getattr(study, "pay", None)
    return pay if pay is not None and pay.shown else None


def figures_of(study: Study, pay: Pay | None) -> PayFigures:
    """Times, implied pay, cost and bonuses, in a fixed number of queries.

    Simulated raters and trials are left out. A page counts for half an hour at most.

    Parameters
    ----------
    study : Study
        Whose raters.
    pay : Pay or None
        From `pay_of`.
    """
    times = times_of(study)
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
    """What is to be paid up to now: pages that are saved, sittings that are over, raters who are done."""
    paid_for = PayFor(pay.paid_for)
    chosen = {
        PayFor.PAGE: [sitting for one in times for sitting in one.sittings],
        PayFor.SITTING: [sitting for one in times for sitting in one.ended],
        PayFor.RATER: [sitting for one in times if one.finished for sitting in one.sittings],
    }
    return with_pay(chosen[paid_for], amount=pay.amount, paid_for=paid_for)


def times_of(study: Study) -> list[RaterTime]:
    """The work of each person who has saved a page, by code; attention checks are pages too."""
    answered = (
        Assignment.objects.filter(
            rater__study=study,
            rater__kind=RaterKind.PERSON,
            rater__simulated=False,
            purpose__in=[Purpose.MAIN, Purpose.CHECK],
            submitted_at__isnull=False,
        )
        .annotate(current=FilteredRelation("responses", condition=Q(responses__current=True)))
        .order_by("rater__code")
    )
    answers: dict[str, list[tuple[datetime, float | None]]] = defaultdict(list)
    states: dict[str, str] = {}
    rows = answered.annotate(in_front=F("current__active_seconds"), open_for=F("current__seconds"))
    for code, state, at, in_front, open_for in rows.values_list(
        "rater__code", "rater__state", "submitted_at", "in_front", "open_for"
    ).iterator(chunk_size=5000):
        states[code] = state
        if at is not None:
            answers[code].append((at, open_for if in_front is None else in_front))
    return [_time(study, code, states[code], given) for code, given in answers.items()]


def _time(study: Study, code: str, state: str, given: list[tuple[datetime, float | None]]) -> RaterTime:
    known = [(at, None if seconds is None else min(seconds, LONGEST_PAGE)) for at, seconds in given]
    over = study.state == StudyState.CLOSED
    last = max(at for at, _ in known)
    working = not over and state not in {RaterState.FINISHED, RaterState.WITHDRAWN}
    return RaterTime(
        rater=code,
        sittings=sittings_of(code, [Answered(at, seconds or 0.0) for at, seconds in known]),
        page_seconds=tuple(seconds for _, seconds in known if seconds is not None),
        finished=over or state == RaterState.FINISHED,
        going_on=working and timezone.now() - last <= LONGEST_PAUSE,
    )


def _estimated(pay: Pay) -> Decimal | None:
    """Pay per hour by the expected time of a page; a sitting's number of pages is not known before."""
    if pay.page_seconds is None or pay.paid_for != PayFor.PAGE:
        return None
    return per_hour(pay.amount, pay.page_seconds)


def _granted(study: Study) -> dict[str, Decimal]:
    granted = Bonus.objects.filter(rater__study=study, rater__simulated=False)
    return dict(granted.values_list("rater__code", "amount"))


def _expected(study: Study, pay: Pay, work: Sequence[Sitting], n_pages: int) -> tuple[Decimal | None, str]:
    """Cost when every seat is filled; where not pages are paid, at the rate of what was paid so far."""
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
    return seats + (seats // study.check_every if study.check_every else 0)


def _to_the_cent(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, rounding=ROUND_CEILING)
