"""Exclusions of items, raters and responses from the analysis, stored as separate rows."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.base.accounts import Rater
from annotation.models.base.study import Study
from annotation.models.items.item import Item
from annotation.models.seats.response import Response


class ExclusionRule(models.Model):
    """An exclusion rule: it excludes data that meet any of its `conditions`.

    It is never edited; a new rule is a new row. `before_opening` marks a rule declared before the study
    opened and had responses. Applying it writes exclusions with this rule, lifting it writes their lifts.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="exclusion_rules")
    key = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    conditions = models.JSONField(default=list)
    reason = models.TextField()
    before_opening = models.BooleanField(default=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "created_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="one_key_per_rule")]

    def __str__(self) -> str:
        return self.name


class Exclusion(models.Model):
    """One exclusion, by a rule or manual, with reason, author and time.

    `rule` is the value in exports: the key of the rule `by_rule`, `by_hand`, `withdrawn`, or a name that was
    imported.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="exclusions")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, null=True, blank=True, related_name="exclusions")
    rater = models.ForeignKey(
        Rater, on_delete=models.PROTECT, null=True, blank=True, related_name="exclusions"
    )
    response = models.ForeignKey(
        Response, on_delete=models.PROTECT, null=True, blank=True, related_name="exclusions"
    )
    rule = models.CharField(max_length=60, default="by_hand")
    by_rule = models.ForeignKey(
        ExclusionRule, on_delete=models.PROTECT, null=True, blank=True, related_name="exclusions"
    )
    reason = models.TextField()
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(item__isnull=False, rater__isnull=True, response__isnull=True)
                | Q(item__isnull=True, rater__isnull=False, response__isnull=True)
                | Q(item__isnull=True, rater__isnull=True, response__isnull=False),
                name="exclusion_has_one_target",
            )
        ]

    def __str__(self) -> str:
        return f"{self.rule}: {self.reason}"


class ExclusionLift(models.Model):
    """The end of an exclusion: a new row, never a deletion."""

    exclusion = models.OneToOneField(Exclusion, on_delete=models.PROTECT, related_name="lift")
    reason = models.TextField(blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"lift of {self.exclusion_id}"
