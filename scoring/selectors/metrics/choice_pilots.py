"""Preferences and best–worst choices of a report: as the pilot of a power plan, and as what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from scoring.models import Report
from scoring.selectors.choices.best_worst import SCORES
from scoring.stats.base.resampling import FloatArray
from scoring.stats.metrics.power.best_worst import strength_variance

HALF = 0.5
MOST_NAMED = 10
Row = dict[str, Any]


def _of_pairs(report: Report) -> dict[str, Row]:
    """Shares of criteria that compare two competitors, where raters of a pair can be compared."""
    agreement = {
        figure["criterion"]: figure["estimate"]
        for figure in report.figures
        if figure["coefficient"] == "exact" and figure["estimate"] is not None
    }
    return {
        criterion: {"preferred": rows[0]["share"], "ties": rows[0]["ties"] / rows[0]["n"]}
        | {"agreement": agreement[criterion]}
        for criterion, rows in _by_criterion(report, "win_rates")
        if len(rows) == 2 and criterion in agreement and rows[0]["wins"] > 0 and rows[1]["wins"] > 0
    }


def _win_rates(method: Mapping[str, Any], results: Report) -> list[Row]:
    rows = [row for row in results.tables.get("win_rates", []) if row["criterion"] == method["criterion"]]
    return [
        {
            "name": row["competitor"],
            "estimate": row["share"],
            "low": row["low"],
            "high": row["high"],
            "decided": row["low"] is not None and not row["low"] <= HALF <= row["high"],
        }
        for row in rows[:MOST_NAMED]
    ]


def _of_sets(report: Report) -> dict[str, Row]:
    """Variance of the strengths of criteria that have them."""
    return {
        criterion: {"spread": strength_variance(*(_column(rows, f"strength{end}") for end in ("", "_error")))}
        for criterion, rows in _by_criterion(report, SCORES)
        if len(rows) > 2 and not any(row.get("strength_error") is None for row in rows)
    }


def _scores(method: Mapping[str, Any], results: Report) -> list[Row]:
    rows = [row for row in results.tables.get(SCORES, []) if row["criterion"] == method["criterion"]]
    return [
        {"name": row["item"], "estimate": row["score"], "low": row["low"], "high": row["high"]}
        for row in rows[:MOST_NAMED]
    ]


def _by_criterion(report: Report, table: str) -> Iterator[tuple[str, list[Row]]]:
    rows = sorted(report.tables.get(table, []), key=itemgetter("criterion"))
    for criterion, own in groupby(rows, itemgetter("criterion")):
        yield criterion, list(own)


def _column(rows: list[Row], name: str) -> FloatArray:
    return np.array([row[name] for row in rows], dtype=np.float64)


class ChoicePlans(NamedTuple):
    """What plans of one question read from reliability reports."""

    pilots: Callable[[Report], dict[str, Row]]  # By criterion, what a plan is made from
    found: Callable[[Mapping[str, Any], Report], list[Row]]  # What results say of a plan


OF_CHOICES: Mapping[str, ChoicePlans] = {
    "pairs": ChoicePlans(_of_pairs, _win_rates),
    "best_worst": ChoicePlans(_of_sets, _scores),
}
