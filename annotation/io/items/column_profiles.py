"""Profiles of columns: how many cells differ, and whether they are numbers, texts or codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.io.base.cells import ROW_INDEX

Rows = Sequence[tuple[int, Mapping[str, Any]]]
MOST_PROFILED = 5000
INDEX_NAMES = {ROW_INDEX, "__index_level_0__"}
# Length from which a cell without spaces, as in Chinese or Japanese, is a text.
LONG_WITHOUT_SPACES = 6
LONGEST_CODE = 60


@dataclass(frozen=True)
class ColumnProfile:
    """The cells of one column; `low` and `high` are None unless all of them are numbers."""

    name: str
    filled: int
    distinct: int
    is_complete: bool
    is_text: bool
    is_row_index: bool
    low: float | None = None
    high: float | None = None

    @property
    def is_pandas_index(self) -> bool:
        """Whether it is the index from 0 that pandas writes as an extra column."""
        return self.is_row_index and self.name in INDEX_NAMES and self.low == 0

    @property
    def is_number(self) -> bool:
        return self.low is not None

    @property
    def is_unique(self) -> bool:
        return self.is_complete and self.distinct == self.filled > 0

    @property
    def repeats(self) -> bool:
        return 0 < self.distinct < self.filled


def profile_columns(columns: Sequence[str], rows: Rows) -> dict[str, ColumnProfile]:
    """Describe each column by its cells in the first rows of a file.

    Parameters
    ----------
    columns : sequence of str
        The columns of the file.
    rows : sequence of (int, mapping)
        Its rows with their numbers; at most `MOST_PROFILED` of them are looked at.
    """
    looked_at = [row for _, row in rows[:MOST_PROFILED]]
    return {column: _profile(column, [row.get(column, "") for row in looked_at]) for column in columns}


def sample_values(column: str, rows: Rows, *, most: int, longest: int) -> list[str]:
    """The first cells of a column; where none of them has one, the last shows a character beyond ASCII.

    Only such characters show a wrong encoding.

    Parameters
    ----------
    column : str
        A column of the rows.
    rows : sequence of (int, mapping)
        Rows with their numbers.
    most, longest : int
        How many cells, and of how many characters each.
    """
    shown = [str(row.get(column, ""))[:longest] for _, row in rows[:most]]
    if all(map(str.isascii, shown)):
        cells = (str(row.get(column, "")) for _, row in rows)
        telling = next((cell for cell in cells if not cell.isascii()), "")
        shown[-1:] = [_around_accent(telling, longest)] if telling else shown[-1:]
    return [value for value in shown if value]


def _around_accent(cell: str, longest: int) -> str:
    """A part of a cell, at most so long, that contains its first character beyond ASCII."""
    place = next(place for place, letter in enumerate(cell) if not letter.isascii())
    start = 0 if place < longest else place - longest // 2
    return ("…" if start else "") + cell[start : start + longest]


def _profile(column: str, cells: Sequence[Any]) -> ColumnProfile:
    filled = [str(cell).strip() for cell in cells if str(cell).strip()]
    numbers = [_number(cell) for cell in filled]
    known = [number for number in numbers if number is not None]
    all_numbers = bool(filled) and len(known) == len(filled)
    # Many a column has numbers from 1 up, such as ranks: those are no index, unless it has no name.
    starts = (0, 1) if column in INDEX_NAMES else (0,)
    counts = all_numbers and any(known == list(range(start, start + len(known))) for start in starts)
    return ColumnProfile(
        name=column,
        filled=len(filled),
        distinct=len(set(filled)),
        is_complete=len(filled) == len(cells),
        is_text=not all_numbers and _are_texts(filled),
        is_row_index=counts and len(known) > 1 and not any(map(_is_padded, filled)),
        low=min(known) if all_numbers else None,
        high=max(known) if all_numbers else None,
    )


def _is_padded(cell: str) -> bool:
    """Whether a cell is a code such as `007`, which no program writes as the number of a row."""
    return cell.isdecimal() and len(cell) > 1 and cell.startswith("0")


def _number(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None


def _are_texts(cells: Sequence[str]) -> bool:
    """Whether most cells are phrases or sentences, or too long for a code."""
    return 2 * sum(map(_is_phrase, cells)) > len(cells)


def _is_phrase(cell: str) -> bool:
    if " " in cell or "\n" in cell:
        return True
    return len(cell) > LONGEST_CODE or (len(cell) >= LONG_WITHOUT_SPACES and not cell.isascii())
