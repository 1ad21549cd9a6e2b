"""The page of automatic judges: calibration of probabilities, and scores of soft labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scoring.models import Report

Row = dict[str, Any]


def calibrations(report: Report) -> list[Row]:
    """Calibration of each judge with probabilities on each criterion, with its bins that have items.

    Parameters
    ----------
    report : Report
        Report of kind `judges`.
    """
    bins = report.tables.get("bins", [])
    return [
        {
            **row,
            **{name: _estimate(row, name) for name in ("overconfidence", "brier")},
            "bins": [
                bin_
                for bin_ in bins
                if (bin_["judge"], bin_["criterion"]) == (row["judge"], row["criterion"]) and bin_["n"]
            ],
        }
        for row in report.tables.get("calibration", [])
        if not row["reason"]
    ]


def _estimate(row: Row, name: str) -> Row:
    return {"estimate": row[name], "low": row[f"{name}_low"], "high": row[f"{name}_high"]}


def soft_labels(report: Report) -> list[Row]:
    """Scores of soft labels: a row for each judge and criterion with distributions, and one for the mean one.

    Parameters
    ----------
    report : Report
        Report of kind `judges`.

    Returns
    -------
    list of dict
        `criterion`, `judge`, `constant`, `n_items`, and the row of each score by its name.
    """
    found: dict[tuple[str, str, bool], Row] = {}
    for row in report.tables.get("soft_labels", []):
        if row["n_items"]:
            place = row["criterion"], row["judge"], row["constant"]
            names = {"criterion": place[0], "judge": place[1], "constant": place[2]}
            own = found.setdefault(place, {**names, "n_items": row["n_items"]})
            own[row["score"]] = row
    return list(found.values())


def calibration_cautions(report: Report) -> Iterator[Row]:
    """Cautions where the interval of the overconfidence of a judge excludes 0.

    Parameters
    ----------
    report : Report
        Report of kind `judges`.
    """
    for row in report.tables.get("calibration", []):
        if row["differs"]:
            place = {"judge": row["judge"], "criterion": row["criterion"]}
            sure = 100 * abs(row["overconfidence"])
            yield {
                "code": "overconfident" if row["overconfidence"] > 0 else "underconfident",
                "serious": False,
                **place,
                "points": sure,
            }
