"""Acts about one payment: its state, and payments that were made outside."""

from __future__ import annotations

from decimal import Decimal

from django.db import transaction
from django.db.models import Q

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import MOST_MONEY
from annotation.domain.base.messages import message
from annotation.domain.pay.minor_units import from_minor, to_minor
from annotation.domain.pay.payment_states import UNFINISHED, PaymentKind, PaymentState
from annotation.models import Pay, Payment, Rater, RaterKind, User
from annotation.selectors.pay.costs import pay_of
from annotation.selectors.pay.earnings import Earning, covered_by_payments, earnings
from annotation.selectors.pay.late_requests import ARRIVES_WITHIN, may_still_be_made
from annotation.selectors.pay.payments import with_state
from annotation.services.base import audit
from annotation.services.pay.payment_entries import add_entries, check_words, first_entries, lock_ledger
from annotation.services.pay.payment_lists import new_payments


def change_payment(
    *,
    payment: Payment,
    to: PaymentState,
    seen: PaymentState,
    attempt: int,
    actor: User,
    reference: str = "",
    note: str = "",
) -> None:
    """Bring one payment to a state; a failed one that is approved again is a new attempt under the same key.

    Parameters
    ----------
    payment, to, actor
        The payment, the state, and the member who sets it.
    seen, attempt
        The state and the number of the attempt that the member has seen: the same state can be that of a
        later attempt.
    reference, note : str
        The reference of the bank or platform, and a remark; both without personal data.

    Raises
    ------
    NotAllowedNow
        `changed_elsewhere`: the payment is in another state or at another attempt by now; `not_from_here`: it
        cannot go there; `may_still_be_made`: it failed, and a service may still make it.
    InvalidContent
        `bad_payment`: the reference is missing, or a text is too long.
    """
    check_words(reference, note, needs_reference=to == PaymentState.SENT)
    with transaction.atomic():
        lock_ledger(payment.study)
        found = with_state(Payment.objects.select_related("rater")).get(pk=payment.pk)
        if (found.state, found.attempt) != (seen, attempt):
            raise NotAllowedNow(
                message("The payment was changed meanwhile. Reload the page to see its state."),
                code="changed_elsewhere",
            )
        if to == PaymentState.FAILED and may_still_be_made([found]):
            raise NotAllowedNow(
                message(
                    "The service may still make this payment. You can mark it as failed %(n)d minutes after "
                    "its job ended, when no request of the job can arrive any more.",
                    n=ARRIVES_WITHIN.seconds // 60,
                ),
                code="may_still_be_made",
            )
        add_entries([found], to, actor=actor, reference=reference, note=note)
        audit.record(
            study=payment.study,
            actor=actor,
            act="change_payment",
            rater=found.rater.code,
            payment=str(found.key),
            state=to.value,
            reference=reference,
            note=note,
        )


def enter_outside_payment(
    *,
    rater: Rater,
    kind: PaymentKind,
    amount: Decimal,
    reference: str,
    note: str,
    actor: User,
    beyond_earned: bool = False,
) -> Payment:
    """Enter a payment that was made outside; later lists leave out what it covers.

    Parameters
    ----------
    rater, kind, actor
        A person of the study, what the payment was for, and who enters it.
    amount : Decimal
        Above 0, in the currency of the study's pay.
    reference : str
        The reference of the bank or platform, without personal data. A reference that a payment of a list to
        the rater, or an outside payment of the same kind, has or had is the same payment.
    note : str
        A remark, without personal data.
    beyond_earned : bool
        Whether the member has confirmed that the rater is paid more than was earned.

    Raises
    ------
    NotAllowedNow
        `no_pay`: no pay rate is set; `already_entered`: the payment is in the ledger; `open_payment`: a list
        has a payment of this kind to the rater that may still be made; `beyond_earned`: payments would be
        more than the rater has earned, which was not confirmed.
    InvalidContent
        `bad_payment`: an amount, the rater or a text cannot be taken.
    """
    check_words(reference, note, needs_reference=True)
    if not 0 < amount <= MOST_MONEY:
        sentence = message("Enter an amount above 0 and of at most %(most)s.", most=MOST_MONEY)
        raise InvalidContent(sentence, code="bad_payment", fields={"amount": sentence})
    if rater.simulated or rater.kind != RaterKind.PERSON:
        sentence = message("%(code)s is not a person and cannot be paid.", code=rater.code)
        raise InvalidContent(sentence, code="bad_payment", fields={"rater": sentence})
    with transaction.atomic():
        lock_ledger(rater.study)
        pay = pay_of(rater.study)
        if pay is None:
            raise NotAllowedNow(message("Set the pay rate first. Payments need a currency."), code="no_pay")
        _refuse_doubled(rater, kind, reference)
        _refuse_open(rater, kind)
        units = to_minor(amount, pay.currency)
        if not beyond_earned:
            _refuse_beyond_earned(rater, pay, kind, units)
        (payment,) = new_payments(rater.study, {(rater.code, kind): units}, pay.currency, payment_list=None)
        first_entries([payment], PaymentState.CONFIRMED, actor=actor, reference=reference, note=note)
        audit.record(
            study=rater.study,
            actor=actor,
            act="enter_payment",
            rater=rater.code,
            amount=f"{from_minor(units, pay.currency)} {pay.currency}",
            kind=kind.value,
            reference=reference,
            note=note,
        )
    return payment


def _refuse_doubled(rater: Rater, kind: PaymentKind, reference: str) -> None:
    same = Payment.objects.filter(rater=rater, entries__reference__iexact=reference.strip())
    if same.filter(Q(payment_list__isnull=False) | Q(kind=kind.value)).exists():
        raise NotAllowedNow(
            message("A payment to %(code)s with this reference is already in the ledger.", code=rater.code),
            code="already_entered",
        )


def _refuse_beyond_earned(rater: Rater, pay: Pay, kind: PaymentKind, units: int) -> None:
    """Compare bonuses separately; pay and top-ups are earned by work and counted together."""
    earned = earnings(rater.study, pay).get(rater.code, Earning())
    together = [PaymentKind.BONUS] if kind == PaymentKind.BONUS else [PaymentKind.BASE, PaymentKind.TOP_UP]
    covered = covered_by_payments(rater.study, pay.currency)
    paid = sum(covered.get((rater.code, one.value), 0) for one in together)
    due = sum(getattr(earned, one.value) for one in together)
    if paid + units <= due:
        return
    earned_words, paid_words, amount_words = (
        f"{from_minor(sum_, pay.currency)} {pay.currency}" for sum_ in (due, paid, units)
    )
    sentence = message(
        "%(code)s has earned %(earned)s of this kind, and the ledger has payments of %(paid)s. %(amount)s "
        "more is more than was earned. If that is intended, tick “More than earned”.",
        code=rater.code,
        earned=earned_words,
        paid=paid_words,
        amount=amount_words,
    )
    raise NotAllowedNow(sentence, code="beyond_earned")


def _refuse_open(rater: Rater, kind: PaymentKind) -> None:
    """Refuse a payment that a list is about to make: it must not be paid twice."""
    listed = Payment.objects.filter(rater=rater, kind=kind.value, payment_list__isnull=False)
    unfinished = with_state(listed.select_related("payment_list")).filter(state__in=UNFINISHED)
    one = unfinished.order_by("pk").first()
    if one is not None:
        sentence = message(
            "Payment list %(number)d has an open payment of this kind to %(code)s. Cancel it first, or "
            "confirm it if this is the payment that you made.",
            number=one.payment_list.number,
            code=rater.code,
        )
        raise NotAllowedNow(sentence, code="open_payment")
