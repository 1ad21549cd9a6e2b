"""Batches of bonuses on a platform: given a number once, before anything can be paid, or given up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from annotation.models import OutsideBatch, PaymentBatch
from annotation.services.pay.payers import Line, Outcome

NOT_PAID = "Not paid: the batch was given up before it was paid."
NO_SUBMISSION = "Not sent: this person has no submission in the study on the platform."


def claim(stored: PaymentBatch, number: str, before: Mapping[str, Any]) -> bool:
    """Store the number of a batch; False if another worker has given the batch up meanwhile.

    Parameters
    ----------
    stored, number
        The batch, and what it is called on the platform.
    before : mapping
        What was paid there until now, by payment; empty where bonuses have references.
    """
    with transaction.atomic():
        fields = {"number": number, "before": dict(before)}
        _, is_new = OutsideBatch.objects.get_or_create(batch=stored, defaults=fields)
    return is_new


def give_up(stored: PaymentBatch) -> OutsideBatch:
    """Return the number of a batch; if none is stored, no worker can store one afterwards.

    Parameters
    ----------
    stored : PaymentBatch
        Of the ledger.
    """
    with transaction.atomic():
        return OutsideBatch.objects.get_or_create(batch=stored)[0]


def all_of(lines: Sequence[Line], outcome: Outcome) -> dict[UUID, Outcome]:
    """The same outcome for several lines.

    Parameters
    ----------
    lines, outcome
        Of a batch.
    """
    return {one.payment: outcome for one in lines}
