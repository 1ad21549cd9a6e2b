"""Exclusions: rows beside the data that take an item, a rater or a response out of the analysis."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.item import Item
from annotation.models.people import Rater
from annotation.models.response import Response
from annotation.models.study import Study


class Exclusion(models.Model):
    """One target taken out, by a rule or by hand, with reason, author and time."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="exclusions")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, null=True, blank=True, related_name="exclusions")
    rater = models.ForeignKey(
        Rater, on_delete=models.PROTECT, null=True, blank=True, related_name="exclusions"
    )
    response = models.ForeignKey(
        Response, on_delete=models.PROTECT, null=True, blank=True, related_name="exclusions"
    )
    rule = models.CharField(max_length=60, default="by_hand")
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
    """The end of an exclusion: another row, never a deletion."""

    exclusion = models.OneToOneField(Exclusion, on_delete=models.PROTECT, related_name="lift")
    reason = models.TextField(blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"lift of {self.exclusion_id}"
