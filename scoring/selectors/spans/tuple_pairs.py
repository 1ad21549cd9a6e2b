"""Pairs of annotators on their tuples, as the reliability page and its files show them."""

from __future__ import annotations

from typing import Any

from scoring.models import Report

FIGURES = ("precision", "recall", "f1")
MATCHINGS = ("exact", "overlap")
COLUMNS = (
    "criterion",
    "first",
    "second",
    "n_items",
    "n_tuples",
    *(
        f"{matching}_{name}"
        for matching in MATCHINGS
        for figure in FIGURES
        for name in (figure, f"{figure}_low", f"{figure}_high")
    ),
)


def pair_lines(report: Report) -> list[dict[str, Any]]:
    """One row per part and pair: precision, recall and F1 of the second annotator against the first.

    The keys are `COLUMNS`; an undefined value is None.
    """
    lines: dict[tuple[str, str], dict[str, Any]] = {}
    for row in report.tables.get("tuple_pairs", []):
        matching, _, pair = str(row["variant"]).partition(", ")
        line = lines.setdefault((row["criterion"], pair), _line(row, pair))
        name = f"{matching}_{row['coefficient']}"
        line |= {name: row["estimate"], f"{name}_low": row["low"], f"{name}_high": row["high"]}
    return list(lines.values())


def pair_groups(report: Report) -> list[dict[str, Any]]:
    """The rows of `pair_lines` by criterion and part, for a table."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for line in pair_lines(report):
        cells = [line[f"{matching}_{figure}"] for matching in MATCHINGS for figure in FIGURES]
        groups.setdefault(line["criterion"], []).append({**line, "cells": cells})
    return [{"criterion": name, "rows": rows} for name, rows in groups.items()]


def _line(row: dict[str, Any], pair: str) -> dict[str, Any]:
    first, _, second = pair.partition("|")
    known = {"criterion": row["criterion"], "first": first, "second": second}
    return {**dict.fromkeys(COLUMNS), **known, "n_items": row["n_items"], "n_tuples": row["n_ratings"]}
