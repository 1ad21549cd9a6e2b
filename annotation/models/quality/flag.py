"""When a rater was first found with flags."""

from __future__ import annotations

from django.db import models

from annotation.models.base.accounts import Rater


class RaterFlag(models.Model):
    """A rater was found with flagged `indicators` at `flagged_at`, so members are notified once.

    Pages compute flags from the current data and do not read this row.
    """

    rater = models.OneToOneField(Rater, on_delete=models.CASCADE, related_name="flag")
    indicators = models.JSONField(default=list)
    flagged_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"flags of rater {self.rater_id}"
