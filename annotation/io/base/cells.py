"""Valid values of a cell of a table."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date, time
from decimal import Decimal
from typing import Any

from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import HALF_CHARACTER, has_surrogate
from annotation.io.base.file_errors import Problems, refusal

Row = dict[str, Any]
NUL = "\x00"
ROW_INDEX = "Unnamed: 0"
# Below the header.
FIRST_DATA_ROW = 2
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
NO_CONTROL = message("it contains a line break or another control character")
EMPTY_CELL = message("the cell is empty")


def too_many_characters(text: str, most: int) -> str:
    """The problem of a text that is longer than `most` characters."""
    return message("the text has %(n)d characters; at most %(most)d are allowed", n=len(text), most=most)


class BadCell(Exception):
    """A value that no cell can hold."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def has_control(text: str) -> bool:
    """Whether a text contains a line break or another control character."""
    return CONTROL.search(text) is not None


def plain(value: Any) -> Any:
    """A cell, as a format's own reader gives it, as text, number or truth value.

    Empty cells become an empty string, days and times ISO 8601.

    Raises
    ------
    BadCell
        A text that cannot be stored, a list or an object, an infinite number.
    """
    if isinstance(value, str):
        _check_text(value)
        return value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and math.isinf(value):
        raise BadCell("not_a_number", message("%(value)s cannot be stored as a number", value=value))
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Decimal):
        return plain(int(value) if value.is_finite() and value == value.to_integral_value() else float(value))
    if isinstance(value, list | dict | tuple):
        raise BadCell(
            "nested_value", message("the cell contains a list or an object; use one text or number")
        )
    raise BadCell(
        "unknown_type",
        message("the cell has the type %(type)s; use a text or a number", type=type(value).__name__),
    )


def plain_row(number: int, values: dict[str, Any], problems: Problems) -> Row:
    """The cells of a row; invalid ones are added to the problems and left empty."""
    row: Row = {}
    for column, value in values.items():
        try:
            row[column] = plain(value)
        except BadCell as bad:
            problems.add(number, column, bad.code, bad.message)
            row[column] = ""
    return row


def name_row_index(columns: list[str]) -> None:
    """Name a first column without a name as pandas does when it reads such a file back.

    `DataFrame.to_csv` and `to_excel` write the index of the rows without a name.
    """
    if len(columns) > 1 and not columns[0] and ROW_INDEX not in columns:
        columns[0] = ROW_INDEX


def refuse_unnamed_codes(name: str, rows: Sequence[tuple[int, Row]]) -> None:
    """Refuse a first column without a name (`empty_column`) unless it is an index of the rows.

    For files whose columns are not reviewed: codes in that column, as R writes them, would be lost.
    """
    cells = [(number, row[ROW_INDEX]) for number, row in rows if ROW_INDEX in row]
    if cells and not _count_rows(cells):
        problem = message("column 1 has no name and does not number the rows; name it or remove it")
        raise refusal(name, "empty_column", problem, row=1)


def _count_rows(cells: Sequence[tuple[int, Any]]) -> bool:
    """Whether cells are 0, 1, 2, … or 1, 2, 3, …; by their rows where bad ones are left out."""
    counted = [str(cell).strip() for _, cell in cells]
    return any(
        counted == [str(start + place) for place in range(len(cells))]
        or counted == [str(start + number - FIRST_DATA_ROW) for number, _ in cells]
        for start in (0, 1)
    )


def check_columns(columns: Sequence[str], problems: Problems, *, row: int = 1) -> None:
    """Add problems of column names: empty, duplicate, or impossible to store."""
    seen = set()
    for place, column in enumerate(columns, start=1):
        if not column:
            problems.add(row, "", "empty_column", message("column %(n)d has no name", n=place))
        elif column in seen:
            problems.add(row, column, "doubled_column", message("the column appears twice"))
        seen.add(column)
        try:
            _check_text(column)
        except BadCell as bad:
            problems.add(row, ascii(column), bad.code, bad.message)


def _check_text(text: str) -> None:
    if NUL in text:
        raise BadCell("nul_character", message("the text contains a NUL character; remove it"))
    if not text.isascii() and has_surrogate(text):
        raise BadCell("lone_surrogate", HALF_CHARACTER)
