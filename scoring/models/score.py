"""Scores: the value of an automatic metric for an item."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models import Item, Study


class ScoreRun(models.Model):
    """One set of scores made or imported together; `signature` says how they came about.

    `made_with` holds what a computed run depends on besides the texts (checkpoints with revision, knowledge
    base, weights, extractor, software), and `key` is its digest: the same settings continue the same run.
    `revision` counts how often scores were stored: 0 until the first computation has ended. `caution` must
    be shown wherever the scores are shown.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="score_runs")
    name = models.CharField(max_length=120)
    profile = models.CharField(max_length=60, default="imported")
    signature = models.CharField(max_length=300, blank=True)
    made_with = models.JSONField(default=dict, blank=True)
    key = models.CharField(max_length=64, blank=True)
    caution = models.CharField(max_length=120, blank=True)
    revision = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="one_name_per_run"),
            models.UniqueConstraint(fields=["study", "key"], condition=~Q(key=""), name="one_run_per_key"),
        ]

    def __str__(self) -> str:
        return self.name


class MetricDirection(models.Model):
    """Whether a higher or a lower value of a metric says that an item is better; `unsigned` says neither."""

    DIRECTIONS = (("higher", "higher"), ("lower", "lower"), ("unsigned", "unsigned"))

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="metric_directions")
    metric = models.CharField(max_length=60)
    direction = models.CharField(max_length=8, choices=DIRECTIONS)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "metric"], name="one_direction_per_metric"),
            models.CheckConstraint(
                condition=Q(direction__in=["higher", "lower", "unsigned"]), name="direction_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.metric}: {self.direction}"


class Score(models.Model):
    """Null `value` means not available, for the stated reason; it is never 0 instead."""

    run = models.ForeignKey(ScoreRun, on_delete=models.CASCADE, related_name="scores")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="scores")
    metric = models.CharField(max_length=60)
    value = models.FloatField(null=True, blank=True)
    reason = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "item", "metric"], name="one_score_per_metric"),
            models.CheckConstraint(
                condition=Q(value__isnull=False, reason="") | Q(value__isnull=True) & ~Q(reason=""),
                name="score_has_value_or_reason",
            ),
        ]
        indexes = [models.Index(fields=["run", "metric", "value"], name="score_order")]

    def __str__(self) -> str:
        return f"{self.metric} {self.value}"
