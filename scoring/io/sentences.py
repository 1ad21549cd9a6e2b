"""Sentences of a CSV file, one after the other, and a table written whole or not at all."""

from __future__ import annotations

import codecs
import csv
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from annotation.io.base.formulas import as_written
from scoring.io.long_files import LongFileRefused

LONGEST_FIELD = 1_000_000
READABLE = 0o666
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_sentences(path: Path, column: str) -> Iterator[tuple[int, str]]:
    """The cells of one column of a CSV file, as `read_columns` reads them.

    Parameters
    ----------
    path : Path
        CSV with a header, UTF-8 with or without a byte-order mark.
    column : str
        The column of the sentences.

    Yields
    ------
    (int, str)
        The row as a spreadsheet numbers it, where the header is row 1, and its sentence.
    """
    for row, (sentence,) in read_columns(path, (column,)):
        yield row, sentence


def read_columns(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The cells of some columns of a CSV file, without holding the file in memory.

    Parameters
    ----------
    path : Path
        CSV with a header, UTF-8 with or without a byte-order mark.
    columns : sequence of str
        The columns.

    Yields
    ------
    (int, list of str)
        The row as a spreadsheet numbers it, where the header is row 1, and its cells in these columns.

    Raises
    ------
    LongFileRefused
        `no_such_file`, `empty_file`, `wrong_encoding`, `damaged_file`, `missing_column`, `doubled_column` or
        `ragged_row`.
    """
    try:
        with path.open("rb") as beginning:
            if beginning.read(2) in UTF_16:
                raise _refused(path, 0, "wrong_encoding", "the file is UTF-16; save it as UTF-8")
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            yield from _cells(path, file, columns)
    except OSError as problem:
        raise _refused(path, 0, "no_such_file", f"cannot be read: {problem.strerror}") from problem


def _cells(path: Path, file: TextIO, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    records = _records(path, file)
    _, header = next(records, (1, []))
    if not header:
        raise _refused(path, 0, "empty_file", "the file is empty; add a header and at least one row")
    places = [_place(path, header, column) for column in columns]
    is_empty = True
    for row, cells in records:
        if not cells:
            continue
        if len(cells) != len(header):
            message = (
                f"{len(cells)} cells, but the header has {len(header)}; put sentences with commas in quotes"
            )
            raise _refused(path, row, "ragged_row", message)
        is_empty = False
        yield row, [as_written(cells[place]) for place in places]
    if is_empty:
        raise _refused(path, 0, "empty_file", "the file has no rows below its header")


def _records(path: Path, file: TextIO) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(LONGEST_FIELD)
    reader = csv.reader(file, strict=True)
    row = 0
    while True:
        row += 1
        try:
            cells = next(reader)
            "".join(cells).encode()
        except StopIteration:
            return
        except UnicodeEncodeError as problem:
            raise _refused(path, row, "wrong_encoding", "not UTF-8; save the file as UTF-8") from problem
        except csv.Error as problem:
            raise _refused(path, row, "damaged_file", f"cannot be read: {problem}") from problem
        yield row, cells


def _place(path: Path, header: list[str], column: str) -> int:
    if column not in header:
        there = ", ".join(header)
        raise _refused(path, 0, "missing_column", f"there is no column {column!r}; available: {there}")
    if header.count(column) > 1:
        raise _refused(path, 0, "doubled_column", f"column {column!r} appears twice")
    return header.index(column)


def _refused(path: Path, row: int, code: str, message: str) -> LongFileRefused:
    where = f"{path}: row {row}" if row else f"{path}"
    return LongFileRefused(code, f"{where}: {message}")


def write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file atomically: an existing file is replaced once the last piece is written.

    Parameters
    ----------
    path : Path
        The file; its folder must be there.
    pieces : iterable of bytes
        Its content. An error on the way leaves the folder as it was.

    Raises
    ------
    LongFileRefused
        `unwritable_file`.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as problem:
        raise _unwritable(path, problem) from problem
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
        unfinished.chmod(READABLE & ~_mask())
        unfinished.replace(path)
    except OSError as problem:
        raise _unwritable(path, problem) from problem
    finally:
        unfinished.unlink(missing_ok=True)


def _unwritable(path: Path, problem: OSError) -> LongFileRefused:
    return _refused(path, 0, "unwritable_file", f"cannot be written: {problem.strerror}")


def _mask() -> int:
    """The process's own mask of file modes, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
