"""Item analysis of sets of yes/no tests, as the page of a report and its files show it."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import Any

from scoring.models import Report

SET_COLUMNS = ("criterion", "test", "n", "share", "item_total", "without")


def set_groups(report: Report) -> list[dict[str, Any]]:
    """The tests of each set, with KR-20 of the whole set.

    Returns
    -------
    list of dict
        `criterion` (of the sum), `n` responses, `kr20` (None where it is not defined) and `rows`, one for
        each test.
    """
    values = {row["criterion"]: row["estimate"] for row in report.figures if row["coefficient"] == "kr20"}
    groups = groupby(report.tables.get("sets", []), key=itemgetter("criterion"))
    found = [(name, list(rows)) for name, rows in groups]
    return [
        {"criterion": name, "n": rows[0]["n"], "kr20": values.get(name), "rows": rows} for name, rows in found
    ]


def set_lines(report: Report) -> list[dict[str, Any]]:
    """The item analysis of all sets, as a file has it."""
    return [{key: row[key] for key in SET_COLUMNS} for row in report.tables.get("sets", [])]
