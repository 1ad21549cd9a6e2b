"""The coefficients of several criteria as a matrix, with the reasons for what is missing collected once."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.base.messages import Message
from scoring.models import Report
from scoring.selectors.base.coefficient_words import TITLES
from scoring.selectors.base.figures import MEANINGS, figure_groups
from scoring.stats.base.cautions import CAUTIONS, FEW_GROUPS

COLUMNS = 5
# The coefficients of a matrix, in the order of its columns; the others follow as the report has them.
FIRST = (
    ("alpha", "ordinal"),
    ("alpha", "interval"),
    ("icc2", ""),
    ("icc2k", ""),
    ("held_out_pearson", "mean"),
    ("ac2", "quadratic"),
    ("alpha", "nominal"),
    ("alpha", "masi"),
    ("fleiss", ""),
    ("ac1", ""),
    ("brennan_prediger", ""),
    ("exact", ""),
    ("kendall_w", ""),
    ("kendall_tau", "b"),
    ("pair_order", ""),
)
# Both α of a scale in one matrix would leave less room for coefficients that answer other questions.
INSTEAD = {("alpha", "interval"): ("alpha", "ordinal")}
Column = tuple[str, str]
MISSING, NO_INTERVAL, CAUTION = "missing", "no_interval", "caution"


def coefficient_matrices(report: Report) -> list[dict[str, Any]]:
    """A matrix for the criteria that have the same coefficients, where there are several criteria.

    Parameters
    ----------
    report : Report
        A stored report.

    Returns
    -------
    list of dict
        `columns` (`name`, `help`), `rows` (`criterion`, `size`, `cells`), `size` (that of every row where it
        is the same), `n_further` (coefficients outside the matrix) and `notes` (`letter`, `kind`, `code`,
        `meaning`, `places`): each reason for a missing estimate or interval and each caution once, with its
        criteria and coefficients. A cell is a row of the report with the letters of its `notes`, or None.
        Empty with fewer than two criteria.
    """
    groups = figure_groups(report)
    if len(groups) < 2:
        return []
    alike: dict[frozenset[str], list[dict[str, Any]]] = {}
    for group in groups:
        alike.setdefault(frozenset(row["coefficient"] for row in group["rows"]), []).append(group)
    return [_matrix(found) for found in alike.values()]


def range_of_first(matrices: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The lowest and the highest estimate of the first coefficient of the first matrix.

    Returns
    -------
    dict or None
        `name`, `n` (criteria with an estimate), `low` and `high`; None with fewer than two estimates.
    """
    if not matrices:
        return None
    first = matrices[0]
    cells = [row["cells"][0] for row in first["rows"]]
    found = [cell["estimate"] for cell in cells if cell and cell["estimate"] is not None]
    if len(found) < 2:
        return None
    return {"name": first["columns"][0]["name"], "n": len(found), "low": min(found), "high": max(found)}


def has_few_groups(matrices: Sequence[Mapping[str, Any]]) -> bool:
    """Whether an interval of a matrix was resampled over few groups."""
    code = CAUTIONS[FEW_GROUPS]
    return any(note["code"] == code for matrix in matrices for note in matrix["notes"])


def _matrix(groups: Sequence[dict[str, Any]]) -> dict[str, Any]:
    by_column = {group["criterion"]: {_column(row): row for row in group["rows"]} for group in groups}
    columns, n_further = _columns(list(by_column.values()))
    notes: dict[tuple[str, str], dict[str, Any]] = {}
    rows = []
    for criterion, found in by_column.items():
        shown = [found.get(column) for column in columns]
        cells = [
            cell and {**cell, "notes": [_note(notes, criterion, cell, *code) for code in _codes(cell)]}
            for cell in shown
        ]
        rows.append(
            {"criterion": criterion, "size": _size(shown), "cells": _with_own_size(cells, _size(shown))}
        )
    return {
        "columns": [
            _head([found[column] for found in by_column.values() if column in found]) for column in columns
        ],
        "rows": rows,
        "size": rows[0]["size"] if len({row["size"] for row in rows}) == 1 else None,
        "n_further": n_further,
        "notes": [_in_short(note, rows) for note in notes.values()],
    }


def _in_short(note: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A note that names coefficients alone where it is about all of their estimates.

    `everywhere` says that it is about all estimates of the matrix.
    """
    letter, missing = note["letter"], note["kind"] == MISSING
    cells = [cell for row in rows for cell in row["cells"] if cell and (cell["estimate"] is None) == missing]
    inside = [cell for cell in cells if letter in cell["notes"]]
    columns = {_column(cell): cell["name"] for cell in inside}
    is_of_columns = len(inside) == sum(1 for cell in cells if _column(cell) in columns)
    return {
        **note,
        "everywhere": not missing and len(inside) == len(cells),
        "columns": list(columns.values()) if is_of_columns and not missing else [],
    }


def _column(row: Mapping[str, Any]) -> Column:
    """A coefficient with its variant; the variants of an ICC and of S say how they were computed."""
    key, variant = str(row["coefficient"]), str(row["variant"])
    plain = key.startswith("icc") or (key, "") in FIRST
    return key, "" if plain else variant.split(", q=", maxsplit=1)[0]


def _columns(criteria: Sequence[Mapping[Column, Mapping[str, Any]]]) -> tuple[list[Column], int]:
    """The first columns with an estimate for any criterion, and the number of the other coefficients."""
    known = list(dict.fromkeys(column for rows in criteria for column in rows))
    usable = {
        column
        for column in known
        if any(rows[column]["estimate"] is not None for rows in criteria if column in rows)
    }
    ordered = [column for column in FIRST if column in known] + [one for one in known if one not in FIRST]
    chosen = [one for one in ordered if one in usable and INSTEAD.get(one) not in usable] or ordered
    return chosen[:COLUMNS], len(known) - len(chosen[:COLUMNS])


def _head(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The name of a column; that of an averaged ICC only says for how many ratings where it is the same."""
    names = {str(row["name"]) for row in rows}
    row = rows[0]
    return {"name": row["name"] if len(names) == 1 else TITLES[row["coefficient"]], "help": row["help"]}


def _size(cells: Sequence[Mapping[str, Any] | None]) -> tuple[Any, Any, Any]:
    """Items, raters and ratings of most cells of a criterion."""
    sizes = [(cell["n_items"], cell["n_raters"], cell["n_ratings"]) for cell in cells if cell is not None]
    return max(sizes, key=sizes.count) if sizes else (0, None, 0)


def _with_own_size(cells: Sequence[dict[str, Any] | None], size: tuple[Any, Any, Any]) -> list[Any]:
    """Cells of other items than most of their row say of how many."""
    return [cell and {**cell, "other_items": cell["n_items"] != size[0]} for cell in cells]


def _codes(cell: Mapping[str, Any]) -> list[tuple[str, str]]:
    """List the notes on a cell: why it has no estimate or no interval, or its cautions."""
    if cell["estimate"] is None:
        return [(MISSING, cell["reason"])]
    lacking = [(NO_INTERVAL, cell["no_interval"])] if cell["no_interval"] else []
    return lacking + [(CAUTION, code) for code in cell["cautions"]]


def _note(
    notes: dict[tuple[str, str], dict[str, Any]],
    criterion: str,
    cell: Mapping[str, Any],
    kind: str,
    code: str,
) -> str:
    """The letter of a reason or caution, with this cell added to its places."""
    note = notes.setdefault(
        (kind, code),
        {
            "letter": _letter(len(notes)),
            "kind": kind,
            "code": code,
            "meaning": MEANINGS.get(code, ""),
            "places": {},
        },
    )
    places: dict[str, list[Message]] = note["places"]
    places.setdefault(criterion, []).append(cell["name"])
    return str(note["letter"])


def _letter(place: int) -> str:
    letters = string.ascii_lowercase
    return (
        letters[place]
        if place < len(letters)
        else f"{letters[place // len(letters) - 1]}{letters[place % len(letters)]}"
    )
