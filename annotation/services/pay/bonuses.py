"""Bonuses, and the platform IDs of raters."""

from __future__ import annotations

from decimal import Decimal

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import MOST_MONEY
from annotation.domain.base.messages import message
from annotation.domain.pay.minor_units import to_minor
from annotation.domain.pay.payment_states import OPEN, PaymentKind, PaymentState
from annotation.models import Bonus, Payment, Rater, RaterKind, Study, User
from annotation.selectors.base.table_types import Table
from annotation.selectors.pay.costs import pay_of
from annotation.selectors.pay.payments import with_state
from annotation.selectors.people.platform_ids import identities_of, platform_ids_table
from annotation.services.base import audit
from annotation.services.pay.payment_entries import lock_ledger


def grant_bonus(*, rater: Rater, amount: Decimal, note: str, actor: User) -> Bonus | None:
    """Grant a rater a bonus, which replaces an earlier one; 0 removes it.

    Parameters
    ----------
    rater, amount, actor
        A person, not simulated; the amount in the currency of the study's pay; and who grants it.
    note : str
        What it is for, seen by members and on the list.

    Raises
    ------
    NotAllowedNow
        `no_pay`: the study's currency is not set yet; `open_payment`: the ledger has more than the new
        amount, and part of it can still be paid.
    InvalidContent
        `bad_bonus`: the amount is negative or too great, the note too long, or the rater not a person.
    """
    _check_bonus(rater, amount, note)
    with transaction.atomic():
        lock_ledger(rater.study)
        rater = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        pay = pay_of(rater.study)
        if pay is None:
            raise NotAllowedNow(message("Set the pay rate first. A bonus needs a currency."), code="no_pay")
        _refuse_open(rater, to_minor(amount, pay.currency))
        if amount:
            granted = {"amount": amount, "note": note.strip(), "author": actor}
            bonus, _ = Bonus.objects.update_or_create(rater=rater, defaults=granted)
        else:
            bonus = None
            Bonus.objects.filter(rater=rater).delete()
        audit.record(
            study=rater.study, actor=actor, act="grant_bonus", rater=rater.code, amount=str(amount), note=note
        )
    return bonus


def _check_bonus(rater: Rater, amount: Decimal, note: str) -> None:
    if not 0 <= amount <= MOST_MONEY or len(note) > 200:
        sentence = message(
            "Enter a bonus between 0 and %(most)s and a reason of at most 200 characters.", most=MOST_MONEY
        )
        raise InvalidContent(sentence, code="bad_bonus")
    if rater.simulated or rater.kind != RaterKind.PERSON:
        sentence = message("%(code)s is not a person and cannot be paid.", code=rater.code)
        raise InvalidContent(sentence, code="bad_bonus")


def _refuse_open(rater: Rater, amount: int) -> None:
    """A payment that is due, approved or failed would still pay what the bonus is no longer to be."""
    payments = with_state(Payment.objects.filter(rater=rater, kind=PaymentKind.BONUS))
    listed = list(
        payments.exclude(state=PaymentState.CANCELLED).select_related("payment_list").order_by("-pk")
    )
    payable = next((one for one in listed if one.state in OPEN and one.payment_list), None)
    if payable is not None and sum(one.amount for one in listed) > amount:
        sentence = message(
            "Payment list %(number)d has a payment for the bonus of %(code)s. Cancel this payment first, "
            "then change the bonus.",
            number=payable.payment_list.number,
            code=rater.code,
        )
        raise NotAllowedNow(sentence, code="open_payment")


def export_platform_ids(*, study: Study, actor: User, file_format: str) -> Table:
    """Table of the raters' platform IDs; its export, with the file's format, is written to the audit log.

    Parameters
    ----------
    study : Study
        Study of the raters.
    actor : User
        User who takes it.
    file_format : str
        The format of the file, for the log.
    """
    audit.record(
        study=study,
        actor=actor,
        act="export_platform_ids",
        format=file_format,
        raters=identities_of(study).count(),
    )
    return platform_ids_table(study)
