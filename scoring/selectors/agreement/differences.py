"""Differences of reliability in a report, with a verdict on equivalence where a margin is stated."""

from __future__ import annotations

import math
from typing import Any

from scoring.models import Report
from scoring.selectors.base.figures import figure_name
from scoring.stats.agreement.comparing.differences import equivalence

COLUMNS = (
    "of",
    "criterion",
    "figure",
    "first_name",
    "second_name",
    "first",
    "second",
    "estimate",
    "low",
    "high",
    "p",
    "low_90",
    "high_90",
    "n_first",
    "n_second",
    "n_shared",
    "interval_method",
    "reason",
    "signature",
)


def difference_rows(report: Report, of: str = "", margin: float | None = None) -> list[dict[str, Any]]:
    """The differences of a report.

    Parameters
    ----------
    report : Report
        A reliability report; those from before there were differences have none.
    of : str
        `exclusions` or `versions`; empty for both.
    margin : float or None
        Greatest difference that does not matter.

    Returns
    -------
    list of dict
        Stored rows with `figure` and, where a margin is stated, `equivalence`.
    """
    return [
        {**row, "figure": figure_name(row), "equivalence": equivalence(row, margin) if margin else None}
        for row in report.tables.get("differences", [])
        if of in {"", row["of"]}
    ]


def difference_lines(report: Report) -> list[dict[str, Any]]:
    """All differences, as a table for download."""
    return difference_rows(report)


def stated_margin(text: str) -> float | None:
    """A margin of equivalence as it was typed; None where it is no number above 0 and below 2."""
    try:
        margin = float(text.replace(",", "."))
    except ValueError:
        return None
    return margin if math.isfinite(margin) and 0 < margin < 2 else None
