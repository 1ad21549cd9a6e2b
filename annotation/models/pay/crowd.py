"""A study on a crowd platform: the account there, the study there, and its submissions."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.domain.base.messages import from_stored
from annotation.domain.base.platforms import Platform
from annotation.domain.base.sealing import Purpose
from annotation.domain.base.states import choices, values
from annotation.domain.pay.crowd import Decision, DecisionState
from annotation.models.base.accounts import Invitation, Rater
from annotation.models.base.sealed import sealed, unsealed
from annotation.models.base.study import Study


class CrowdConnection(models.Model):
    """The encrypted token of an account on a platform, and the name of the account there.

    A token that the platform has not accepted yet waits in a second row, in addition to the one that is used.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="crowd_connections")
    platform = models.CharField(max_length=10, choices=choices(Platform))
    is_accepted = models.BooleanField(default=True)
    sealed_token = models.CharField(max_length=1000, editable=False)
    account = models.CharField(max_length=200, blank=True)
    connected_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    connected_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "platform", "is_accepted"], name="one_account_per_platform"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.platform} for study {self.study_id}"

    @property
    def token(self) -> str:
        """The token; empty if the keys of this installation do not decrypt it."""
        return unsealed(self.sealed_token, Purpose.PLATFORM)

    @token.setter
    def token(self, token: str) -> None:
        self.sealed_token = sealed(token, Purpose.PLATFORM)


class CrowdStudy(models.Model):
    """The study on a platform from which raters come; without a `number` it may not exist there.

    `content` is what the platform is asked to create, and `asked_at` says when it was asked: without it,
    nothing was sent. `internal_name` finds the study if no answer came. `screen_out_code` is the code by
    which the research team screens out, if the study was created with one. `reward` is in cents.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="crowd_studies")
    platform = models.CharField(max_length=10, choices=choices(Platform))
    invitation = models.ForeignKey(Invitation, on_delete=models.PROTECT, related_name="+")
    number = models.CharField(max_length=64, blank=True)
    internal_name = models.CharField(max_length=120, unique=True)
    content = models.JSONField(default=dict)
    screen_out_code = models.CharField(max_length=60, blank=True)
    places = models.PositiveIntegerField()
    reward = models.PositiveIntegerField()
    status = models.CharField(max_length=40, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "crowd studies"
        constraints = [
            models.UniqueConstraint(fields=["study", "platform"], name="one_study_per_platform"),
        ]

    def __str__(self) -> str:
        return self.number or self.internal_name


class CrowdSubmission(models.Model):
    """A submission on a platform, with the decision of a member. It is deleted with the identity.

    The person's ID is not stored: the submission has the rater, or none if the ID belongs to no rater.
    `reason` is shown to the person who is asked to return the submission, or whose work is rejected.
    `problem` is the sentence of a refusal, as messages are stored.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="crowd_submissions")
    platform = models.CharField(max_length=10, choices=choices(Platform))
    rater = models.ForeignKey(
        Rater, on_delete=models.CASCADE, null=True, blank=True, related_name="crowd_submissions"
    )
    number = models.CharField(max_length=64)
    status = models.CharField(max_length=40)
    code = models.CharField(max_length=60, blank=True)
    return_requested = models.BooleanField(default=False)
    read_at = models.DateTimeField()
    decision = models.CharField(max_length=10, choices=[("", ""), *choices(Decision)], blank=True)
    decision_state = models.CharField(max_length=8, choices=[("", ""), *choices(DecisionState)], blank=True)
    reason = models.CharField(max_length=200, blank=True)
    problem = models.JSONField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["study_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "platform", "number"], name="one_row_per_submission"),
            models.CheckConstraint(
                condition=Q(decision="", decision_state="")
                | Q(decision__in=values(Decision), decision_state__in=values(DecisionState)),
                name="decision_has_a_state",
            ),
        ]

    def __str__(self) -> str:
        return f"submission {self.pk}: {self.status}"

    @property
    def problem_words(self) -> str:
        """The problem as a sentence that a page can translate; empty for none."""
        return "" if self.problem is None else from_stored(self.problem)
