"""Reports as the contract's JSON."""

from __future__ import annotations

from typing import Any

from scoring.models import Report

CHOICE_TABLES = ("accuracy", "without_key", "win_rates", "wins_by_percent", "first_shown", "strengths")


def figures_json(report: Report) -> dict[str, Any]:
    """The figures of a report, with the data and software they came from.

    `choices` holds the tables about questions with options, where there are any.
    """
    name, _, number = report.software.partition(" ")
    return {
        "results": report.figures,
        "choices": {name: report.tables[name] for name in CHOICE_TABLES if report.tables.get(name)},
        "data": {**report.data, **report.method, "fingerprint": report.fingerprint},
        "software": {"name": name, "version": number},
    }
