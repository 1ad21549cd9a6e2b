"""Candidates that were sent to be scored without a study."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models import Job


class FileScoring(models.Model):
    """Candidates of a file, and their scores once the job is done; they belong to the user who sent them.

    `groups` holds the candidates as they are scored, `told` what was cleaned or skipped, `scored` the scores
    and how they came about, one entry per candidate; `made_with` and `caution` are as of a run.
    """

    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="file_scoring")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="file_scorings"
    )
    name = models.CharField(max_length=200)
    groups = models.JSONField(default=list)
    told = models.JSONField(default=list)
    scored = models.JSONField(default=list)
    made_with = models.JSONField(default=dict)
    caution = models.CharField(max_length=120, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.name
