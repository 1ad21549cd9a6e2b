"""What each rater of a study has earned, and what of it no payment of the ledger covers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from django.db.models import Max, Sum

from annotation.domain.pay.minor_units import from_minor, to_minor
from annotation.domain.pay.payment_states import PaymentKind, PaymentState
from annotation.domain.pay.wages import Sitting, bonus_rows
from annotation.models import Bonus, EarnedBefore, Pay, Payment, Rater, Study
from annotation.selectors.pay.paid_work import RaterTime, paid_work, rater_times, time_of_rater
from annotation.selectors.pay.payments import with_state


@dataclass(frozen=True)
class Earning:
    """What a rater has earned, in the smallest units of the currency.

    `base` is by the pay rate, `top_up` raises it to the minimum hourly rate; `pages` is the number of paid
    pages.
    """

    base: int = 0
    top_up: int = 0
    bonus: int = 0
    pages: int = 0

    @property
    def total(self) -> int:
        return self.base + self.top_up + self.bonus


def earnings(study: Study, pay: Pay, times: Sequence[RaterTime] | None = None) -> dict[str, Earning]:
    """By rater code, what was earned: by the work that is stored, or before it was erased, and by bonuses."""
    work = paid_work(pay, rater_times(study) if times is None else times)
    found = _earned_by_work(work, pay)
    for code, before in _earned_before(study, pay).items():
        now = found.get(code, Earning())
        found[code] = replace(now, base=max(now.base, before.base), top_up=max(now.top_up, before.top_up))
    granted = Bonus.objects.filter(rater__study=study, rater__simulated=False)
    for code, amount in granted.values_list("rater__code", "amount"):
        found[code] = replace(found.get(code, Earning()), bonus=to_minor(amount, pay.currency))
    return {code: earned for code, earned in sorted(found.items()) if earned.total}


def earned_by_leaving(rater: Rater, pay: Pay) -> Earning:
    """What a rater has earned who leaves now: the last session has ended; its study is loaded."""
    time = time_of_rater(rater)
    if time is None:
        return Earning()
    work = paid_work(pay, [replace(time, going_on=False)])
    return _earned_by_work(work, pay).get(rater.code, Earning())


def unpaid(earned: Mapping[str, Earning], covered: Mapping[tuple[str, str], int]) -> dict[str, Earning]:
    """By rater code, what no payment covers; a top-up that was paid before counts towards later pay.

    `covered` is by rater code and kind of payment.
    """
    found = {}
    for code, one in earned.items():
        base, top_up, bonus = (covered.get((code, kind), 0) for kind in PaymentKind)
        base_due = max(0, one.base - base)
        top_up_due = max(0, one.base + one.top_up - base - top_up - base_due)
        rest = Earning(base_due, top_up_due, max(0, one.bonus - bonus), one.pages)
        if rest.total:
            found[code] = rest
    return found


def covered_by_payments(study: Study, currency: str) -> dict[tuple[str, str], int]:
    """By rater code and kind, the sum of the payments in the ledger; cancelled ones cover nothing."""
    payments = with_state(Payment.objects.filter(study=study, currency=currency))
    sums = payments.exclude(state=PaymentState.CANCELLED).order_by().values_list("rater__code", "kind")
    return {(code, kind): total for code, kind, total in sums.annotate(total=Sum("amount"))}


@dataclass(frozen=True)
class Due:
    """The amount of one kind of payment that is due and in no payment list, and its number of raters."""

    kind: PaymentKind
    raters: int
    amount: Decimal


def due_by_kind(study: Study, pay: Pay, earned: Mapping[str, Earning]) -> list[Due]:
    """What a new payment list would contain, by kind of payment; kinds without anything are left out."""
    rest = unpaid(earned, covered_by_payments(study, pay.currency)).values()
    found = []
    for kind in PaymentKind:
        amounts = [amount for one in rest if (amount := getattr(one, kind.value))]
        if amounts:
            found.append(Due(kind, len(amounts), from_minor(sum(amounts), pay.currency)))
    return found


def _earned_by_work(work: Sequence[Sitting], pay: Pay) -> dict[str, Earning]:
    base: dict[str, Decimal] = defaultdict(Decimal)
    pages: dict[str, int] = defaultdict(int)
    for sitting in work:
        base[sitting.rater] += sitting.paid
        pages[sitting.rater] += sitting.pages
    top_ups = {row.rater: row.amount for row in bonus_rows(work, floor=pay.floor)}
    return {
        code: Earning(
            base=to_minor(amount, pay.currency),
            top_up=to_minor(top_ups.get(code, Decimal(0)), pay.currency),
            pages=pages[code],
        )
        for code, amount in base.items()
    }


def _earned_before(study: Study, pay: Pay) -> dict[str, Earning]:
    stored = EarnedBefore.objects.filter(rater__study=study, currency=pay.currency).order_by()
    highest = stored.values_list("rater__code").annotate(base=Max("base"), top_up=Max("top_up"))
    return {code: Earning(base, top_up) for code, base, top_up in highest}
