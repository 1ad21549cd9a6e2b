"""Automatic judges of a study, their answers and calls, and the study’s key of the chat endpoint."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.domain.base.sealing import Purpose
from annotation.models import Criterion, Item, Study, User
from annotation.models.base.sealed import sealed, unsealed
from annotation.models.questions.given_answer import GivenAnswer, answer_constraints

WAYS = (("file", "file"), ("metric", "metric"), ("model", "model"), ("chat", "chat"))
CALL_STATES = (("planned", "planned"), ("sent", "sent"), ("answered", "answered"), ("failed", "failed"))


class Judge(models.Model):
    """A model, or stored scores, whose values are answers to criteria of a study. It is no rater.

    `settings` says how the answers came about, and never holds a key or other secret. From a file:
    `file_name` and `mapping`; from a metric: `run`, `metric`, `criterion` and `mapping`; from a model or
    a chat service: its name or address, `temperature`, `seed`, `samples`, version of the prompt template and
    `family`. `same_family_as` is a system of the study that comes from the same family of models.
    `saw_items` notes which items the judge was trained or tuned on.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    way = models.CharField(max_length=8, choices=WAYS)
    description = models.TextField(blank=True)
    settings = models.JSONField(default=dict, blank=True)
    same_family_as = models.CharField(max_length=120, blank=True)
    saw_items = models.TextField(blank=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="one_judge_per_name"),
            models.CheckConstraint(condition=~Q(name=""), name="judge_has_name"),
            models.CheckConstraint(condition=Q(way__in=[way for way, _ in WAYS]), name="judge_way_known"),
        ]

    def __str__(self) -> str:
        return self.name


class Judgement(GivenAnswer):
    """One answer of a judge to one criterion of an item, or the reason why there is none.

    `raw` is what a model wrote. `probabilities` has those of the options, by their value. `tokens_in`,
    `tokens_out` and `latency_ms` are null where the way of the judge has none.
    """

    judge = models.ForeignKey(Judge, on_delete=models.CASCADE, related_name="judgements")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="+")
    criterion = models.ForeignKey(Criterion, on_delete=models.CASCADE, related_name="+")
    sample = models.PositiveSmallIntegerField(default=1)
    reason = models.CharField(max_length=40, blank=True)
    raw = models.TextField(blank=True)
    probabilities = models.JSONField(null=True, blank=True)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["judge_id", "item_id", "criterion_id", "sample"]
        constraints = [
            models.UniqueConstraint(
                fields=["judge", "item", "criterion", "sample"], name="one_judgement_per_sample"
            ),
            models.CheckConstraint(condition=Q(sample__gte=1), name="judgement_samples_count_from_1"),
            *answer_constraints("judgement", or_reason=True),
        ]


class JudgeCall(models.Model):
    """One request for one sample of an item: which calls were in flight when a run was killed.

    `key` is the digest of all that the answer depends on. `error` is the code of the last failure and
    `status` the status of the last HTTP response, null where none came.
    """

    judge = models.ForeignKey(Judge, on_delete=models.CASCADE, related_name="calls")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="+")
    sample = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=8, choices=CALL_STATES, default="planned")
    key = models.CharField(max_length=64)
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=40, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["judge_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["judge", "item", "sample"], name="one_call_per_sample"),
            models.UniqueConstraint(fields=["judge", "key"], name="one_call_per_key"),
            models.CheckConstraint(condition=Q(sample__gte=1), name="call_samples_count_from_1"),
            models.CheckConstraint(
                condition=Q(state__in=[state for state, _ in CALL_STATES]), name="call_state_known"
            ),
        ]
        indexes = [models.Index(fields=["judge", "state"], name="calls_by_state")]

    def __str__(self) -> str:
        return f"{self.state} {self.key[:8]}"


class JudgeKey(models.Model):
    """A study’s own key of the chat endpoint, encrypted. It is sent to `address` alone."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="+")
    address = models.TextField()
    sealed_key = models.CharField(max_length=1000, editable=False)
    set_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"key of study {self.study_id}"

    @property
    def key(self) -> str:
        """The key; empty if the keys of this installation do not decrypt it."""
        return unsealed(self.sealed_key, Purpose.JUDGE)

    @key.setter
    def key(self, key: str) -> None:
        self.sealed_key = sealed(key, Purpose.JUDGE)
