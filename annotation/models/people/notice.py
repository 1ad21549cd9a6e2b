"""Events that members are notified of by email."""

from __future__ import annotations

from django.db import models

from annotation.domain.base.limits import LONGEST_LANGUAGE_CODE
from annotation.domain.base.states import NoticeEvent, choices
from annotation.models.base.accounts import Membership


class NoticeChoice(models.Model):
    """A member gets emails about one kind of event of a study.

    They are in `language`, and their links begin with `site`.
    What happened up to `seen_until` was in an email, or happened before the choice. At `mailed_at` an email
    was tried last; `error` is the code of its failure, empty where it was sent.
    """

    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="notices")
    event = models.CharField(max_length=16, choices=choices(NoticeEvent))
    language = models.CharField(max_length=LONGEST_LANGUAGE_CODE)
    site = models.CharField(max_length=300)
    seen_until = models.DateTimeField()
    mailed_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=60, blank=True)

    class Meta:
        ordering = ["membership_id", "event"]
        constraints = [
            models.UniqueConstraint(fields=["membership", "event"], name="one_choice_per_event"),
        ]

    def __str__(self) -> str:
        return f"{self.event} for membership {self.membership_id}"
