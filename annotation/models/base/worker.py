"""Worker processes and their last reports."""

from __future__ import annotations

import uuid

from django.db import models


class WorkerProcess(models.Model):
    """A worker that was started and has not reported its end.

    Its main loop writes `seen_at`. `slots` is how many jobs it can run at a time; `slot_beats` has, for each
    process of its pool, the seconds since 1970 of the last report of that process, and is empty for a
    pool without processes. `jobs` are the ids of what it is working on.
    """

    key = models.UUIDField(primary_key=True, default=uuid.uuid4)
    name = models.CharField(max_length=200)
    host = models.CharField(max_length=200)
    pid = models.PositiveIntegerField()
    version = models.CharField(max_length=40)
    queues = models.JSONField(default=list)
    slots = models.PositiveIntegerField(default=1)
    slot_beats = models.JSONField(default=list)
    jobs = models.JSONField(default=list)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "worker processes"
        ordering = ["name", "started_at"]

    def __str__(self) -> str:
        return self.name
