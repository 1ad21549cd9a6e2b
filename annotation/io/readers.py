"""Tables from files: rows with their numbers, or one refusal that names file, row and column."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow
import pyarrow.parquet

from annotation.domain.errors import FileProblem, FileRefused

Row = dict[str, Any]
LONGEST_FIELD = 1_000_000
csv.field_size_limit(LONGEST_FIELD)


def read_rows(path: Path, *, needed: Sequence[str] = (), name: str = "") -> list[tuple[int, Row]]:
    """Read a table.

    Parameters
    ----------
    path : Path
        CSV, TSV, JSONL, JSON, XLSX or Parquet, by its ending.
    needed : sequence of str
        Columns that must be there.
    name : str
        What messages call the file; its own name where empty.

    Returns
    -------
    list of (int, dict)
        Rows with their numbers, counted from 1 after the header. Empty cells are empty strings.

    Raises
    ------
    FileRefused
        The ending is unknown, the file is empty or damaged, or a column is missing or doubled.
    """
    name = name or path.name
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        known = ", ".join(sorted(READERS))
        raise refusal(name, "unknown_format", f"the ending {path.suffix!r} is not known; use {known}")
    if not path.is_file():
        raise refusal(name, "no_such_file", "there is no such file")
    try:
        rows = [(number, row) for number, row in enumerate(reader(path, name), start=1)]
    except UnicodeDecodeError as problem:
        text = f"not UTF-8 at byte {problem.start + 1}; save the file as UTF-8"
        raise refusal(name, "wrong_encoding", text, row=_row_of_byte(path, problem.start)) from problem
    except (csv.Error, json.JSONDecodeError, zipfile.BadZipFile, pyarrow.ArrowInvalid, KeyError) as problem:
        raise refusal(name, "damaged_file", f"cannot be read: {problem}") from problem
    if not rows:
        raise refusal(name, "empty_file", "the file has no rows")
    missing = [column for column in needed if column not in rows[0][1]]
    if missing:
        raise FileRefused(
            [FileProblem(name, 0, column, "missing_column", "the column is missing") for column in missing]
        )
    return rows


def refusal(name: str, code: str, message: str, *, row: int = 0, column: str = "") -> FileRefused:
    """A refusal for one problem."""
    return FileRefused([FileProblem(name, row, column, code, message)])


def _row_of_byte(path: Path, place: int) -> int:
    with path.open("rb") as file:
        return max(0, file.read(place).count(b"\n"))


def _delimited(delimiter: str) -> Callable[[Path, str], Iterator[Row]]:
    def read(path: Path, name: str) -> Iterator[Row]:
        text = path.read_bytes().decode("utf-8-sig")
        if "\x00" in text:
            raise refusal(name, "damaged_file", "the file holds NUL bytes")
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        header = next(lines, None)
        if header is None:
            return
        _check_header(name, header)
        for number, cells in enumerate(lines, start=1):
            if not cells:
                continue
            if len(cells) != len(header):
                message = f"{len(cells)} cells where the header has {len(header)}"
                raise refusal(name, "ragged_row", message, row=number)
            yield dict(zip(header, cells, strict=True))

    return read


def _check_header(name: str, header: Sequence[str]) -> None:
    doubled = sorted({column for column in header if header.count(column) > 1})
    if doubled:
        raise refusal(name, "doubled_column", "the column stands there twice", column=doubled[0])


def _jsonl(path: Path, name: str) -> Iterator[Row]:
    text = path.read_bytes().decode("utf-8-sig")
    lines = (line for line in text.split("\n") if line.strip())
    return _objects((json.loads(line) for line in lines), name)


def _json(path: Path, name: str) -> Iterator[Row]:
    rows = json.loads(path.read_bytes().decode("utf-8-sig"))
    if not isinstance(rows, list):
        raise refusal(name, "damaged_file", "a list of objects is expected")
    return _objects(rows, name)


def _objects(rows: Iterable[Any], name: str) -> Iterator[Row]:
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise refusal(name, "damaged_file", "an object is expected", row=number)
        yield {key: "" if value is None else value for key, value in row.items()}


def _xlsx(path: Path, name: str) -> Iterator[Row]:
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        lines = book.worksheets[0].iter_rows(values_only=True)
        header = [str(cell) for cell in next(lines, ()) if cell is not None]
        _check_header(name, header)
        for cells in lines:
            if any(cell is not None for cell in cells):
                yield {
                    column: "" if cell is None else cell for column, cell in zip(header, cells, strict=False)
                }
    finally:
        book.close()


def _parquet(path: Path, name: str) -> Iterator[Row]:
    for batch in pyarrow.parquet.ParquetFile(path).iter_batches():
        yield from _objects(batch.to_pylist(), name)


READERS: dict[str, Callable[[Path, str], Iterator[Row]]] = {
    ".csv": _delimited(","),
    ".tsv": _delimited("\t"),
    ".jsonl": _jsonl,
    ".json": _json,
    ".xlsx": _xlsx,
    ".parquet": _parquet,
}
