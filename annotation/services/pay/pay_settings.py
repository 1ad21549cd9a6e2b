"""The pay of a study: currency, amount and minimum hourly rate."""

from __future__ import annotations

import re
from decimal import Decimal

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import CURRENCY, LONGEST_PAGE_SECONDS, MOST_MONEY
from annotation.domain.base.messages import counted_message, joined, message
from annotation.domain.pay.wages import PayFor
from annotation.models import Pay, Payment, RaterKind, Study, User
from annotation.selectors.pay.costs import pay_of
from annotation.services.base import audit


def set_pay(
    *,
    study: Study,
    actor: User,
    currency: str,
    paid_for: PayFor,
    amount: Decimal,
    floor: Decimal | None = None,
    page_seconds: float | None = None,
    shown: bool = False,
) -> Pay:
    """Set the pay rate of a study.

    Parameters
    ----------
    study, actor
        A study in any state, and who decides. What raters were shown before they began can only be raised.
    currency, paid_for, amount
        Three capital letters, what the amount is for, and the amount, at least 0.
    floor : Decimal or None
        The minimum hourly rate.
    page_seconds : float or None
        How long a page is expected to take.
    shown : bool
        Whether raters read amount and expected time before they start.

    Raises
    ------
    InvalidContent
        `bad_pay`: `fields` names what is wrong.
    NotAllowedNow
        `pay_was_told`: raters have begun who were shown more, or another kind of pay;
        `currency_in_ledger`: the ledger has payments in another currency.
    """
    problems = _problems(currency, amount, floor, page_seconds)
    if problems:
        raise InvalidContent(joined(problems.values()), code="bad_pay", fields=problems)
    fields = {
        "currency": currency,
        "paid_for": paid_for.value,
        "amount": amount,
        "floor": floor,
        "page_seconds": page_seconds,
        "shown": shown,
    }
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        _keep_promise(study, currency, paid_for, amount)
        _keep_currency(study, currency)
        pay, _ = Pay.objects.update_or_create(study=study, defaults=fields)
        detail = {**fields, "amount": str(amount), "floor": None if floor is None else str(floor)}
        audit.record(study=study, actor=actor, act="set_pay", **detail)
    return pay


def _keep_promise(study: Study, currency: str, paid_for: PayFor, amount: Decimal) -> None:
    """Refuse to lower a pay rate that raters were shown before they started."""
    promised = pay_of(study)
    if promised is None or not promised.shown:
        return
    begun = study.raters.filter(kind=RaterKind.PERSON, simulated=False, consented_at__isnull=False)
    same_way = (promised.currency, promised.paid_for) == (currency, paid_for.value)
    if begun.exists() and not (same_way and amount >= promised.amount):
        raise NotAllowedNow(
            counted_message(
                "%(n)d rater has started and was shown a pay rate of %(amount)s %(currency)s. "
                "You can only raise it.",
                "%(n)d raters have started and were shown a pay rate of %(amount)s %(currency)s. "
                "You can only raise it.",
                n=begun.count(),
                amount=f"{promised.amount.normalize():f}",
                currency=promised.currency,
            ),
            code="pay_was_told",
        )


def _keep_currency(study: Study, currency: str) -> None:
    """Refuse another currency than that of the ledger: what was paid could not be subtracted any more."""
    if Payment.objects.filter(study=study).exclude(currency=currency).exists():
        raise NotAllowedNow(
            message("The ledger has payments in another currency, so the currency cannot be changed."),
            code="currency_in_ledger",
        )


def _problems(
    currency: str, amount: Decimal, floor: Decimal | None, page_seconds: float | None
) -> dict[str, str]:
    problems: dict[str, str] = {}
    if not re.fullmatch(CURRENCY, currency):
        problems["currency"] = message("Enter the currency as 3 capital letters, such as EUR.")
    if not 0 <= amount <= MOST_MONEY:
        problems["amount"] = message("Enter a pay rate between 0 and %(most)s.", most=MOST_MONEY)
    if floor is not None and not 0 < floor <= MOST_MONEY:
        problems["floor"] = message(
            "Enter a minimum hourly rate above 0 and of at most %(most)s.", most=MOST_MONEY
        )
    if page_seconds is not None and not 1 <= page_seconds <= LONGEST_PAGE_SECONDS:
        problems["page_seconds"] = message(
            "Enter an expected time per page between 1 and %(most)s seconds.", most=LONGEST_PAGE_SECONDS
        )
    return problems
