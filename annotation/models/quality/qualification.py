"""Qualification: the pages that raters read and answer before the main work, and the results."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.domain.base.limits import LONGEST_TITLE
from annotation.domain.base.states import choices, values
from annotation.domain.quality.calibration import RuleKind
from annotation.models.base.accounts import Rater, User
from annotation.models.base.study import Study
from annotation.models.items.item import Item
from annotation.models.questions.form import Form


class Qualification(models.Model):
    """The rule by which raters of a study qualify; None in `attempts` is no limit.

    With `feedback` the reference is shown after each answer, so the first answer counts. From
    `notes_released_at` on raters see the discussion notes. An attempt has `items_per_attempt` of the
    calibration items, None for all; a further one begins with those that the rater has not had.
    """

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="qualification")
    rule = models.CharField(max_length=4, choices=choices(RuleKind))
    tolerance = models.FloatField(null=True, blank=True)
    share = models.FloatField(null=True, blank=True)
    least = models.FloatField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(null=True, blank=True)
    feedback = models.BooleanField(default=True)
    items_per_attempt = models.PositiveSmallIntegerField(null=True, blank=True)
    notes_released_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(rule__in=values(RuleKind)), name="qualification_rule_known")
        ]

    def __str__(self) -> str:
        return f"qualification of {self.study_id}"


class BackgroundPage(models.Model):
    """A text that raters read before the calibration items; `translations` has it by language and name."""

    qualification = models.ForeignKey(Qualification, on_delete=models.CASCADE, related_name="pages")
    title = models.CharField(max_length=LONGEST_TITLE)
    text = models.TextField()
    translations = models.JSONField(default=dict, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["qualification_id", "position", "pk"]

    def __str__(self) -> str:
        return self.title


class CalibrationItem(models.Model):
    """A planted item with its reference: criterion key → number, or the right option's key.

    `picked` tells an item of the study from one that was written for calibration. `note` is what the
    group discussion noted about it. `translations` has `reason` and `note` in further languages.
    """

    qualification = models.ForeignKey(Qualification, on_delete=models.CASCADE, related_name="items")
    item = models.OneToOneField(Item, on_delete=models.PROTECT, related_name="calibration")
    form = models.ForeignKey(Form, on_delete=models.PROTECT, related_name="+")
    reference = models.JSONField(default=dict)
    reason = models.TextField(blank=True)
    note = models.TextField(blank=True)
    translations = models.JSONField(default=dict, blank=True)
    picked = models.BooleanField(default=False)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["qualification_id", "position", "pk"]

    def __str__(self) -> str:
        return self.item.key


class QualificationAttempt(models.Model):
    """One attempt of a rater at the calibration items, with its result.

    `passed` is None while it continues or waits for approval. `figure` is the share or the correlation,
    empty where there is none; `reason` says why it was passed or not.
    """

    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    passed = models.BooleanField(null=True)
    reason = models.CharField(max_length=40, blank=True)
    figure = models.FloatField(null=True, blank=True)
    threshold = models.FloatField(null=True, blank=True)
    detail = models.JSONField(default=dict)
    decision = models.TextField(blank=True)
    decided_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["rater_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["rater", "number"], name="one_number_per_attempt"),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=False) | Q(passed__isnull=True),
                name="only_a_finished_attempt_is_passed",
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of rater {self.rater_id}"
