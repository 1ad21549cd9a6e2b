"""Links that show a stored report to people without an account."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models import Study
from scoring.models.report import Report


class ShareLink(models.Model):
    """A secret address of one stored report, until it expires or is revoked.

    Of the secret only the digest is stored. `title` and `names`, of the study and its criteria, are as they
    were when the link was created; `n_opened` counts how often the report was read.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="share_links")
    report = models.ForeignKey(Report, on_delete=models.CASCADE, related_name="share_links")
    label = models.CharField(max_length=120)
    title = models.CharField(max_length=200)
    names = models.JSONField(default=dict)
    token_digest = models.CharField(max_length=64, unique=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    n_opened = models.PositiveIntegerField(default=0)
    last_opened_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["study_id", "-created_at", "-pk"]

    def __str__(self) -> str:
        return self.label
