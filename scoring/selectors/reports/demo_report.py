"""The report of the demo study that people without an account may read."""

from __future__ import annotations

from annotation.models import Study
from scoring.models import Report

KIND = "reliability"
LATEST = 20


def demo_report(demo: Study) -> Report | None:
    """The newest reliability report of the demo on simulated responses only, among its latest."""
    reports = Report.objects.filter(study=demo, kind=KIND).order_by("-pk")[:LATEST]
    return next((one for one in reports if _is_simulated(one)), None)


def _is_simulated(report: Report) -> bool:
    parts = [report.data, *report.data.get("by_kind", {}).values()]
    return all(part["n_simulated"] == part["n_responses"] for part in parts)
