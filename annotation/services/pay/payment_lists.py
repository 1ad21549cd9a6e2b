"""Payment lists: put together once from what raters have earned, approved and sent as a whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from decimal import Decimal

from django.db import transaction
from django.db.models import Max

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.pay.minor_units import from_minor
from annotation.domain.pay.payment_states import PaymentKind, PaymentState
from annotation.models import Payment, PaymentList, Rater, Study, User
from annotation.selectors.pay.costs import pay_of
from annotation.selectors.pay.earnings import Earning, covered_by_payments, earnings, unpaid
from annotation.selectors.pay.payments import with_state
from annotation.services.base import audit
from annotation.services.pay.payment_entries import add_entries, check_words, first_entries, lock_ledger

ALL_KINDS = frozenset(PaymentKind)


def make_payment_list(
    *, study: Study, actor: User, kinds: Collection[PaymentKind] = ALL_KINDS
) -> PaymentList:
    """Put together what raters have earned and no payment covers; all of it is due then.

    Of two lists that are made at once, the second finds nothing left.

    Parameters
    ----------
    study, actor
        A study with its pay set, in any state, and who makes the list.
    kinds : collection of PaymentKind
        What is paid by the list, such as bonuses alone where a platform pays the rest.

    Raises
    ------
    NotAllowedNow
        `no_pay`: no pay rate is set; `nothing_due`: all that was earned is in the ledger.
    """
    with transaction.atomic():
        lock_ledger(study)
        pay = pay_of(study)
        if pay is None:
            raise NotAllowedNow(message("Set the pay rate first. Payments need a currency."), code="no_pay")
        rest = unpaid(earnings(study, pay), covered_by_payments(study, pay.currency))
        amounts = _amounts(rest, kinds)
        if not amounts:
            raise NotAllowedNow(
                message("Nothing is due: the ledger has a payment for all that raters have earned so far."),
                code="nothing_due",
            )
        highest = PaymentList.objects.filter(study=study).aggregate(highest=Max("number"))["highest"] or 0
        made = PaymentList.objects.create(study=study, number=highest + 1, made_by=actor)
        payments = new_payments(study, amounts, pay.currency, payment_list=made)
        first_entries(payments, PaymentState.DUE, actor=actor)
        audit.record(
            study=study,
            actor=actor,
            act="make_payment_list",
            list=made.number,
            payments=len(payments),
            total=_total(payments),
        )
    return made


def new_payments(
    study: Study,
    amounts: Mapping[tuple[str, PaymentKind], int],
    currency: str,
    *,
    payment_list: PaymentList | None,
) -> list[Payment]:
    """Add payments to the ledger, which the caller has locked; without a list they were made outside.

    Parameters
    ----------
    study, currency, payment_list
        Of the payments.
    amounts : mapping
        By rater code and kind, the amount in the smallest units, above 0.
    """
    raters = dict(Rater.objects.filter(study=study).values_list("code", "pk"))
    numbers: dict[tuple[str, str], int] = defaultdict(int)
    stored = Payment.objects.filter(study=study).order_by().values_list("rater__code", "kind")
    numbers.update({(code, kind): n for code, kind, n in stored.annotate(Max("number"))})
    return Payment.objects.bulk_create(
        Payment(
            study=study,
            rater_id=raters[code],
            payment_list=payment_list,
            kind=kind.value,
            number=numbers[code, kind] + 1,
            amount=amount,
            currency=currency,
        )
        for (code, kind), amount in sorted(amounts.items())
    )


def approve_payments(*, payment_list: PaymentList, actor: User, total: Decimal) -> int:
    """Approve what is due of a list, under the name of a member; returns how many payments.

    Parameters
    ----------
    payment_list, actor
        The list, and who approves it.
    total : Decimal
        The sum that the member has seen and typed.

    Raises
    ------
    NotAllowedNow
        `nothing_to_approve`: nothing of the list is due any more.
    InvalidContent
        `other_total`: the sum is another one.
    """
    with transaction.atomic():
        lock_ledger(payment_list.study)
        due = _in_state(payment_list, PaymentState.DUE)
        if not due:
            raise NotAllowedNow(
                message(
                    "Nothing of payment list %(number)d is left to approve. Reload the page.",
                    number=payment_list.number,
                ),
                code="nothing_to_approve",
            )
        if total != _decimal_total(due):
            sentence = message(
                "The payments to approve amount to %(total)s. Enter this amount to approve them.",
                total=_total(due),
            )
            raise InvalidContent(sentence, code="other_total", fields={"total": sentence})
        add_entries(due, PaymentState.APPROVED, actor=actor)
        _record(payment_list, actor, "approve_payments", due)
    return len(due)


def mark_list(
    *,
    payment_list: PaymentList,
    to: PaymentState,
    count: int,
    total: Decimal,
    actor: User,
    reference: str = "",
    note: str = "",
) -> int:
    """Bring all payments of a list that can go there to a state; returns how many.

    Approved payments become sent, sent ones confirmed or in doubt, due or approved ones cancelled. What is in
    doubt is not changed here: each of these payments is decided by itself.

    Parameters
    ----------
    payment_list, to, actor
        The list, the state, and the member who sets it.
    count, total
        The number of payments that can go there and their sum, as the member has seen them: what was approved
        or sent since is not changed unseen.
    reference : str
        The reference of the bank or platform, without personal data; needed for what was sent.
    note : str
        A remark, without personal data.

    Raises
    ------
    NotAllowedNow
        `nothing_to_change`: no payment of the list can go there now; `changed_elsewhere`: their number or sum
        is another one by now.
    InvalidContent
        `bad_payment`: the reference is missing, or a text is too long.
    """
    check_words(reference, note, needs_reference=to == PaymentState.SENT)
    with transaction.atomic():
        lock_ledger(payment_list.study)
        chosen = _in_state(payment_list, *FROM[to])
        if not chosen:
            raise NotAllowedNow(
                message(
                    "No payment of list %(number)d can be changed in this way now. Reload the page.",
                    number=payment_list.number,
                ),
                code="nothing_to_change",
            )
        if (len(chosen), _decimal_total(chosen)) != (count, total):
            sentence = message(
                "The payments of this list were changed meanwhile. Reload and check the amount."
            )
            raise NotAllowedNow(sentence, code="changed_elsewhere")
        add_entries(chosen, to, actor=actor, reference=reference, note=note)
        _record(payment_list, actor, "change_payments", chosen, state=to.value, reference=reference)
    return len(chosen)


# For a whole list: the states from which its payments can change to another one.
FROM: Mapping[PaymentState, tuple[PaymentState, ...]] = {
    PaymentState.SENT: (PaymentState.APPROVED,),
    PaymentState.CONFIRMED: (PaymentState.SENT,),
    PaymentState.IN_DOUBT: (PaymentState.SENT,),
    PaymentState.CANCELLED: (PaymentState.DUE, PaymentState.APPROVED),
}


def _amounts(
    rest: Mapping[str, Earning], kinds: Collection[PaymentKind]
) -> dict[tuple[str, PaymentKind], int]:
    found = {(code, kind): getattr(one, kind.value) for code, one in rest.items() for kind in PaymentKind}
    return {key: amount for key, amount in found.items() if amount and key[1] in kinds}


def _in_state(payment_list: PaymentList, *states: PaymentState) -> list[Payment]:
    return list(with_state(payment_list.payments.all()).filter(state__in=states))


def _record(
    payment_list: PaymentList, actor: User, act: str, payments: Collection[Payment], **detail: str
) -> None:
    audit.record(
        study=payment_list.study,
        actor=actor,
        act=act,
        list=payment_list.number,
        payments=len(payments),
        total=_total(payments),
        **detail,
    )


def _decimal_total(payments: Collection[Payment]) -> Decimal:
    return sum((from_minor(one.amount, one.currency) for one in payments), Decimal(0))


def _total(payments: Collection[Payment]) -> str:
    currency = next(iter(payments)).currency
    return f"{_decimal_total(payments)} {currency}"
