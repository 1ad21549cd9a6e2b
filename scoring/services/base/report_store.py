"""Storing the reports of jobs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import transaction

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message
from annotation.models import Job, Study
from annotation.services.base.jobs import Lease
from annotation.services.base.webhook_events import announce
from annotation.services.seats.locks import lock_studies
from config.distribution import release
from scoring.models import Report
from scoring.selectors.base.figures import added_since, has_these_definitions
from scoring.services.base.single_raters import REMOVED, without_erased

Rows = Sequence[dict[str, Any]]
Compute = Callable[[], tuple[Rows, dict[str, Any]]]
T = TypeVar("T")


@dataclass(frozen=True)
class Provenance:
    """What a report is computed from, and how."""

    kind: str
    fingerprint: str  # Of the data
    method: dict[str, Any]  # Settings of the computation
    data: dict[str, Any]  # Counts: what is used, excluded or left out
    # From `data_state`, read before the data: a change during the computation makes the report stale
    data_state: dict[str, Any]


def software() -> str:
    """Name and version of the product, as a report has it."""
    return f"Groundwork {release()}"


def study_of(job: Job) -> Study:
    """The study of a job that needs one.

    Raises
    ------
    GroundworkError
        The job has none (`no_study`).
    """
    if job.study is None:
        raise GroundworkError(message("This job needs a study."), code="no_study")
    return job.study


def complete_report(lease: Lease, provenance: Provenance, compute: Compute) -> Report:
    """Store the report of a job while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job with a study.
    provenance : Provenance
        Data and settings of the report.
    compute : callable
        Returns the figures, as rows of the contract's JSON, and the tables. It is not called where this
        version has a report of the same data, made in the same way, by the same definitions and with every
        coefficient: its results are copied.

    Raises
    ------
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    study = study_of(lease.job)
    same = _same_report(study, provenance)
    figures, tables = (same.figures, same.tables) if same else compute()
    return complete_with_study_locked(
        lease, study, lambda: _store(lease.job, study, provenance, figures, tables)
    )


def complete_with_study_locked(lease: Lease, study: Study, write: Callable[[], T]) -> T:
    """Store a result with the study locked, so that no rater is erased while `write` runs.

    Parameters
    ----------
    lease : Lease
        Lease of the job.
    study : Study
        Locked before the job, as by every request for a job; an erasure locks it before the rater.
    write : callable
        Stores the result without the raters that `erased_raters` names.

    Raises
    ------
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    with transaction.atomic():
        lock_studies([study.pk])
        return lease.complete(write)


def _same_report(study: Study, provenance: Provenance) -> Report | None:
    found = Report.objects.filter(
        study=study, kind=provenance.kind, fingerprint=provenance.fingerprint, software=software()
    ).order_by("-pk")
    asked = (provenance.method, provenance.data)
    return next((one for one in found if (one.method, one.data) == asked and _is_whole(one)), None)


def _is_whole(report: Report) -> bool:
    return not added_since(report) and REMOVED not in report.tables and has_these_definitions(report)


def _store(job: Job, study: Study, provenance: Provenance, figures: Rows, tables: dict[str, Any]) -> Report:
    figures, tables = without_erased(study, figures, tables)
    report = Report.objects.create(
        study=study, job=job, figures=list(figures), tables=tables, software=software(), **vars(provenance)
    )
    announce(study=study, event="report_ready", detail={"kind": provenance.kind, "report": report.pk})
    return report
