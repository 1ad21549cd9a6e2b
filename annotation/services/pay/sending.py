"""Sending payments to a service that pays: each batch once, and what is not known is in doubt."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.limits import LONGEST_PAYMENT_NOTE, LONGEST_PAYMENT_REFERENCE
from annotation.domain.base.messages import message
from annotation.domain.pay.minor_units import from_minor
from annotation.domain.pay.payment_states import PaymentState
from annotation.models import Job, Payment, PaymentBatch, PaymentList, PlatformIdentity, User
from annotation.selectors.pay.payments import payable_by, total_of, with_state
from annotation.services.base import audit
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.pay.payers import (
    Batch,
    Line,
    Outcome,
    Outcomes,
    OutcomeUnknown,
    Payer,
    TakenOver,
    payer_named,
    registered_payers,
)
from annotation.services.pay.payment_entries import add_entries, lock_ledger

logger = logging.getLogger(__name__)

KIND = "send_payments"
ERASED = "Not sent: the platform ID was erased."
LINES_READ = (PaymentState.SENT, PaymentState.IN_DOUBT)
READ_AGAIN_AFTER = timedelta(minutes=30)
READ_FOR = timedelta(days=7)


def request_sending(
    *,
    payment_list: PaymentList,
    payer: str,
    actor: User,
    seen: tuple[int, Decimal] | None = None,
    only_read: bool = False,
) -> Job:
    """Enqueue the sending of what is approved of a list, or its reading back where nothing is approved.

    Parameters
    ----------
    payment_list, payer, actor
        The list, the key of a registered service, and who asks.
    seen : tuple of int and Decimal, optional
        The number and the sum of the payments that the person has confirmed. If others can be paid when the
        job runs, it fails with `changed_elsewhere` and sends nothing.
    only_read : bool
        Read back alone: what is approved stays approved.

    Raises
    ------
    NotAllowedNow
        No application has registered the service (`unknown_payer`).
    """
    payer_named(payer)
    params: dict[str, Any] = {"list": payment_list.pk, "payer": payer}
    act = "send_payments"
    if seen is not None:
        params["seen"] = [seen[0], str(seen[1])]
    if only_read:
        params["only_read"] = True
        act = "read_back_payments"
    with transaction.atomic():
        audit.record(study=payment_list.study, actor=actor, act=act, list=payment_list.number, payer=payer)
        return enqueue(kind=KIND, study=payment_list.study, params=params, created_by=actor)


def request_due_readings() -> int:
    """Enqueue the reading back of payments without an outcome; returns how many lists.

    A list is read again half an hour after its last job, for a week after the batch. Later, a member decides.
    """
    now = timezone.now()
    recent = PaymentBatch.objects.filter(stored_at__gt=now - READ_FOR, payer__in=registered_payers())
    unknown = with_state(Payment.objects.all()).filter(state__in=LINES_READ).values("pk")
    pairs = recent.filter(entries__payment__in=unknown).order_by().values_list("payment_list", "payer")
    count = 0
    for number, payer in pairs.distinct():
        jobs = Job.objects.filter(kind=KIND, params__list=number, params__payer=payer)
        if jobs.filter(Q(finished_at=None) | Q(finished_at__gt=now - READ_AGAIN_AFTER)).exists():
            continue
        listed = PaymentList.objects.select_related("study").get(pk=number)
        params = {"list": number, "payer": payer, "only_read": True}
        enqueue(kind=KIND, study=listed.study, params=params, created_by=None)
        count += 1
    return count


def run_sending(*, lease: Lease) -> None:
    """Send the approved payments of a list in one batch, then read back what is in doubt of the list.

    The batch and the state “sent” are stored before the call. What the service has taken, to make it later,
    stays sent until the next job looks for it. A job that finds its batch stored was begun by
    a worker that died: nothing is sent then, and the payments are in doubt until the service says what became
    of them. So are those of earlier jobs that ended without an outcome. What the service does not know either
    stays in doubt for a person to decide.

    Parameters
    ----------
    lease : Lease
        Lease of a job from `request_sending`.

    Raises
    ------
    NotAllowedNow
        `changed_elsewhere`: other payments can be sent than the person has confirmed.
    """
    params = lease.job.params
    payer = payer_named(params["payer"])
    payment_list = PaymentList.objects.select_related("study").get(pk=params["list"])
    # One job at a time sends a list to a service: what earlier ones left as sent has no outcome.
    _doubt(payment_list, params["payer"])
    only_read = params.get("only_read", False)
    if not only_read and not PaymentBatch.objects.filter(job=lease.job.pk).exists():
        batch = _store_batch(payment_list, payer, lease)
        if batch is not None:
            _send(batch, payment_list, payer, lease)
    found = _read_back(payment_list, payer, params["payer"])
    lease.complete(lambda: _store(payment_list, found))


def _store_batch(payment_list: PaymentList, payer: Payer, lease: Lease) -> PaymentBatch | None:
    """Store the batch of a job with its payments as sent; None where nothing can be sent."""
    with transaction.atomic():
        lock_ledger(payment_list.study)
        key = lease.job.params["payer"]
        chosen = list(
            payable_by(
                payment_list,
                payer=key,
                platform=payer.platform.value,
                kinds=[kind.value for kind in payer.kinds],
            )
        )
        _refuse_unseen(chosen, lease.job.params.get("seen"))
        if not chosen:
            return None
        batch = PaymentBatch.objects.create(
            study=payment_list.study, payment_list=payment_list, job=lease.job.pk, payer=key
        )
        actor = lease.job.created_by
        add_entries(chosen, PaymentState.SENT, actor=actor, reference=str(batch.key), batch=batch)
    return batch


def _refuse_unseen(chosen: Sequence[Payment], seen: Sequence[Any] | None) -> None:
    """Refuse payments other than those whose number and sum a person has confirmed."""
    if seen is None or (len(chosen), total_of(chosen)) == (seen[0], Decimal(seen[1])):
        return
    raise NotAllowedNow(
        message("The payments of the list were changed meanwhile. Nothing was sent. Look at the list again."),
        code="changed_elsewhere",
    )


def _send(stored: PaymentBatch, payment_list: PaymentList, payer: Payer, lease: Lease) -> None:
    """Call the service once; whatever is not known afterwards is in doubt."""
    batch = _as_sent(stored)
    reachable = [one for one in batch.lines if one.recipient]
    erased = {one.payment: Outcome(False, reason=ERASED) for one in batch.lines if not one.recipient}
    # A worker that was suspended for longer than its lease must not send after another has taken over.
    lease.renew()
    sent = replace(batch, lines=reachable, check=partial(_check_is_due, stored, lease))
    outcomes = _answer(payer.send, sent) if reachable else {}
    with transaction.atomic():
        lease.renew()
        _store(payment_list, {**outcomes, **erased})
        _doubt(payment_list, stored.payer, but_not=outcomes)


def _check_is_due(stored: PaymentBatch, lease: Lease, lines: Collection[Line]) -> None:
    """Check the job and the payments again, under locks."""
    with transaction.atomic():
        if not lease.hold():
            raise TakenOver
        lock_ledger(stored.study)
        found = _sent_by(stored).filter(state=PaymentState.SENT, key__in=[one.payment for one in lines])
        if found.count() < len(lines):
            raise TakenOver


def _answer(call: Callable[[Batch], Outcomes], batch: Batch) -> Outcomes:
    """Return the answer of a service; if the call fails in any way, the outcome is unknown."""
    try:
        return dict(call(batch))
    except OutcomeUnknown as unknown:
        logger.warning("Batch %s has no outcome: %s", batch.key, unknown)
    except Exception:  # a boundary of tasks: the service is code of another application
        logger.exception("The payment service met a fault with batch %s", batch.key)
    return {}


def _doubt(payment_list: PaymentList, payer_key: str, but_not: Collection[UUID] = ()) -> None:
    """Put what was sent of a list to a service and has no outcome in doubt."""
    with transaction.atomic():
        lock_ledger(payment_list.study)
        for batch in payment_list.batches.filter(payer=payer_key).order_by("pk"):
            open_ones = list(_sent_by(batch).filter(state=PaymentState.SENT).exclude(key__in=list(but_not)))
            if open_ones:
                add_entries(open_ones, PaymentState.IN_DOUBT, actor=None)


def _read_back(payment_list: PaymentList, payer: Payer, payer_key: str) -> dict[UUID, Outcome]:
    """The outcomes that the service reports for payments of a list that are in doubt."""
    found: dict[UUID, Outcome] = {}
    for stored in payment_list.batches.filter(payer=payer_key).order_by("pk"):
        keys = set(_sent_by(stored).filter(state=PaymentState.IN_DOUBT).values_list("key", flat=True))
        if not keys:
            continue
        outcomes = _answer(payer.read_back, _as_sent(stored))
        found |= {payment: outcome for payment, outcome in outcomes.items() if payment in keys}
    return found


def _sent_by(batch: PaymentBatch) -> QuerySet[Any]:
    """Payments whose current attempt was sent by a batch; outcomes of earlier batches are out of date."""
    return with_state(Payment.objects.all()).filter(entries__batch=batch, entries__attempt=F("attempt"))


def _store(payment_list: PaymentList, outcomes: Outcomes) -> None:
    """Confirm or fail the payments whose outcome is known, and leave the others as they are."""
    with transaction.atomic():
        lock_ledger(payment_list.study)
        payments = with_state(payment_list.payments.filter(key__in=list(outcomes)))
        alike: dict[tuple[PaymentState, str, str], list[Payment]] = defaultdict(list)
        for one in payments.filter(state__in=LINES_READ):
            outcome = outcomes[one.key]
            if outcome.made is not None:
                state = PaymentState.CONFIRMED if outcome.made else PaymentState.FAILED
                alike[
                    state,
                    outcome.reference[:LONGEST_PAYMENT_REFERENCE],
                    outcome.reason[:LONGEST_PAYMENT_NOTE],
                ].append(one)
        for (state, reference, reason), chosen in alike.items():
            add_entries(chosen, state, actor=None, reference=reference, note=reason)


def _as_sent(stored: PaymentBatch) -> Batch:
    """A batch with its lines; the recipient is empty where the platform ID was erased."""
    payments = Payment.objects.filter(entries__batch=stored).order_by("pk")
    known = PlatformIdentity.objects.filter(rater__payments__in=payments, erased_at=None)
    people = dict(known.values_list("rater", "person"))
    attempts = dict(stored.entries.values_list("payment", "attempt"))
    lines = [
        Line(
            payment=one.key,
            attempt=attempts[one.pk],
            recipient=people.get(one.rater_id, ""),
            amount=from_minor(one.amount, one.currency),
            currency=one.currency,
            reason=one.kind,
        )
        for one in payments
    ]
    return Batch(stored.key, lines)
