"""Reports as the contract's JSON."""

from __future__ import annotations

from typing import Any

from scoring.models import Report


def figures_json(report: Report) -> dict[str, Any]:
    """The figures of a report, with the data and software they came from."""
    name, _, number = report.software.partition(" ")
    return {
        "results": report.figures,
        "data": {**report.data, **report.method, "fingerprint": report.fingerprint},
        "software": {"name": name, "version": number},
    }
