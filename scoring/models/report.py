"""Reports: agreement figures, with the data they were computed from identified."""

from __future__ import annotations

from django.db import models

from annotation.models import Job, Study


class Report(models.Model):
    """A computed set of figures. One job makes one report, however often it was restarted.

    `figures` holds the rows of the contract's JSON; `tables` what is shown with them (pairs of raters,
    distributions of ratings); `data` says what was counted, excluded and not included; `data_state` how much
    there was when the data were read; `method` what the computation was asked for (replicates, seed, form
    versions).
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="reports")
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="report")
    kind = models.CharField(max_length=40, default="reliability")
    figures = models.JSONField(default=list)
    tables = models.JSONField(default=dict)
    data = models.JSONField(default=dict)
    method = models.JSONField(default=dict)
    data_state = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64)
    software = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.kind} report {self.pk}"
