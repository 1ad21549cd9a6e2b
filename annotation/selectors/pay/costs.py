"""Pay and time of a study so far: active time, pay per hour and costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, Decimal
from statistics import median

import numpy as np

from annotation.domain.pay.minor_units import from_minor
from annotation.domain.pay.wages import (
    CENT,
    NO_SESSIONS_YET,
    BonusRow,
    Paid,
    PayFor,
    Sitting,
    bonus_rows,
    implied_pay,
    per_hour,
)
from annotation.models import Bonus, Pay, Study
from annotation.selectors.pay.earnings import Earning, earnings
from annotation.selectors.pay.pages_to_come import pages_to_come
from annotation.selectors.pay.paid_work import finished_work, paid_work, rater_times

PUBLISHED = "published"
IMPOSSIBLE = "design_impossible"


@dataclass(frozen=True)
class PayFigures:
    """Statistics of pay and time; without pay settings, only of time.

    If `expected` is None, `reason` says why.
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
    earned: Mapping[str, Earning] = field(default_factory=dict)

    @property
    def bonus_total(self) -> Decimal:
        return sum((row.amount for row in self.bonuses), Decimal(0))


def pay_of(study: Study) -> Pay | None:
    """The pay settings, or None."""
    return Pay.objects.filter(study=study).first()


@dataclass(frozen=True)
class PayForPages:
    """The pay for more pages, without attention checks; `amount` is None where pages are not what is paid."""

    amount: Decimal | None
    currency: str


def pay_for_pages(study: Study, pages: int) -> PayForPages | None:
    """What more pages cost; None without pay settings."""
    pay = pay_of(study)
    if pay is None:
        return None
    return PayForPages(pay.amount * pages if pay.paid_for == PayFor.PAGE else None, pay.currency)


def pay_shown_to_raters(study: Study) -> Pay | None:
    """The pay settings if raters see them before they start; `study` has its pay loaded."""
    pay: Pay | None = getattr(study, "pay", None)
    return pay if pay is not None and pay.shown else None


def pay_figures(study: Study, pay: Pay | None) -> PayFigures:
    """Times, implied pay, cost and bonuses, in a fixed number of queries.

    Simulated raters and trials are left out. A page counts for half an hour at most.
    """
    times = rater_times(study)
    pages = np.concatenate([np.empty(0), *(one.page_seconds for one in times)])
    sittings = [sitting for one in times for sitting in one.ended if sitting.seconds]
    n_pages = sum(sitting.pages for one in times for sitting in one.sittings)
    figures = PayFigures(
        raters=len(times),
        pages=n_pages,
        page_seconds=float(np.median(pages)) if len(pages) else None,
        sitting_seconds=median(one.seconds for one in sittings) if sittings else None,
    )
    if pay is None:
        return figures
    work, earned = paid_work(pay, times), earnings(study, pay, times)
    cost = from_minor(sum(one.base for one in earned.values()), pay.currency)
    expected, reason = _expected(study, pay, work, n_pages, cost)
    return replace(
        figures,
        paid=implied_pay(finished_work(pay, times), pay.floor),
        estimated_per_hour=_estimated(pay),
        cost=cost,
        expected=expected,
        reason=reason,
        bonuses=bonus_rows(work, floor=pay.floor, bonuses=_granted(study)),
        earned=earned,
    )


def estimated_per_hour(pay: Pay, page_seconds: float, pages: int) -> Decimal | None:
    """What an hour earns where a page takes so long; None where sessions are paid, whose length is open.

    `pages` are those of a rater's whole part in the study.
    """
    if pay.paid_for == PayFor.PAGE:
        return per_hour(pay.amount, page_seconds)
    return per_hour(pay.amount, page_seconds * pages) if pay.paid_for == PayFor.RATER and pages else None


def _estimated(pay: Pay) -> Decimal | None:
    """Pay per hour at the expected time per page; the number of pages of a session is not known."""
    if pay.page_seconds is None or pay.paid_for != PayFor.PAGE:
        return None
    return per_hour(pay.amount, pay.page_seconds)


def _granted(study: Study) -> dict[str, Decimal]:
    granted = Bonus.objects.filter(rater__study=study, rater__simulated=False)
    return dict(granted.values_list("rater__code", "amount"))


def _expected(
    study: Study, pay: Pay, work: Sequence[Sitting], n_pages: int, cost: Decimal
) -> tuple[Decimal | None, str]:
    """Cost when all rating slots are filled; if pages are not paid, at the rate of the costs so far."""
    if study.source:
        return None, PUBLISHED
    to_come = pages_to_come(study)
    if to_come is None:
        return None, IMPOSSIBLE
    paid_pages = sum(one.pages for one in work)
    if pay.paid_for == PayFor.PAGE:
        return _to_the_cent(cost + pay.amount * to_come.expected), ""
    if not paid_pages:
        return None, NO_SESSIONS_YET
    by_page = sum((one.paid for one in work), Decimal(0)) / paid_pages
    return _to_the_cent(cost + by_page * (to_come.expected + n_pages - paid_pages)), ""


def _to_the_cent(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, rounding=ROUND_CEILING)
