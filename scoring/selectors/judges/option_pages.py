"""The page of automatic judges: agreement on options, biases for pairs, and cautions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scoring.models import Report
from scoring.selectors.base.axes import placed

Row = dict[str, Any]
EXACT = "exact"
# Coefficients that are corrected for chance.
CORRECTED = ("kappa", "s")


def option_agreement(report: Report) -> dict[str, Any]:
    """Agreement on options of one rater, then of each judge, with a rater of the same item.

    Parameters
    ----------
    report : Report
        Report of kind `judges`.

    Returns
    -------
    dict
        `criteria`, and `rows` with `judge` (None for one rater), `n`, the number of answers, and `cells`,
        one a criterion: the observed agreement with its place from 0 to 1, and in `corrected` the row of the
        coefficient that is corrected for chance. Empty where no question with options is compared.
    """
    rows, criteria = report.tables.get("option_agreement", []), report.tables.get("option_criteria", [])
    if not criteria:
        return {}
    found = {(row["judge"], row["criterion"], row["coefficient"]): row for row in rows}
    judges = [None, *report.tables["judges"]]
    return {
        "criteria": criteria,
        "rows": [
            _agreement_row(
                judge, [_cell(found, judge["name"] if judge else "", criterion) for criterion in criteria]
            )
            for judge in judges
            if judge is None or any((judge["name"], criterion, EXACT) in found for criterion in criteria)
        ],
    }


def _agreement_row(judge: Row | None, cells: list[Row | None]) -> Row:
    return {"judge": judge, "cells": cells, "n": sum(cell["n_answers"] for cell in cells if cell)}


def _cell(found: dict[tuple[str, str, str], Row], judge: str, criterion: str) -> Row | None:
    exact = found.get((judge, criterion, EXACT))
    if exact is None:
        return None
    corrected = [found[judge, criterion, name] for name in CORRECTED if (judge, criterion, name) in found]
    return {**placed(exact, "estimate", 0, 1), "corrected": corrected[0]}


def biases(report: Report) -> list[Row]:
    """What each judge of pairs prefers more or less often than the raters do, by criterion.

    Parameters
    ----------
    report : Report
        Report of kind `judges`.

    Returns
    -------
    list of dict
        `criterion`, `rows` and `both_orders`, the judges with pairs that they judged in both orders. Shares
        and differences have `estimate`, `low` and `high` in per cent.
    """
    rows, orders = report.tables.get("bias", []), report.tables.get("both_orders", [])
    return [
        {
            "criterion": criterion,
            "rows": [_in_percent(row) for row in rows if row["criterion"] == criterion and row["n_items"]],
            "both_orders": [
                _in_percent(row) for row in orders if row["criterion"] == criterion and row["n_pairs"]
            ],
        }
        for criterion in dict.fromkeys(row["criterion"] for row in rows)
    ]


def _in_percent(row: Row) -> Row:
    shares = {f"{who}_share": who for who in ("judge", "people", "raters_first")}
    ends = {**shares, **{name: name for name in ("difference", "consistent", "preference")}}
    found = {
        name: {
            part: None if row[key] is None else 100 * row[key]
            for part, key in (("estimate", name), ("low", f"{prefix}_low"), ("high", f"{prefix}_high"))
        }
        for name, prefix in ends.items()
        if name in row
    }
    return {**row, **found}


def bias_cautions(report: Report) -> Iterator[Row]:
    """Cautions about biases: each where the interval of a difference from the raters excludes 0.

    Parameters
    ----------
    report : Report
        Report of kind `judges`.
    """
    for row in report.tables.get("both_orders", []):
        if row["differs"]:
            yield _caution("order_bias", row, first=row["preference"] > 0)
    for row in report.tables.get("bias", []):
        if not row["differs"]:
            continue
        more = row["difference"] > 0
        if row["bias"] == "position":
            yield _caution("position_bias", row, first=more)
        elif row["bias"] == "length":
            yield _caution("length_bias", row, longer=more)
        elif row["own_family"] and more:
            yield _caution("self_preference", row, system=row["system"])


def _caution(code: str, row: Row, **values: Any) -> Row:
    place = {"judge": row["judge"], "criterion": row["criterion"]}
    return {"code": code, "serious": True, **place, **values}
