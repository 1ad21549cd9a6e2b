"""Rating slots and assignments."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from annotation.domain.base.states import Purpose, SeatState, choices, values
from annotation.models.base.accounts import Rater
from annotation.models.base.study import Study
from annotation.models.items.item import Item
from annotation.models.questions.form import Form, FormVersion


class Batch(models.Model):
    """A fixed set of pages for one rater; a task on a crowd platform."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "batches"
        ordering = ["study_id", "number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="one_number_per_batch")]

    def __str__(self) -> str:
        return f"batch {self.number}"


class Seat(models.Model):
    """A rating slot: one rating of one item by one form.

    An item has as many slots as its form has ratings per item. `shuffle` is drawn from the study's seed and
    breaks ties between items with equally many ratings.
    """

    form = models.ForeignKey(Form, on_delete=models.CASCADE, related_name="seats")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="seats")
    slot = models.PositiveSmallIntegerField()
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, null=True, blank=True, related_name="seats")
    shuffle = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=8, choices=choices(SeatState), default=SeatState.FREE.value)
    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, null=True, blank=True, related_name="seats")
    until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["form", "item", "slot"], name="one_seat_per_slot"),
            models.UniqueConstraint(
                fields=["form", "item", "rater"], condition=Q(rater__isnull=False), name="one_seat_per_rater"
            ),
            models.CheckConstraint(
                condition=Q(state=SeatState.FREE.value, rater__isnull=True, until__isnull=True)
                | Q(state=SeatState.RESERVED.value, rater__isnull=False, until__isnull=False)
                | Q(state=SeatState.FILLED.value, rater__isnull=False),
                name="seat_state_fits",
            ),
        ]
        indexes = [
            models.Index(fields=["form", "state", "slot", "shuffle"], name="seat_next"),
            models.Index(fields=["form", "state", "until"], name="seat_expiry"),
            models.Index(fields=["batch", "slot", "state"], name="seat_batch"),
        ]

    def __str__(self) -> str:
        return f"seat {self.slot} of item {self.item_id}"


class Assignment(models.Model):
    """One (item, form) given to one rater for a purpose. Only `main` ones are ever counted.

    A check has no slot; it appears reserved until `held_until`, which is renewed like a reservation.
    A response before the minimum page time is not stored; `hurried_after` is its time in seconds,
    `hurried_content` its digest.
    """

    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="assignments")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="assignments")
    form = models.ForeignKey(Form, on_delete=models.PROTECT, related_name="assignments")
    version = models.ForeignKey(FormVersion, on_delete=models.PROTECT, related_name="assignments")
    seat = models.ForeignKey(
        Seat, on_delete=models.SET_NULL, null=True, blank=True, related_name="assignments"
    )
    purpose = models.CharField(max_length=13, choices=choices(Purpose), default=Purpose.MAIN.value)
    check_planted = models.ForeignKey(
        "annotation.Check", on_delete=models.PROTECT, null=True, blank=True, related_name="assignments"
    )
    attempt = models.ForeignKey(
        "annotation.QualificationAttempt",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="assignments",
    )
    position = models.PositiveIntegerField(default=0)
    page_key = models.UUIDField(default=uuid.uuid4, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    held_until = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    hurried_after = models.FloatField(null=True, blank=True)
    hurried_content = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["rater_id", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["rater", "item", "form"],
                condition=Q(purpose=Purpose.MAIN.value),
                name="nobody_rates_an_item_twice",
            ),
            models.UniqueConstraint(
                fields=["attempt", "item"],
                condition=Q(attempt__isnull=False),
                name="one_answer_per_attempt",
            ),
            models.CheckConstraint(condition=Q(purpose__in=values(Purpose)), name="purpose_known"),
        ]
        indexes = [models.Index(fields=["rater", "purpose", "submitted_at"], name="assignment_progress")]

    def __str__(self) -> str:
        return f"assignment {self.pk}"

    @property
    def offers_cannot_rate(self) -> bool:
        """Whether its page offers “Can’t rate”; a check with its own question does, as most pages do."""
        return self.version.cannot_rate or self.form.planted
