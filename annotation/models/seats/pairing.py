"""Adaptive pairs: which pairs a form asks next, round by round."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.domain.base.states import choices, values
from annotation.domain.seats.pairing import Stop
from annotation.models.questions.form import Form


class AdaptivePairing(models.Model):
    """The pairs of `form` get rating slots where the order of two candidates is open.

    `criterion` is the key of the question that compares them. There are at most `budget` comparisons, and
    `per_round` in one round; an item has at most as many as the form has ratings per item.
    """

    form = models.OneToOneField(Form, on_delete=models.CASCADE, related_name="pairing")
    criterion = models.SlugField(max_length=60)
    budget = models.PositiveIntegerField()
    per_round = models.PositiveIntegerField()

    class Meta:
        ordering = ["form_id"]
        constraints = [
            models.CheckConstraint(condition=Q(budget__gte=1, per_round__gte=1), name="pairing_compares")
        ]

    def __str__(self) -> str:
        return f"adaptive pairs of form {self.form_id}"


class PairRound(models.Model):
    """One choice of pairs, with all data it was computed from, so that it can be computed again.

    `counts` has a list for each item that is new or has changed since the round before: its ID, the two
    candidates, the answers that prefer the first, the second or neither, the slots, those without an answer,
    and whether it is closed. `items` are the IDs of
    the items that got a slot, in the order chosen, and `slots` the numbers of these slots. The last round
    has no items, and `stopped` says why. `open_pairs` of `all_pairs` pairs of candidates had no known order;
    null in the first round, which no answer decides. Where a rater of the form was erased, `counts` and
    `strengths` are empty: the differences between rounds would show single answers.
    """

    pairing = models.ForeignKey(AdaptivePairing, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveIntegerField()
    seed = models.PositiveIntegerField()
    counts = models.JSONField(default=list)
    items = models.JSONField(default=list)
    slots = models.JSONField(default=list)
    strengths = models.JSONField(default=dict)
    open_pairs = models.PositiveIntegerField(null=True, blank=True)
    all_pairs = models.PositiveIntegerField()
    stopped = models.CharField(max_length=12, choices=choices(Stop), blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pairing_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "number"], name="one_number_per_round"),
            models.UniqueConstraint(fields=["pairing"], condition=~Q(stopped=""), name="pairing_stops_once"),
            models.CheckConstraint(condition=Q(stopped__in=["", *values(Stop)]), name="stop_known"),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of pairing {self.pairing_id}"
