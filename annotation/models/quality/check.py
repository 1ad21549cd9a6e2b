"""Attention checks and their results, which are never counted as ratings."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.domain.base.states import choices
from annotation.domain.quality.checks import CheckKind
from annotation.models.base.study import Study
from annotation.models.items.item import Item
from annotation.models.questions.form import Form
from annotation.models.seats.assignment import Assignment


class Check(models.Model):
    """An attention check: a page that tests whether a rater reads.

    `item` is the hidden item that it shows, or null for a repeat, which shows an earlier item of the rater
    again. For a twin, `original` is the item that it is a degraded copy of. `translations` has the
    instruction in its item in further languages, by language and field, `{vehicle:a bell}` marking a
    component; those of a question of its own are with its form version.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="checks")
    key = models.SlugField(max_length=60)
    kind = models.CharField(max_length=13, choices=choices(CheckKind))
    form = models.ForeignKey(Form, on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    original = models.ForeignKey(Item, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    settings = models.JSONField(default=dict)
    translations = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="one_key_per_check"),
            models.CheckConstraint(
                condition=Q(kind=CheckKind.REPEAT.value, item__isnull=True)
                | (~Q(kind=CheckKind.REPEAT.value) & Q(item__isnull=False)),
                name="check_shows_its_item",
            ),
        ]

    def __str__(self) -> str:
        return self.key


class CheckVerdict(models.Model):
    """The result of one check page, stored once when it is answered.

    `passed` is None without a result. `chance` is the probability of passing without reading.
    """

    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, related_name="verdict")
    passed = models.BooleanField(null=True)
    reason = models.CharField(max_length=40)
    detail = models.JSONField(default=dict)
    chance = models.FloatField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.reason
