"""Storing reports, and finding one that was made of the same data in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from annotation.models import Job, Study
from annotation.services.base.webhook_events import announce
from scoring.models import Report


@dataclass(frozen=True)
class Made:
    """How a report is made."""

    kind: str
    fingerprint: str  # Of the data
    method: dict[str, Any]  # Settings of the computation
    data: dict[str, Any]  # Counts: what is used, excluded or left out
    # From `data_state`, read before the data: a change during the computation makes the report stale
    data_state: dict[str, Any]


def software() -> str:
    """Name and version of the product, as a report has it.

    Returns
    -------
    str
    """
    return f"Groundwork {version('groundwork')}"


def earlier_report(study: Study, made: Made) -> Report | None:
    """The newest report of the same data, made in the same way by the same version.

    Parameters
    ----------
    study : Study
        What it is about.
    made : Made
        How it is to be made.

    Returns
    -------
    Report or None
        Its figures need not be computed again.
    """
    found = Report.objects.filter(
        study=study, kind=made.kind, fingerprint=made.fingerprint, software=software()
    ).order_by("-pk")
    return next((one for one in found if (one.method, one.data) == (made.method, made.data)), None)


def store_report(
    job: Job, study: Study, made: Made, figures: Sequence[dict[str, Any]], tables: dict[str, Any]
) -> Report:
    """Store the report of a job; called where the lease still holds.

    Parameters
    ----------
    job : Job
        Has one report.
    study : Study
        What it is about.
    made : Made
        How it was made.
    figures : sequence of dict
        Rows of the contract's JSON.
    tables : dict
        What is shown beside them.

    Returns
    -------
    Report
    """
    report = Report.objects.create(
        study=study,
        job=job,
        kind=made.kind,
        figures=list(figures),
        tables=tables,
        data=made.data,
        method=made.method,
        data_state=made.data_state,
        fingerprint=made.fingerprint,
        software=software(),
    )
    announce(study=study, event="report_ready", detail={"kind": made.kind, "report": report.pk})
    return report
