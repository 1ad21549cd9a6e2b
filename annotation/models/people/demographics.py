"""Demographic questions and answers, stored separately from the ratings."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.domain.base.states import choices
from annotation.domain.people.demographics import DemographicKind
from annotation.models.base.accounts import Rater
from annotation.models.base.study import Study


class DemographicQuestion(models.Model):
    """One demographic question; `options` are those of a single choice."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="demographic_questions")
    key = models.SlugField(max_length=40)
    text = models.CharField(max_length=500)
    kind = models.CharField(max_length=6, choices=choices(DemographicKind))
    options = models.JSONField(default=list)
    translations = models.JSONField(default=dict, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["study_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="one_key_per_demographic_question"),
        ]

    def __str__(self) -> str:
        return self.text


class DemographicAnswer(models.Model):
    """The answer of a rater; `declined` for “Prefer not to say”."""

    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="demographic_answers")
    question = models.ForeignKey(DemographicQuestion, on_delete=models.PROTECT, related_name="answers")
    value = models.TextField(blank=True)
    declined = models.BooleanField(default=False)
    answered_at = models.DateTimeField()

    class Meta:
        ordering = ["rater_id", "question__position"]
        constraints = [
            models.UniqueConstraint(fields=["rater", "question"], name="one_answer_per_demographic_question"),
            models.CheckConstraint(
                condition=Q(declined=True, value="") | (Q(declined=False) & ~Q(value="")),
                name="demographic_answer_given_or_declined",
            ),
        ]

    def __str__(self) -> str:
        return f"answer of rater {self.rater_id}"
