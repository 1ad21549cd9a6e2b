"""Stages: forms that receive items from an earlier form, and the earlier answers shown there."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from annotation.domain.base.states import choices, values
from annotation.domain.seats.stages import StagePeople, StageRule
from annotation.models.questions.form import Form
from annotation.models.seats.assignment import Assignment
from annotation.models.seats.response import Response


class StageFeed(models.Model):
    """The form `target` receives the items for which `rule` of the answers to `source` have a value.

    `criterion` is the key of a criterion of `source`. With `suggestions` raters of `target` see the earlier
    answers, without names. `matches` maps criteria of `target` to those of `source` that suggest an answer;
    empty for those of the same key.
    """

    target = models.OneToOneField(Form, on_delete=models.CASCADE, related_name="fed_by")
    source = models.ForeignKey(Form, on_delete=models.CASCADE, related_name="feeds")
    criterion = models.SlugField(max_length=60)
    value = models.CharField(max_length=60)
    rule = models.CharField(max_length=8, choices=choices(StageRule), default=StageRule.ALL.value)
    people = models.CharField(max_length=16, choices=choices(StagePeople), default=StagePeople.OTHERS.value)
    suggestions = models.BooleanField(default=True)
    matches = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["target_id"]
        constraints = [
            models.CheckConstraint(condition=Q(rule__in=values(StageRule)), name="stage_rule_known"),
            models.CheckConstraint(condition=Q(people__in=values(StagePeople)), name="stage_people_known"),
            models.CheckConstraint(condition=~Q(source=F("target")), name="no_form_feeds_itself"),
            models.CheckConstraint(condition=~Q(criterion="") & ~Q(value=""), name="stage_asks_for_a_value"),
        ]

    def __str__(self) -> str:
        return f"form {self.target_id} is fed by form {self.source_id}"


class Suggestion(models.Model):
    """An earlier answer shown to the rater of an assignment: revision and position.

    It is deleted with the answer; its use remains recorded in the later response.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="suggestions")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="suggested_in")
    place = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["assignment_id", "place"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "response"], name="suggested_once"),
            models.UniqueConstraint(fields=["assignment", "place"], name="one_suggestion_per_place"),
        ]

    def __str__(self) -> str:
        return f"response {self.response_id}, shown in assignment {self.assignment_id}"
