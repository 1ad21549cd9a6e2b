"""Problems of a file, collected while it is read, up to a limit."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from annotation.domain.base.errors import FileProblem, FileRefused
from annotation.domain.base.messages import message

MOST_PROBLEMS = 20
MOST_COLUMNS_NAMED = 20
# Limit for files whose columns are reviewed one by one.
MOST_COLUMNS = 200


class Problems:
    """Problems of one file; it is refused as soon as there are `most` of them."""

    def __init__(self, name: str, *, most: int = MOST_PROBLEMS) -> None:
        self.name, self.most = name, most
        self.found: list[FileProblem] = []

    def add(self, row: int, column: str, code: str, sentence: str) -> None:
        self.found.append(FileProblem(self.name, row, column, code, sentence))
        if len(self.found) == self.most:
            self.refuse_if_any()

    def refuse_if_any(self) -> None:
        if self.found:
            raise FileRefused(sorted(self.found, key=lambda problem: problem.row))


def refusal(name: str, code: str, sentence: str, *, row: int = 0, column: str = "") -> FileRefused:
    """A refusal for one problem."""
    return FileRefused([FileProblem(name, row, column, code, sentence)])


def refuse_many_columns(name: str, columns: Collection[str]) -> None:
    """Refuse a table that has more than `MOST_COLUMNS` columns, those of single rows counted too."""
    if len(columns) > MOST_COLUMNS:
        problem = message(
            "more than %(n)d columns; remove those that the study does not need", n=MOST_COLUMNS
        )
        raise refusal(name, "too_many_columns", problem)


def refuse_missing_columns(
    name: str, rows: Sequence[tuple[int, Mapping[str, Any]]], needed: Sequence[str]
) -> None:
    """Refuse rows that all lack a needed column (`missing_column`); the message names the existing ones."""
    missing = [column for column in needed if not any(column in row for _, row in rows)]
    if missing:
        there = list(dict.fromkeys(column for _, row in rows for column in row))
        more = " …" if len(there) > MOST_COLUMNS_NAMED else ""
        names = ", ".join(there[:MOST_COLUMNS_NAMED]) + more
        sentence = message("the column is missing; the columns of the file are: %(names)s", names=names)
        raise FileRefused([FileProblem(name, 0, column, "missing_column", sentence) for column in missing])
