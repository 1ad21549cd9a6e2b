"""A ratings file in long form, checked: every row as typed values, or one refusal with all problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.io.base.cells import Row
from annotation.io.base.file_errors import Problems, refusal
from annotation.io.base.readers import read_rows
from annotation.io.items.rating_cells import BadRow, Questions, RatingRow, RowReader, Texts
from annotation.io.items.rating_rules import check_rows, with_current


@dataclass(frozen=True)
class RatingsFile:
    """The rows of a file, and whether its raters are identified."""

    rows: Sequence[RatingRow]
    identified: bool


def read_ratings(
    path: Path,
    *,
    name: str = "",
    scale: tuple[int, int] | None = None,
    questions: Questions | None = None,
    texts: Texts | None = None,
    file_format: str = "",
) -> RatingsFile:
    """Read and check a ratings file in long form.

    Parameters
    ----------
    path : Path
        CSV, TSV, JSONL, JSON, XLSX or Parquet.
    name : str
        What messages call it.
    scale : (int, int) or None
        Ends of the scale that values must keep to.
    questions : mapping or None
        (form, version, criterion) → what is asked there, for criteria that exist already. Values
        of all others are whole numbers.
    texts : mapping or None
        Item → its texts, in which the spans of tuples are.
    file_format : str
        By the file's ending where empty.

    Raises
    ------
    FileRefused
        Names every row and column that cannot be taken, up to a limit; rows that contradict each
        other are named both.
    """
    name = name or path.name
    rows = read_rows(path, needed=("item", "criterion", "value"), name=name, file_format=file_format)
    who = _who(rows, name)
    problems = Problems(name)
    checked = []
    for number, row in rows:
        try:
            checked.append(RowReader(number, row, who, texts or {}).read(questions or {}, scale))
        except BadRow as bad:
            problems.add(number, bad.column, bad.code, bad.message)
    problems.refuse_if_any()
    if not any("current" in row for _, row in rows):
        checked = with_current(checked)
    check_rows(checked, who, problems)
    problems.refuse_if_any()
    return RatingsFile(rows=checked, identified=who == "rater")


def _who(rows: Sequence[tuple[int, Row]], name: str) -> str:
    """The column that says who rated."""
    first = {
        column: next((number for number, row in rows if column in row), 0) for column in ("rater", "slot")
    }
    if first["rater"] and first["slot"]:
        row = 0 if first["rater"] == first["slot"] else max(first.values())
        message = "raters are given by codes or by slots: keep one of the columns rater and slot"
        raise refusal(name, "rater_and_slot", message, row=row, column="slot")
    if not any(first.values()):
        raise refusal(name, "missing_column", "the column is missing (or slot)", column="rater")
    return "rater" if first["rater"] else "slot"
