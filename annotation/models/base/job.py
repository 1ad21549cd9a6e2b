"""Jobs: long work as rows, claimed on a lease."""

from __future__ import annotations

import math

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.domain.base.messages import from_stored, message
from annotation.domain.base.states import ENDED_JOBS, JobState, choices, values
from annotation.models.base.study import Study


class Job(models.Model):
    """A background job. The row is authoritative; a broker message only announces that it can be claimed.

    A worker has the `lease` until `lease_until` and renews it with each heartbeat. At `announced_at` webhooks
    were notified that it failed.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, null=True, blank=True, related_name="jobs")
    kind = models.CharField(max_length=40)
    params = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=10, choices=choices(JobState), default=JobState.QUEUED.value)
    step = models.CharField(max_length=120, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    attempt = models.PositiveSmallIntegerField(default=0)
    lease = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    heartbeat = models.DateTimeField(null=True, blank=True)
    expected_end = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    error_code = models.CharField(max_length=60, blank=True)
    error = models.TextField(blank=True)
    error_sentence = models.JSONField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    announced_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=values(JobState)), name="job_state_known"),
            models.UniqueConstraint(
                fields=["study", "kind", "params"],
                condition=Q(state__in=[JobState.QUEUED.value, JobState.RUNNING.value]),
                name="one_unfinished_job_of_a_kind",
            ),
        ]
        indexes = [
            models.Index(fields=["state", "lease_until"], name="job_sweep"),
            models.Index(fields=["study", "kind", "started_at"], name="job_turns"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} job {self.pk}"

    @property
    def error_words(self) -> str:
        """The error as a sentence that a page can translate, while `error` is for the log and the API."""
        return message(self.error) if self.error_sentence is None else from_stored(self.error_sentence)

    @property
    def ended(self) -> bool:
        return self.state in ENDED_JOBS

    @property
    def seconds(self) -> float | None:
        """The duration of the last attempt."""
        if self.started_at is None or self.finished_at is None:
            return None
        return (self.finished_at - self.started_at).total_seconds()

    @property
    def seconds_left(self) -> int | None:
        """Time until the expected end; None if unknown or overdue."""
        if self.state != JobState.RUNNING or self.expected_end is None:
            return None
        left = math.ceil((self.expected_end - timezone.now()).total_seconds())
        return left if left > 0 else None

    @property
    def percent(self) -> int:
        return round(100 * self.done / self.total) if self.total else 0
