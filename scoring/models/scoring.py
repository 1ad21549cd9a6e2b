"""Computing scores: what was used for an item, how its scores came about, and who works on which items."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Item, Job
from scoring.models.score import ScoreRun

SOURCES = ("given", "extracted", "corrected", "raters")


class ItemComponents(models.Model):
    """The components of an item's text that scores were made from; runs never overwrite manual corrections.

    `pairs` holds topic, vehicle, event, property and comparator of each pair, each with its wording and its
    offsets in Unicode code points; where there is no pair, `reason` says why.
    """

    item = models.OneToOneField(Item, on_delete=models.CASCADE, related_name="simile_components")
    source = models.CharField(max_length=9, choices=[(source, source) for source in SOURCES])
    pairs = models.JSONField(default=list)
    reason = models.CharField(max_length=60, blank=True)
    extractor = models.CharField(max_length=60, blank=True)
    corrected_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(source__in=SOURCES), name="components_source_known")
        ]

    def __str__(self) -> str:
        return f"{self.item} ({self.source})"


class ScoredItem(models.Model):
    """How the scores of an item in a run came about.

    `fingerprint` is that of its whole group: texts, components and settings; as long as it is the same,
    nothing has to be computed again.
    """

    run = models.ForeignKey(ScoreRun, on_delete=models.CASCADE, related_name="scored_items")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="scored")
    fingerprint = models.CharField(max_length=64)
    explanation = models.JSONField(default=dict)
    truncated = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "item"], name="one_explanation_per_item")]

    def __str__(self) -> str:
        return f"{self.run}: {self.item}"


class ScoreChunk(models.Model):
    """Whole groups that one worker scores at a time, held by `lease` until `lease_until`."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="score_chunks")
    run = models.ForeignKey(ScoreRun, on_delete=models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    items = models.JSONField(default=list)
    lease = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["job_id", "number"]
        constraints = [models.UniqueConstraint(fields=["job", "number"], name="one_chunk_per_number")]

    def __str__(self) -> str:
        return f"job {self.job_id}, chunk {self.number}"
