"""Adjudication: cases, comments and final answers; ratings are not changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.domain.adjudication.differences import CaseState, Rule
from annotation.domain.base.states import choices, values
from annotation.models.base.accounts import Rater
from annotation.models.base.study import Study
from annotation.models.items.item import Item
from annotation.models.questions.form import Criterion, Form, FormVersion
from annotation.models.questions.given_answer import GivenAnswer, answer_constraints


class Adjudication(models.Model):
    """Adjudication settings: with `named`, adjudicators see rater codes, otherwise letters."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="adjudication")
    named = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"adjudication of study {self.study_id}"


class Case(models.Model):
    """An item to adjudicate by one form.

    `adjudicator` is the member with that role who decides it; admins and owners decide any case. `second` is
    asked for a second opinion, which is not the final answer.
    `state` and `position`, the item's, are what the queue is filtered and ordered by; a service that
    writes a verdict or a comment sets the state under the lock of this row.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="cases")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="cases")
    form = models.ForeignKey(Form, on_delete=models.PROTECT, related_name="cases")
    position = models.PositiveIntegerField()
    state = models.CharField(max_length=9, choices=choices(CaseState), default=CaseState.OPEN.value)
    adjudicator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="cases"
    )
    second = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="second_cases",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["item", "form"], name="one_case_per_item_and_form"),
            models.CheckConstraint(condition=Q(state__in=values(CaseState)), name="case_state_known"),
        ]
        indexes = [
            models.Index(fields=["study", "position", "id"], name="case_order"),
            models.Index(fields=["study", "state", "position", "id"], name="case_queue"),
        ]

    def __str__(self) -> str:
        return f"case {self.pk}"


class Dispute(models.Model):
    """The reason of a case: a rule that selected it on a criterion, or the choice of a member.

    `detail` holds the rule's bound and the value found. A criterion is named by its key, in all versions.
    """

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="disputes")
    criterion = models.SlugField(max_length=60)
    rule = models.CharField(max_length=11, choices=choices(Rule))
    detail = models.JSONField(default=dict, blank=True)
    found_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    found_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["case_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["case", "criterion", "rule"], name="one_dispute_per_rule"),
            models.CheckConstraint(condition=Q(rule__in=values(Rule)), name="dispute_rule_known"),
        ]
        indexes = [models.Index(fields=["rule", "criterion", "case"], name="dispute_rule")]

    def __str__(self) -> str:
        return f"{self.criterion}: {self.rule}"


class Verdict(models.Model):
    """A decision on a case. A new decision is a new row; the last that is no second opinion is current.

    `cannot_rate` holds a reason code where the verdict is that the item cannot be rated.
    """

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="verdicts")
    revision = models.PositiveIntegerField(default=1)
    current = models.BooleanField(default=True)
    second = models.BooleanField(default=False)
    submission_key = models.UUIDField(unique=True)
    version = models.ForeignKey(FormVersion, on_delete=models.PROTECT, related_name="+")
    cannot_rate = models.CharField(max_length=40, blank=True)
    note = models.TextField(blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    decided_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["case_id", "revision"]
        constraints = [
            models.UniqueConstraint(fields=["case", "revision"], name="one_number_per_verdict"),
            models.UniqueConstraint(fields=["case"], condition=Q(current=True), name="one_current_verdict"),
            models.CheckConstraint(
                condition=~Q(current=True, second=True), name="second_opinion_is_not_current"
            ),
        ]

    def __str__(self) -> str:
        return f"verdict {self.revision} of case {self.case_id}"


class FinalAnswer(GivenAnswer):
    """The final answer to one criterion.

    With `chosen` it is that of the rater `chosen_from`, which is empty where their answers were erased;
    otherwise it was written.
    """

    verdict = models.ForeignKey(Verdict, on_delete=models.CASCADE, related_name="answers")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="+")
    chosen = models.BooleanField(default=False)
    chosen_from = models.ForeignKey(
        Rater, on_delete=models.PROTECT, null=True, blank=True, related_name="final_answers"
    )

    class Meta:
        ordering = ["verdict_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["verdict", "criterion"], name="one_final_answer_per_criterion"),
            *answer_constraints("final_answer"),
            models.CheckConstraint(
                condition=Q(chosen=True) | Q(chosen_from__isnull=True), name="written_answer_is_nobodys"
            ),
        ]


class QueueMove(models.Model):
    """The removal of a case from the queue (`withdrawn`), or its return. The last one counts."""

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="moves")
    withdrawn = models.BooleanField()
    reason = models.TextField(blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    moved_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["case_id", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(withdrawn=False) | ~Q(reason=""), name="withdrawn_case_has_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"case {self.case_id} {'withdrawn' if self.withdrawn else 'put back'}"


class Comment(models.Model):
    """A comment of a member on a case, written once and never changed."""

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["case_id", "created_at", "pk"]

    def __str__(self) -> str:
        return f"comment on case {self.case_id}"
