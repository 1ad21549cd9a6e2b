"""Columns of a score file: the item ID, and one column per metric."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.base.errors import FileProblem
from annotation.domain.base.messages import message
from annotation.io.base.cells import ROW_INDEX, has_control

ITEM, METRIC = "item", "metric:"
LONGEST_METRIC = 60
# Rows in which item IDs are looked for.
SAMPLED = 20
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?", re.ASCII)
Rows = Sequence[tuple[int, Mapping[str, Any]]]


def guess_columns(columns: Sequence[str], rows: Rows, known: Container[str] = ()) -> dict[str, str]:
    """Guess each column: `item`, a metric where all cells are numbers, or nothing.

    Parameters
    ----------
    columns : sequence of str
        Columns of the file.
    rows : sequence of (int, mapping)
        Its rows with their numbers.
    known : container of str
        The item IDs of the study that are among `sampled_cells`; the column with most of them is `item`,
        and only without any the one of that name.
    """
    first = [row for _, row in rows[:SAMPLED]]
    found = {column: sum(str(row.get(column, "")) in known for row in first) for column in columns}
    best = max(columns, key=lambda column: found[column], default="")
    item = best if found.get(best, 0) > found.get(ITEM, 0) else ITEM
    return {column: ITEM if column == item else _metric_of(column, rows) for column in columns}


def sampled_cells(columns: Sequence[str], rows: Rows) -> set[str]:
    """The cells of the first rows, any of which may be an item ID."""
    return {str(row.get(column, "")) for _, row in rows[:SAMPLED] for column in columns}


def _metric_of(column: str, rows: Rows) -> str:
    if column in {ROW_INDEX, ITEM}:
        return ""
    cells = [cell for _, row in rows if (cell := row.get(column, "")) != ""]
    return f"{METRIC}{column}" if cells and all(number_of(cell) is not None for cell in cells) else ""


def mapping_problems(mapping: Mapping[str, str], columns: Sequence[str]) -> dict[str, str]:
    """Errors of a mapping, by column.

    Parameters
    ----------
    mapping : mapping of str to str
        Column → `item`, `metric:NAME`, or nothing for a column that is not imported.
    columns : sequence of str
        Columns of the file.
    """
    problems: dict[str, str] = {
        column: message("The file has no such column.") for column in mapping if column not in columns
    }
    used: dict[str, str] = {}
    for column, use in mapping.items():
        if not use:
            continue
        if use in used:
            problems[column] = message(
                "Column “%(column)s” already contains %(content)s. Choose only one of them.",
                column=used[use],
                content=use,
            )
        used.setdefault(use, column)
        name = use.removeprefix(METRIC)
        if use != ITEM and (use == name or not 0 < len(name.strip()) <= LONGEST_METRIC or has_control(name)):
            problems[column] = message(
                "Choose item, or a metric with a name of up to %(n)d characters.", n=LONGEST_METRIC
            )
    if ITEM not in used:
        problems["item"] = message("Choose the column that contains the item ID.")
    if not any(use.startswith(METRIC) for use in used):
        problems["metric"] = message("Choose at least one column that contains a metric.")
    return problems


def scores_by(rows: Rows, mapping: Mapping[str, str]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Row number, item ID, and cell by metric of each row."""
    key = next(column for column, use in mapping.items() if use == ITEM)
    metrics = {
        column: use.removeprefix(METRIC).strip() for column, use in mapping.items() if use.startswith(METRIC)
    }
    for number, row in rows:
        cells = {metric: row.get(column, "") for column, metric in metrics.items()}
        yield number, str(row.get(key, "")), cells


def number_of(cell: Any) -> float | None:
    """A cell as a number that can be stored; None where it is none."""
    if isinstance(cell, bool) or (isinstance(cell, str) and not NUMBER.fullmatch(cell.strip())):
        return None
    try:
        number = float(cell)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def cell_problems(name: str, row: int, cells: Mapping[str, Any]) -> list[FileProblem]:
    """The cells of a row that are neither empty nor numbers."""
    return [
        FileProblem(
            name, row, metric, "not_a_number", message("%(cell)r is not a number", cell=str(cell)[:80])
        )
        for metric, cell in cells.items()
        if cell != "" and number_of(cell) is None
    ]
