"""Reports and their jobs, and reports as the contract's JSON."""

from __future__ import annotations

from typing import Any

from annotation.domain.base.states import JobState
from annotation.models import Job, Study
from scoring.models import Report

CHOICE_TABLES = (
    *("accuracy", "without_key", "win_rates", "wins_by_percent", "first_shown", "strengths"),
    *("order_candidates", "order_pairs", "best_worst_scores", "best_worst_halves"),
)


def latest_report(study: Study, kind: str) -> Report | None:
    """The newest report of a kind."""
    return Report.objects.filter(study=study, kind=kind).order_by("-pk").first()


def unfinished_job(study: Study, kind: str, **lookups: Any) -> Job | None:
    """The newest job of a kind, unless it is done: the one that a page shows."""
    job = Job.objects.filter(study=study, kind=kind, **lookups).order_by("-pk").first()
    return job if job and job.state != JobState.DONE else None


def figures_json(report: Report) -> dict[str, Any]:
    """The figures of a report, with the data and software they came from.

    `choices` holds the tables about questions with options, where there are any, `differences` what
    exclusions and versions changed, and `pairwise` the pairwise accuracy of metrics.
    """
    name, _, number = report.software.partition(" ")
    return {
        "results": report.figures,
        "choices": {name: report.tables[name] for name in CHOICE_TABLES if report.tables.get(name)},
        "differences": report.tables.get("differences", []),
        "pairwise": report.tables.get("pairwise", []),
        "data": {**report.data, **report.method, "fingerprint": report.fingerprint},
        "software": {"name": name, "version": number},
    }


def tables_json(report: Report) -> dict[str, Any]:
    """The tables of a report, with its method, and the data and software they came from."""
    return {
        **report.tables,
        "method": report.method,
        "data": {**report.data, "fingerprint": report.fingerprint},
        "software": report.software,
    }
