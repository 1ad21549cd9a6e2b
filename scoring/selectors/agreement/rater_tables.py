"""Pairs of raters and distributions of a report, as its page shows them."""

from __future__ import annotations

from typing import Any

from scoring.models import Report

MINIMUM_SHARED = 10
# Steps of the shading, and the lowest value of each.
STEPS = (0.15, 0.30, 0.45, 0.60, 0.75)


def pair_matrices(report: Report) -> list[dict[str, Any]]:
    """The lower triangle of raters against raters, for each criterion of a reliability report.

    Returns
    -------
    list of dict
        `criterion`, `columns` (raters) and `rows`, each with `rater` and `cells`; a cell has `kappa`,
        `pearson`, `shared`, `shade` (0 to 5) and `few`. None stands where two raters share no item.
    """
    return [
        {"criterion": criterion, **_matrix(found["raters"], found["cells"])}
        for criterion, found in report.tables.get("pairs", {}).items()
        if len(found["raters"]) > 1
    ]


def _matrix(raters: list[str], cells: list[dict[str, Any]]) -> dict[str, Any]:
    by_pair = {(cell["first"], cell["second"]): cell for cell in cells}
    rows = []
    for second in range(1, len(raters)):
        shown = [_shown(by_pair.get((first, second))) for first in range(second)]
        rows.append({"rater": raters[second], "cells": shown, "blanks": range(len(raters) - 1 - second)})
    return {"columns": raters[:-1], "rows": rows}


def _shown(cell: dict[str, Any] | None) -> dict[str, Any]:
    if cell is None:
        return {"shared": 0, "few": True, "shade": 0, "kappa": None}
    few = cell["shared"] < MINIMUM_SHARED or cell["kappa"] is None
    shade = 0 if few else sum(cell["kappa"] >= step for step in STEPS)
    return {**cell, "few": few, "shade": shade}


def distributions(report: Report) -> list[dict[str, Any]]:
    """Shares of the values of each criterion of a reliability report, in total and by rater.

    Returns
    -------
    list of dict
        `criterion`, `values`, and `rows` with a name, the mean, and for each value its count and share in
        per cent.
    """
    found = []
    for criterion, table in report.tables.get("distributions", {}).items():
        named = [(row["rater"], row["counts"], row["mean"]) for row in table["raters"]]
        total = sum(table["counts"])
        mean = sum(value * n for value, n in zip(table["values"], table["counts"], strict=True)) / total
        rows = [_row("", table["counts"], mean), *(_row(*one) for one in named)]
        found.append({"criterion": criterion, "values": table["values"], "rows": rows})
    return found


def _row(rater: str, counts: list[int], mean: float) -> dict[str, Any]:
    total = sum(counts) or 1
    shares = [100 * count / total for count in counts]
    cells = [{"count": count, "share": share} for count, share in zip(counts, shares, strict=True)]
    return {"rater": rater, "mean": mean, "total": total, "cells": cells}
