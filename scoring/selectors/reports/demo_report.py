"""The report of the demo study that people without an account may read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.models import Study
from scoring.models import Report

KIND = "reliability"
LATEST = 20


def demo_report(demo: Study) -> Report | None:
    """The newest reliability report of the demo on simulated responses only, among its latest."""
    reports = Report.objects.filter(study=demo, kind=KIND)
    # Of the others, only the counts are read: their figures and tables are large.
    counts = reports.order_by("-pk").values_list("pk", "data")[:LATEST]
    chosen = next((pk for pk, data in counts if _is_simulated(data)), None)
    return reports.defer("tables").get(pk=chosen) if chosen is not None else None


def _is_simulated(data: Mapping[str, Any]) -> bool:
    parts = [data, *data.get("by_kind", {}).values()]
    return all(part["n_simulated"] == part["n_responses"] for part in parts)
