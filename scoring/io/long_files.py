"""Long files of ratings and scores as data frames, whole columns at a time."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow
import pyarrow.parquet

from annotation.domain.base.bounded_json import load_json
from scoring.stats.base.errors import CodedError
from scoring.stats.data.coded_rows import GREATEST_VALUE, TOO_LARGE

STANDARD_INPUT = "-"
ROWS_NAMED = 10
YES = frozenset({"true", "1", "yes"})
NO = frozenset({"false", "0", "no", ""})
BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]


class LongFileRefused(CodedError):
    """A file from which no figures can be computed."""


@dataclass(frozen=True)
class LongFile:
    """A table whose cells are all text."""

    name: str  # Name of the file in messages
    frame: pd.DataFrame  # Text cells; empty cells are empty strings. The index counts the file's rows
    first_row: int  # Number, in the file, of the frame's first row: 2 below a header line

    def refuse(self, wrong: BoolArray, code: str, what: str) -> None:
        """Refuse the file because of some of its rows.

        Parameters
        ----------
        wrong : ndarray of bool, shape (rows,)
            The rows at fault.
        code, what : str
            Code and wording of the error.

        Raises
        ------
        LongFileRefused
            When there is such a row; rows are named as an editor counts them.
        """
        rows = self.frame.index[wrong].unique()
        if len(rows):
            named = ", ".join(str(row + self.first_row) for row in rows[:ROWS_NAMED])
            more = f" and {len(rows) - ROWS_NAMED} more" if len(rows) > ROWS_NAMED else ""
            rows_named = "row" if len(rows) == 1 else "rows"
            raise LongFileRefused(code, f"{self.name}: {rows_named} {named}{more}: {what}")

    @property
    def rater_column(self) -> str:
        """`rater`, or `slot` in a file of anonymous slots."""
        return "rater" if "rater" in self.frame.columns or "slot" not in self.frame.columns else "slot"

    def require(self, columns: Iterable[str], *, hint: str = "") -> None:
        """Refuse the file where it lacks a column (`missing_column`).

        Parameters
        ----------
        columns : iterable of str
            Names of the columns.
        hint : str
            A sentence that says which file has them.
        """
        missing = [column for column in columns if column not in self.frame.columns]
        if missing:
            which = "column {} is missing" if len(missing) == 1 else "columns {} are missing"
            problem = f"{self.name}: {which.format(', '.join(missing))}"
            raise LongFileRefused("missing_column", f"{problem}. {hint}" if hint else problem)

    def counting_rows(self, chosen: BoolArray | None = None) -> tuple[BoolArray, dict[str, int]]:
        """Counted rows among those chosen, and the number of other rows by the first reason that applies."""
        every = np.ones(len(self.frame), dtype=np.bool_)
        superseded = ~self.flags("current") if "current" in self.frame.columns else ~every
        reasons = {"superseded": superseded, "excluded": self.flags("excluded"), "late": self.flags("late")}
        counting, left_out = every if chosen is None else chosen.copy(), {}
        for reason, rows in reasons.items():
            left_out[reason] = int((counting & rows).sum())
            counting &= ~rows
        return counting, left_out

    def flags(self, column: str) -> BoolArray:
        """A column of yes and no, shape (rows,); False throughout where the file has no such column.

        Raises
        ------
        LongFileRefused
            `not_yes_or_no`.
        """
        if column not in self.frame.columns:
            return np.zeros(len(self.frame), dtype=np.bool_)
        cells = self.frame[column].str.strip().str.lower()
        wrong = ~cells.isin(YES | NO).to_numpy(dtype=bool)
        self.refuse(wrong, "not_yes_or_no", f"column {column}: enter true or false")
        return cells.isin(YES).to_numpy(dtype=np.bool_)

    def numbers(self, column: str, where: BoolArray) -> FloatArray:
        """A column of numbers.

        Parameters
        ----------
        column : str
            Its name.
        where : ndarray of bool, shape (rows,)
            The rows that are read.

        Returns
        -------
        ndarray, shape (rows,)
            NaN where a cell is empty or not read.

        Raises
        ------
        LongFileRefused
            `not_a_number` or `value_too_large`.
        """
        cells = self.frame[column].str.strip().where(where, "")
        values = pd.to_numeric(cells.where(cells.ne("")), errors="coerce").to_numpy(dtype=np.float64)
        wrong = ~np.isfinite(values) & cells.ne("").to_numpy(dtype=bool)
        self.refuse(wrong, "not_a_number", f"column {column}: not a finite number")
        too_large = np.asarray(np.abs(values) > GREATEST_VALUE, dtype=np.bool_)
        self.refuse(too_large, "value_too_large", f"column {column}: {TOO_LARGE}")
        return values

    def labels(self, column: str) -> pd.Series:
        """A column in which no cell may be empty.

        Raises
        ------
        LongFileRefused
            `missing_label`.
        """
        empty = self.frame[column].str.strip().eq("").to_numpy(dtype=bool)
        self.refuse(empty, "missing_label", f"column {column}: the cell is empty")
        return self.frame[column]


def read_long(source: str, *, needed: Iterable[str] = (), file_format: str = "") -> LongFile:
    """Read a table.

    Parameters
    ----------
    source : str
        A path, or `-` for standard input.
    needed : iterable of str
        Columns that must be there.
    file_format : str
        `csv`, `tsv`, `jsonl` or `parquet`; empty takes it from the file's ending.

    Raises
    ------
    LongFileRefused
        `no_such_file`, `unknown_format`, `wrong_encoding`, `damaged_file`, `empty_file`, `doubled_column` or
        `missing_column`.
    """
    name = "standard input" if source == STANDARD_INPUT else source
    chosen = file_format or ("" if source == STANDARD_INPUT else Path(source).suffix.lstrip(".").lower())
    if chosen not in READERS:
        known = ", ".join(READERS)
        raise LongFileRefused("unknown_format", f"{name}: unknown format {chosen!r}; use {known}")
    frame = _parsed(name, chosen, _content(source, name))
    if frame.empty:
        raise LongFileRefused("empty_file", f"{name}: the file has no rows")
    file = LongFile(name, frame, first_row=2 if chosen in {"csv", "tsv"} else 1)
    file.require(needed)
    return file


def _content(source: str, name: str) -> bytes:
    if source == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        return Path(source).read_bytes()
    except OSError as problem:
        raise LongFileRefused("no_such_file", f"{name}: cannot be read: {problem.strerror}") from problem


def _parsed(name: str, file_format: str, content: bytes) -> pd.DataFrame:
    if not content.strip():
        raise LongFileRefused("empty_file", f"{name}: the file is empty")
    try:
        return READERS[file_format](name, content)
    except UnicodeDecodeError as problem:
        row = content[: problem.start].count(b"\n") + 1
        message = f"{name}: row {row}: not UTF-8; save the file as UTF-8"
        raise LongFileRefused("wrong_encoding", message) from problem
    except (pd.errors.ParserError, csv.Error, ValueError, pyarrow.ArrowInvalid) as problem:
        if isinstance(problem, LongFileRefused):
            raise
        raise LongFileRefused("damaged_file", f"{name}: cannot be read: {problem}") from problem


def _delimited(delimiter: str) -> Callable[[str, bytes], pd.DataFrame]:
    def read(name: str, content: bytes) -> pd.DataFrame:
        text = content.decode("utf-8-sig")
        header = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
        doubled = sorted({column for column in header if header.count(column) > 1})
        if doubled:
            raise LongFileRefused("doubled_column", f"{name}: column {doubled[0]} appears twice")
        frame: pd.DataFrame = pd.read_csv(
            io.StringIO(text), sep=delimiter, dtype=str, keep_default_na=False, index_col=False
        )
        return frame

    return read


def _jsonl(name: str, content: bytes) -> pd.DataFrame:
    rows = []
    for number, line in enumerate(content.decode("utf-8-sig").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = load_json(line)
        except ValueError as problem:
            raise LongFileRefused("damaged_file", f"{name}: line {number}: {problem}") from problem
        if not isinstance(row, dict):
            raise LongFileRefused("damaged_file", f"{name}: line {number}: an object is expected")
        rows.append(row)
    return _as_text(pd.DataFrame(rows))


def _parquet(_name: str, content: bytes) -> pd.DataFrame:
    table = pyarrow.parquet.read_table(pyarrow.BufferReader(content))
    return _as_text(table.to_pandas())


def _as_text(frame: pd.DataFrame) -> pd.DataFrame:
    texts = {
        str(name): frame[name].astype("object").where(frame[name].notna(), "").map(_text) for name in frame
    }
    return pd.DataFrame(texts)


def _text(cell: object) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


READERS: dict[str, Callable[[str, bytes], pd.DataFrame]] = {
    "csv": _delimited(","),
    "tsv": _delimited("\t"),
    "jsonl": _jsonl,
    "parquet": _parquet,
}
