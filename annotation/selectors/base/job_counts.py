"""How much work waits, since when, and how it ended: by kind of job."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, DurationField, ExpressionWrapper, F, Max, Min, Q
from django.utils import timezone

from annotation.domain.base.states import ENDED_JOBS, JobState
from annotation.models import Job

DAY = timedelta(days=1)
WAITED = ExpressionWrapper(F("started_at") - F("created_at"), output_field=DurationField())


@dataclass(frozen=True, slots=True)
class KindOfWork:
    """The jobs of one kind that are unfinished or ended within the last day."""

    kind: str
    waiting: int
    running: int
    oldest: datetime | None
    longest_wait: timedelta | None
    done: int
    failed: int


def recent_work() -> list[KindOfWork]:
    """Every kind of which jobs are unfinished, or ended within the last day."""
    since = timezone.now() - DAY
    ended = Q(finished_at__gte=since)
    recent = Job.objects.exclude(Q(state__in=ENDED_JOBS) & ~ended)
    rows = (
        recent.order_by("kind")
        .values("kind")
        .annotate(
            waiting=Count("pk", filter=Q(state=JobState.QUEUED)),
            running=Count("pk", filter=Q(state=JobState.RUNNING)),
            oldest=Min("created_at", filter=Q(state=JobState.QUEUED)),
            longest_wait=Max(WAITED, filter=Q(attempt=1)),
            done=Count("pk", filter=Q(state=JobState.DONE)),
            failed=Count("pk", filter=Q(state=JobState.FAILED)),
        )
    )
    return [KindOfWork(**row) for row in rows]


def unfinished_upkeep() -> list[str]:
    """Errors of unrequested work of the last day, such as the nightly job, that has not succeeded since."""
    own = Job.objects.filter(study=None, created_by=None, created_at__gte=timezone.now() - DAY)
    last = {job.kind: job for job in own.order_by("pk")}
    return [job.error_words for job in last.values() if job.state == JobState.FAILED]


def failures_of_a_day() -> list[dict[str, Any]]:
    """The failures of the last day by kind and code: how many, in how many studies, the last."""
    failed = Job.objects.filter(state=JobState.FAILED, finished_at__gte=timezone.now() - DAY)
    counted = failed.values("kind", "error_code").annotate(
        n=Count("pk"), studies=Count("study", distinct=True), last=Max("finished_at"), job=Max("pk")
    )
    return [dict(row) for row in counted.order_by("-n", "kind", "error_code")]
