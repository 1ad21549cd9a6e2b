"""What Prometheus asks of the database: answers, jobs, open rating slots, workers, disk.

A handful of queries whatever the size of the installation; studies and jobs appear by id and kind alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.db.models import Count, DurationField, ExpressionWrapper, F, Min, Q, Sum
from django.utils import timezone
from prometheus_client import Metric
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    InfoMetricFamily,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector

from annotation.domain.base.states import ENDED_JOBS, TAKING_ANSWERS, JobState, SeatState
from annotation.models import Job, Response, Seat
from annotation.selectors.base.readiness import free_bytes
from annotation.selectors.base.workers import workforce
from config.distribution import release


class Installation(Collector):
    """Measurements that are the same whichever process is asked."""

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("groundwork", "Version of Groundwork.", value={"version": release()})
        yield _answers()
        yield from _jobs()
        yield _slots()
        yield from _workers()
        yield GaugeMetricFamily(
            "groundwork_disk_free_bytes",
            "Free disk space in the data folder.",
            value=free_bytes(),
        )


def _answers() -> Metric:
    return CounterMetricFamily(
        "groundwork_responses_stored",
        "Stored responses with corrections.",
        value=Response.objects.count(),
    )


def _jobs() -> Iterator[Metric]:
    """Waiting, running and ended jobs, their durations and lost leases, in one query."""
    waiting = GaugeMetricFamily("groundwork_jobs_waiting", "Jobs waiting for a worker.", labels=["kind"])
    oldest = GaugeMetricFamily(
        "groundwork_jobs_oldest_waiting_seconds", "Waiting time of the oldest job.", labels=["kind"]
    )
    running = GaugeMetricFamily("groundwork_jobs_running", "Jobs running in workers.", labels=["kind"])
    ended = CounterMetricFamily("groundwork_jobs_ended", "Ended jobs.", labels=["kind", "outcome"])
    took = SummaryMetricFamily(
        "groundwork_job_duration_seconds", "Duration of the last attempts of completed jobs.", labels=["kind"]
    )
    lost = CounterMetricFamily(
        "groundwork_job_leases_lost",
        "Jobs taken over by another worker.",
        labels=["kind"],
    )
    now = timezone.now()
    for row in _job_rows():
        kind = [row["kind"]]
        waiting.add_metric(kind, row[JobState.QUEUED])
        oldest.add_metric(kind, _age(row["oldest"], now))
        running.add_metric(kind, row[JobState.RUNNING])
        for state in ENDED_JOBS:
            ended.add_metric([*kind, state.value], row[state])
        took.add_metric(kind, row[JobState.DONE], row["took"].total_seconds() if row["took"] else 0.0)
        lost.add_metric(kind, row["attempts"] - row["started"])
    yield from (waiting, oldest, running, ended, took, lost)


def _job_rows() -> Iterable[dict[str, Any]]:
    took = ExpressionWrapper(F("finished_at") - F("started_at"), output_field=DurationField())
    counts = {state.value: Count("pk", filter=Q(state=state)) for state in JobState}
    rows = (
        Job.objects.order_by("kind")
        .values("kind")
        .annotate(
            **counts,
            oldest=Min("created_at", filter=Q(state=JobState.QUEUED)),
            took=Sum(took, filter=Q(state=JobState.DONE)),
            attempts=Sum("attempt"),
            started=Count("pk", filter=Q(attempt__gt=0)),
        )
    )
    return [dict(row) for row in rows]


def _slots() -> Metric:
    family = GaugeMetricFamily(
        "groundwork_rating_slots_open",
        "Unfilled rating slots of open studies: free, or reserved for a rater.",
        labels=["study", "state"],
    )
    open_slots = Seat.objects.filter(form__study__state__in=TAKING_ANSWERS).exclude(state=SeatState.FILLED)
    counted = open_slots.values("form__study_id", "state").annotate(n=Count("pk"))
    for row in counted.order_by("form__study_id", "state"):
        family.add_metric([str(row["form__study_id"]), row["state"]], row["n"])
    return family


def _workers() -> Iterator[Metric]:
    seen = GaugeMetricFamily(
        "groundwork_worker_last_seen_timestamp_seconds",
        "Last signal of a worker.",
        labels=["worker"],
    )
    workers = GaugeMetricFamily("groundwork_workers", "Workers by state.", labels=["state"])
    stuck = GaugeMetricFamily("groundwork_jobs_stuck", "Running jobs whose worker sends no signals.")
    force = workforce()
    newest: dict[str, float] = {}
    for worker in force.workers:
        name, at = worker.process.name, worker.process.seen_at.timestamp()
        newest[name] = max(at, newest.get(name, at))
    for name, at in newest.items():
        seen.add_metric([name], at)
    silent = len(force.not_answering)
    workers.add_metric(["answering"], len(force.workers) - silent)
    workers.add_metric(["silent"], silent)
    stuck.add_metric([], len(force.stuck))
    yield from (seen, workers, stuck)


def _age(at: datetime | None, now: datetime) -> float:
    return (now - at).total_seconds() if at else 0.0
