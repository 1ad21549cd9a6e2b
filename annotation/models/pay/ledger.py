"""The ledger: payments to raters with the history of their states. Rows are only added."""

from __future__ import annotations

import uuid
from typing import Any, NoReturn, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.domain.base.limits import LONGEST_PAYMENT_NOTE, LONGEST_PAYMENT_REFERENCE
from annotation.domain.base.states import choices, values
from annotation.domain.pay.payment_states import MOVES, PaymentKind, PaymentState
from annotation.models.base.accounts import Rater
from annotation.models.base.study import Study

Row = TypeVar("Row", bound=models.Model)
ALLOWED_MOVES = Q()
for _before, _following in MOVES.items():
    ALLOWED_MOVES |= Q(previous=str(_before), state__in=sorted(one.value for one in _following))


class LedgerRowError(TypeError):
    """An attempt to change or delete a row of the ledger."""

    def __init__(self) -> None:
        super().__init__("Rows of the ledger cannot be changed or deleted. Add an entry instead.")


class AddedOnly(models.QuerySet[Row]):
    """Rows that are only added and read; they are deleted only with their study."""

    def update(self, **_: Any) -> NoReturn:
        raise LedgerRowError

    def delete(self) -> NoReturn:
        raise LedgerRowError

    def bulk_update(self, *_: Any, **__: Any) -> NoReturn:
        raise LedgerRowError

    def erase_notes(self) -> None:
        """Delete the notes of members about raters whose data are erased; amounts and states stay."""
        super().update(note="")


class LedgerRow(models.Model):
    """A row that is written once. Triggers of the database refuse changes too."""

    objects = models.Manager.from_queryset(AddedOnly)()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Only what is new."""
        if not self._state.adding:
            raise LedgerRowError
        super().save(*args, **kwargs)

    def delete(self, *_: Any, **__: Any) -> NoReturn:
        raise LedgerRowError


class PaymentList(LedgerRow):
    """Payments that were put together at one moment, and are approved and sent together."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="payment_lists")
    number = models.PositiveIntegerField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta(LedgerRow.Meta):
        ordering = ["study_id", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="one_number_per_payment_list")
        ]

    def __str__(self) -> str:
        return f"payment list {self.number}"


class Payment(LedgerRow):
    """An amount for one rater, in the smallest units of its currency.

    `key` identifies the payment everywhere: a payment that fails and is made again keeps it. `number` counts
    the payments of one kind to one rater, so that the same work is not listed twice. Without a list it was
    made outside. The rater is known by the code alone. `state` and `attempt` are those of the current entry,
    and `reference` is the latest of the attempt, where a selector has read them; `history` has all entries.
    """

    state: str
    attempt: int
    reference: str
    history: list[PaymentEntry]

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="payments")
    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="payments")
    payment_list = models.ForeignKey(
        PaymentList, on_delete=models.CASCADE, null=True, blank=True, related_name="payments"
    )
    kind = models.CharField(max_length=8, choices=choices(PaymentKind))
    number = models.PositiveIntegerField()
    amount = models.PositiveBigIntegerField()
    currency = models.CharField(max_length=3)
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    class Meta(LedgerRow.Meta):
        ordering = ["rater__code", "kind", "number"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="payment_is_something"),
            models.CheckConstraint(condition=Q(kind__in=values(PaymentKind)), name="payment_kind_known"),
            models.UniqueConstraint(fields=["rater", "kind", "number"], name="one_number_per_payment"),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} for rater {self.rater_id}"


class PaymentBatch(LedgerRow):
    """Payments of a list sent to a service in one call: stored before the call, and never sent twice.

    `job` is the number of the job that sends it.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="payment_batches")
    payment_list = models.ForeignKey(PaymentList, on_delete=models.CASCADE, related_name="batches")
    job = models.PositiveBigIntegerField(unique=True)
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    payer = models.CharField(max_length=40)
    stored_at = models.DateTimeField(auto_now_add=True)

    class Meta(LedgerRow.Meta):
        verbose_name_plural = "payment batches"

    def __str__(self) -> str:
        return f"batch {self.key} to {self.payer}"


class OutsideBatch(LedgerRow):
    """The number of a batch at a service, stored before the batch may be paid.

    Without a `number` the batch was given up, and nothing may be paid by it any more. Each batch has one row,
    so that only one of two workers decides the number. `before` is, by the
    key of each payment, what the service had paid its recipient until then, to recognise what it pays later.
    """

    batch = models.OneToOneField(PaymentBatch, on_delete=models.CASCADE, related_name="outside")
    number = models.CharField(max_length=60, blank=True)
    before = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta(LedgerRow.Meta):
        verbose_name_plural = "outside batches"

    def __str__(self) -> str:
        return f"batch {self.batch_id} is {self.number or 'given up'}"


class PaymentEntry(LedgerRow):
    """A state of a payment: its author, time, and reference of the bank or platform.

    The highest `number` is the current state. `attempt` counts how often the payment was approved. `note` is
    deleted with the data of the rater.
    """

    payment = models.ForeignKey(Payment, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    previous = models.CharField(max_length=9, choices=[("", ""), *choices(PaymentState)], blank=True)
    state = models.CharField(max_length=9, choices=choices(PaymentState))
    attempt = models.PositiveSmallIntegerField(default=1)
    reference = models.CharField(max_length=LONGEST_PAYMENT_REFERENCE, blank=True)
    note = models.CharField(max_length=LONGEST_PAYMENT_NOTE, blank=True)
    batch = models.ForeignKey(
        PaymentBatch, on_delete=models.CASCADE, null=True, blank=True, related_name="entries"
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta(LedgerRow.Meta):
        verbose_name_plural = "payment entries"
        ordering = ["payment_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["payment", "number"], name="one_number_per_payment_entry"),
            models.UniqueConstraint(
                fields=["payment", "attempt"], condition=Q(state="sent"), name="sent_once_per_attempt"
            ),
            models.UniqueConstraint(
                fields=["payment"], condition=Q(state="confirmed"), name="confirmed_once"
            ),
            models.CheckConstraint(condition=ALLOWED_MOVES, name="payment_move_allowed"),
            models.CheckConstraint(
                condition=Q(number=1, previous="") | (Q(number__gt=1) & ~Q(previous="")),
                name="first_payment_entry",
            ),
        ]

    def __str__(self) -> str:
        return f"payment {self.payment_id}: {self.state}"


class EarnedBefore(LedgerRow):
    """The earnings of a rater who withdrew or whose data were erased, in the smallest units."""

    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="earned_before")
    base = models.PositiveBigIntegerField()
    top_up = models.PositiveBigIntegerField()
    currency = models.CharField(max_length=3)
    at = models.DateTimeField(auto_now_add=True)

    class Meta(LedgerRow.Meta):
        verbose_name_plural = "earned before"

    def __str__(self) -> str:
        return f"{self.base} {self.currency} of rater {self.rater_id}"
