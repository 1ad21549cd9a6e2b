"""Payments whose request to a service may still be carried out, although no worker waits for its answer."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from annotation.models import Job, Payment, PaymentEntry
from annotation.selectors.pay.payments import with_state

# A signed request is refused by Mechanical Turk five minutes after its signature; clocks may differ.
ARRIVES_WITHIN = timedelta(minutes=20)


def may_still_be_made(payments: Collection[Payment]) -> set[int]:
    """Those of the payments that a service may still make, because a worker may have been suspended.

    A worker sends a request while the payment is sent and its job has not ended. A payment is safe when
    neither has been so for `ARRIVES_WITHIN`.

    Parameters
    ----------
    payments : collection of Payment
        In any state.

    Returns
    -------
    set of int
        Primary keys. What was paid by hand, and not by a job, is never among them.
    """
    since = timezone.now() - ARRIVES_WITHIN
    current = with_state(Payment.objects.filter(pk__in=[one.pk for one in payments]))
    by_job = current.filter(entries__batch__isnull=False, entries__attempt=F("attempt"))
    jobs = dict(by_job.values_list("pk", "entries__batch__job"))
    entries = PaymentEntry.objects.filter(payment__in=list(jobs), at__gte=since).order_by()
    recent = set(entries.values_list("payment", flat=True))
    unfinished = Job.objects.filter(pk__in=list(jobs.values())).exclude(finished_at__lt=since)
    running = set(unfinished.values_list("pk", flat=True))
    return {pk for pk, job in jobs.items() if pk in recent or job in running}
