"""Messages of the research team to raters."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from annotation.domain.base.limits import LONGEST_LANGUAGE_CODE
from annotation.domain.base.states import choices
from annotation.domain.people.rater_messages import DeliveryState, MessageKind
from annotation.models.base.accounts import Rater
from annotation.models.base.study import Study


class RaterMessage(models.Model):
    """One message to several raters, never changed.

    `texts` has subject and text by language. `key` identifies the page of the study from which it was
    sent, so that sending it twice creates one message. Links begin with `site`.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="rater_messages")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=choices(MessageKind))
    texts = models.JSONField(default=dict)
    key = models.UUIDField(default=uuid.uuid4)
    site = models.CharField(max_length=300)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="one_number_per_rater_message"),
            models.UniqueConstraint(fields=["study", "key"], name="one_rater_message_per_key"),
        ]

    def __str__(self) -> str:
        return f"message {self.number}"


class MessageDelivery(models.Model):
    """The delivery of a message to one rater. The email address is not stored.

    `state` is one of `DeliveryState`, `language` that of the text, `reason` the code of a failure or of why
    nothing was sent. `tried_at` is the time of the last attempt.
    """

    message = models.ForeignKey(RaterMessage, on_delete=models.CASCADE, related_name="deliveries")
    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="message_deliveries")
    state = models.CharField(max_length=8, choices=choices(DeliveryState))
    language = models.CharField(max_length=LONGEST_LANGUAGE_CODE)
    reason = models.CharField(max_length=60, blank=True)
    tried_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "message deliveries"
        ordering = ["message_id", "rater_id"]
        constraints = [
            models.UniqueConstraint(fields=["message", "rater"], name="one_delivery_per_message_and_rater"),
        ]

    def __str__(self) -> str:
        return f"message {self.message_id} to rater {self.rater_id}: {self.state}"
