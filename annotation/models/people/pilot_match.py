"""Raters of a pilot who rate in its main study too."""

from __future__ import annotations

from django.db import models

from annotation.models.base.accounts import Rater


class PilotMatch(models.Model):
    """A rater of a pilot and the rater of its main study who is the same person.

    It is stored while both studies are pooled, and identifies the person in both after accounts and platform
    IDs are erased. It has no ID of the person.
    """

    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="matches_in_main")
    main_rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="matches_in_pilot")

    class Meta:
        verbose_name_plural = "pilot matches"
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["rater", "main_rater"], name="one_match_per_pair_of_raters"),
        ]

    def __str__(self) -> str:
        return f"rater {self.rater_id} is rater {self.main_rater_id}"
