"""Rows of a source that could not be used: the first ones are described, all are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Self

from scoring.hauser.knowledge.file_format import KnowledgeBaseError

SHOWN = 20
# A wrong file should be noticed at its beginning; a few faults in millions of rows should not stop it.
ALLOWED = 1000
ALLOWED_SHARE = 0.01


class BadRows:
    """Bad rows of a source; the source is refused when too many are bad.

    Parameters
    ----------
    file : str
        Name of the source in messages.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self.by_code: Counter[str] = Counter()
        self.shown: list[dict[str, Any]] = []

    @classmethod
    def restored(cls, file: str, state: Mapping[str, Any]) -> Self:
        """The bad rows that an earlier process found."""
        bad = cls(file)
        bad.by_code.update(state.get("by_code", {}))
        bad.shown.extend(state.get("shown", []))
        return bad

    @property
    def total(self) -> int:
        """Number of bad rows."""
        return self.by_code.total()

    def add(self, row: int, column: str, code: str, message: str) -> None:
        """Count a row, and store it when it is among the first.

        Parameters
        ----------
        row : int
            Number of the row, as an editor counts lines.
        column : str
            Empty when it is the whole row.
        code, message : str
            Code and wording of the error.
        """
        self.by_code[code] += 1
        if len(self.shown) < SHOWN:
            self.shown.append(
                {"file": self._file, "row": row, "column": column, "code": code, "message": message}
            )

    def join(self, other: BadRows) -> None:
        """Add the bad rows of a part that another process read."""
        self.by_code.update(other.by_code)
        self.shown.extend(other.shown[: SHOWN - len(self.shown)])

    def refuse_if_too_many(self, rows: int) -> None:
        """Refuse the source when more than 1,000 of its rows, and more than 1% of them, are bad.

        Parameters
        ----------
        rows : int
            Number of rows read.

        Raises
        ------
        KnowledgeBaseError
            `too_many_bad_rows`.
        """
        if self.total > max(ALLOWED, rows * ALLOWED_SHARE):
            where = f"{self._file}: " if self._file else ""
            lines = [f"{where}{self.total:,} of {rows:,} rows cannot be used. First rows:"]
            raise KnowledgeBaseError("too_many_bad_rows", "\n".join([*lines, *map(in_words, self.shown)]))

    def as_state(self) -> dict[str, Any]:
        """The state for `restored`, which is stored with the base."""
        return {"by_code": dict(self.by_code), "shown": self.shown}


def in_words(problem: Mapping[str, Any]) -> str:
    """One line of text about a bad row."""
    column = f", column {problem['column']!r}" if problem["column"] else ""
    return f"{problem['file']}, row {problem['row']}{column}: {problem['message']} [{problem['code']}]"
