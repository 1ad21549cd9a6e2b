"""Recomputed tables of published studies."""

from __future__ import annotations

from django.db import models

from annotation.models import Job


class ReplicationRun(models.Model):
    """The cells of one published study, from files identified by their fingerprint.

    `cells` holds the rows of the contract's JSON, and the printed figure as it was printed; `counts`
    how many of them have each status.
    """

    name = models.CharField(max_length=40)
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="replication_run")
    cells = models.JSONField(default=list)
    counts = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64)
    software = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} {self.created_at:%Y-%m-%d}"
