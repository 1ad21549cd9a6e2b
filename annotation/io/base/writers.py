"""Tables to files, streamed: pieces of bytes while the rows are read."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import itemgetter
from typing import IO, Any

import pyarrow
import pyarrow.parquet

from annotation.io.base.columns.parquet_types import ColumnTypes, arrow_array
from annotation.io.base.formulas import FIRST, as_plain_text

Rows = Iterable[Mapping[str, Any]]
CHUNK_SIZE = 5000
CRLF = "\r\n"
PIECE = 256 * 1024
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
MARKED_FORMATS = frozenset({"csv", "tsv"})
# Rows of one sheet, including its header; further rows go to another sheet.
MOST_ROWS = 1_048_576
LONGEST_CELL = 32_767
BREAKS = ("\r", "\n")
# Characters that XML, and so a workbook, cannot hold.
NOT_WRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def workbook(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> Iterator[bytes]:
    """Yield a table as an XLSX file; each row has all columns, each sheet their names as its header."""
    from openpyxl import Workbook

    book, sheet, filled = Workbook(write_only=True), None, MOST_ROWS
    header = [_workbook_cell(name) for name in columns]
    for row in rows:
        if sheet is None or filled == MOST_ROWS:
            sheet, filled = book.create_sheet(), 1
            sheet.append(header)
        sheet.append([_workbook_cell(row[name]) for name in columns])
        filled += 1
    if sheet is None:
        book.create_sheet().append(header)
    with tempfile.TemporaryFile() as file:
        book.save(file)
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece


def _workbook_cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = NOT_WRITABLE.sub("\N{REPLACEMENT CHARACTER}", value)
    # A cell that begins with a line break is text by its type; a mark would be read back as part of it.
    text = text if text[:1] in BREAKS else as_plain_text(text)
    if len(text) <= LONGEST_CELL:
        return text
    note = f" … [cut here: {len(text)} characters; a cell can have {LONGEST_CELL}]"
    return text[: LONGEST_CELL - len(note)] + note


def write_rows(rows: Rows, columns: Sequence[str], file_format: str, *, bom: bool = False) -> Iterator[bytes]:
    """Yield a table as a file, piece by piece; each row has all columns, None is an empty cell.

    `bom` begins a CSV or TSV file with the mark by which some spreadsheets know UTF-8.
    """
    if bom and file_format in MARKED_FORMATS:
        yield codecs.BOM_UTF8
    yield from WRITERS[file_format](rows, columns)


class _Lines:
    """A file that receives lines ending in CRLF and ends them in LF."""

    def __init__(self, buffer: io.StringIO) -> None:
        self._buffer = buffer

    def write(self, line: str) -> int:
        return self._buffer.write(line.removesuffix(CRLF) + "\n")


def _delimited(delimiter: str) -> Callable[[Rows, Sequence[str]], Iterator[bytes]]:
    def write(rows: Rows, columns: Sequence[str]) -> Iterator[bytes]:
        buffer = io.StringIO(newline="")
        # Only characters of its own line end make the writer quote a cell: with CRLF it quotes both.
        lines = csv.writer(_Lines(buffer), delimiter=delimiter, lineterminator=CRLF)
        lines.writerow(map(_cell, columns))
        # Most cells are written as they are: a call for each would cost a third of the time.
        cells = itemgetter(*columns) if len(columns) > 1 else lambda row: (row[columns[0]],)
        for batch in _batches(rows):
            lines.writerows(
                [
                    [
                        _cell(one)
                        if one.__class__ is bool or (one.__class__ is str and one[:1] in FIRST)
                        else one
                        for one in cells(row)
                    ]
                    for row in batch
                ]
            )
            yield _emptied(buffer)
        yield _emptied(buffer)

    return write


def _emptied(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode("utf-8")


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return as_plain_text(value) if isinstance(value, str) else value


def _jsonl(rows: Rows, columns: Sequence[str]) -> Iterator[bytes]:
    for batch in _batches(rows):
        lines = (json.dumps({name: row[name] for name in columns}, ensure_ascii=False) for row in batch)
        yield ("\n".join(lines) + "\n").encode("utf-8")


def parquet(
    rows: Rows, columns: Sequence[str], tell: Callable[[pyarrow.Schema], None] = lambda _: None
) -> Iterator[bytes]:
    """Yield a table as a Parquet file; `tell` is called with its schema before the first piece.

    A type is known when the last row was read: until then, rows wait in a file as JSON.
    """
    with tempfile.TemporaryFile() as waiting, tempfile.TemporaryFile() as file:
        schema = _write_batches(rows, columns, waiting)
        tell(schema)
        waiting.seek(0)
        with pyarrow.parquet.ParquetWriter(file, schema) as writer:
            for line in waiting:
                arrays = map(arrow_array, json.loads(line), schema.types)
                writer.write_batch(pyarrow.record_batch(list(arrays), schema=schema))
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece


def _write_batches(rows: Rows, columns: Sequence[str], waiting: IO[bytes]) -> pyarrow.Schema:
    """Write each batch as a line with a list of each column; return the types of the columns."""
    types = ColumnTypes(columns)
    for batch in _batches(rows):
        values = [[row[name] for row in batch] for name in columns]
        types.add(values)
        waiting.write(json.dumps(values, default=str).encode("ascii") + b"\n")
    return types.schema()


def _batches(rows: Rows) -> Iterator[list[Mapping[str, Any]]]:
    source = iter(rows)
    while batch := list(islice(source, CHUNK_SIZE)):
        yield batch


WRITERS: dict[str, Callable[[Rows, Sequence[str]], Iterator[bytes]]] = {
    "csv": _delimited(","),
    "tsv": _delimited("\t"),
    "jsonl": _jsonl,
    "parquet": parquet,
    "xlsx": workbook,
}
