"""The first rows of an exported file: written by the writer of the file, and read back."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

import pyarrow.parquet

from annotation.domain.base.timestamps import utc_timestamp
from annotation.io.base.writers import write_rows
from annotation.selectors.base.table_types import Table

Cells = tuple[tuple[str, ...], ...]
# Formats whose size grows with the rows; the others compress them.
GROWING = frozenset({"csv", "tsv", "jsonl"})


def first_rows(table: Table, file_format: str, *, most: int) -> Cells:
    """The cells of the first rows of a file, its header first, as text.

    Parameters
    ----------
    table : Table
        What is exported. As many rows are taken from its rows as are shown.
    file_format : str
        One of `annotation.io.base.writers.CONTENT_TYPES`.
    most : int
        Rows below the header.

    Returns
    -------
    tuple of tuple of str
        A cell without a value is empty.
    """
    columns, rows = table
    taken: Iterable[Mapping[str, Any]] = islice(rows, most)
    return READERS[file_format](b"".join(write_rows(taken, columns, file_format)), columns)


def size_by_first_rows(first: Table, file_format: str, n_rows: int | None) -> int | None:
    """The bytes of a file, exact if the first rows are all, otherwise estimated from them.

    Parameters
    ----------
    first : Table
        What is exported, with its first rows as a list.
    file_format : str
        One of `annotation.io.base.writers.CONTENT_TYPES`.
    n_rows : int or None
        Rows of the whole file; None if they are not known.

    Returns
    -------
    int or None
        None if the first rows do not show it: their number is not known, or the format compresses them.
    """
    columns, rows = first[0], list(first[1])
    written = _n_bytes(rows, columns, file_format)
    if n_rows == len(rows):
        return written
    if n_rows is None or file_format not in GROWING or not rows:
        return None
    header = _n_bytes([], columns, file_format)
    return header + round((written - header) * n_rows / len(rows))


def _n_bytes(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], file_format: str) -> int:
    return sum(map(len, write_rows(rows, columns, file_format)))


def _delimited(delimiter: str) -> Callable[[bytes, Sequence[str]], Cells]:
    def read(written: bytes, _columns: Sequence[str]) -> Cells:
        lines = csv.reader(io.StringIO(written.decode("utf-8"), newline=""), delimiter=delimiter)
        return tuple(map(tuple, lines))

    return read


def _json_lines(written: bytes, columns: Sequence[str]) -> Cells:
    # Texts may hold characters at which `splitlines` would end a line.
    lines = [json.loads(line) for line in written.decode("utf-8").split("\n") if line]
    return (tuple(columns), *(tuple(_as_json(line[name]) for name in columns) for line in lines))


def _parquet(written: bytes, columns: Sequence[str]) -> Cells:
    lines = pyarrow.parquet.read_table(io.BytesIO(written)).to_pylist()
    return (tuple(columns), *(tuple(_as_json(line[name]) for name in columns) for line in lines))


def _workbook(written: bytes, columns: Sequence[str]) -> Cells:
    from openpyxl import load_workbook

    sheet = load_workbook(io.BytesIO(written), read_only=True).worksheets[0]
    width = len(columns)
    return tuple(tuple(map(_as_json, line)) for line in sheet.iter_rows(max_col=width, values_only=True))


def _as_json(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return utc_timestamp(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


READERS: dict[str, Callable[[bytes, Sequence[str]], Cells]] = {
    "csv": _delimited(","),
    "tsv": _delimited("\t"),
    "jsonl": _json_lines,
    "parquet": _parquet,
    "xlsx": _workbook,
}
