"""Import of a table of triples, such as MAPS-KB's, as a knowledge base, resumable at each block."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.csv

from scoring.hauser.base.cleaning import lookup_key
from scoring.hauser.knowledge.file_format import About, KnowledgeBaseError, Origin
from scoring.hauser.knowledge.problems import BadRows, in_words
from scoring.hauser.knowledge.sources import BLOCK_BYTES, blocks, identified, refuse_utf_16
from scoring.hauser.knowledge.staging import Staging
from scoring.hauser.knowledge.sums import ROW, Row, RowArray

COLUMNS = ("new_topic", "property", "new_vehicle", "count", "plausibility")
TOPIC, PROPERTY, VEHICLE, COUNT, PLAUSIBILITY = COLUMNS
FIELDS = {VEHICLE: "vehicle", TOPIC: "topic", PROPERTY: "property"}
MOST_FREQUENT = 1 << 31
SURROGATE = re.compile("[\ud800-\udfff]")
UNFIT = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
NO_TERM = -1
Progress = Callable[[int, int], None]
Record = tuple[int, list[str]]


def ignore_progress(done: int, total: int) -> None:
    """Report no progress."""


def import_triples(
    source: Path,
    target: Path,
    staging: Path,
    *,
    software: str,
    progress: Progress = ignore_progress,
    block_bytes: int = BLOCK_BYTES,
) -> About:
    """Make a knowledge base from a CSV file with the columns of MAPS-KB (HAUSER, Appendix D).

    An import that was killed continues after its last whole block, when file and version are the same.

    Parameters
    ----------
    source : Path
        UTF-8, one triple per line, with at least the columns `COLUMNS`; others are ignored.
    target, staging : Path
        The file of the base, and the staging file in which it is built.
    software : str
        Name and version of the importing program.
    progress : callable
        Called after each block as `progress(done, total)`, in bytes.
    block_bytes : int
        Bytes that are read and saved together.

    Returns
    -------
    About
        Its `counted` has `rows`, `resumed_from` (a row, or None) and `bad_rows`.

    Raises
    ------
    KnowledgeBaseError
        `no_such_file`, `wrong_encoding`, `missing_column`, `doubled_column`, `too_many_bad_rows`,
        `nothing_to_store` and `already_running`: no base is created, and an existing one stays unchanged.
    """
    identity = identified(source)
    positions = _columns(source)
    origin = Origin("imported", (identity,), {"columns": list(COLUMNS)}, software, has_plausibility=True)
    with Staging(staging, origin) as work:
        table = _Table(source.name, positions, work)
        try:
            for block in blocks(source, start=work.state.get("offset", 0), size=block_bytes):
                table.take(block.data, block.end)
                progress(block.end, identity.bytes)
            counted = table.counted()
        except KnowledgeBaseError:
            work.discard()
            raise
        return work.finish(target, counted=counted)


def _columns(source: Path) -> dict[str, int]:
    """Position of each needed column."""
    with source.open("rb") as file:
        line = file.readline(1 << 20).removeprefix(codecs.BOM_UTF8)
    refuse_utf_16(source, line)
    header = [cell.strip() for cell in _cells(line.decode(errors="replace"))]
    missing = [column for column in COLUMNS if column not in header]
    if missing:
        named = ", ".join(missing)
        message = (
            f"{source.name}, row 1: missing columns: {named}; use a comma-separated file in UTF-8 "
            f"with the columns {', '.join(COLUMNS)}. First row: {', '.join(header)[:200] or 'nothing'}"
        )
        raise KnowledgeBaseError("missing_column", message)
    doubled = [column for column in COLUMNS if header.count(column) > 1]
    if doubled:
        message = f"{source.name}, row 1: there are two columns {doubled[0]}; remove one of them"
        raise KnowledgeBaseError("doubled_column", message)
    return {column: header.index(column) for column in COLUMNS}


@dataclass
class _Place:
    """The position of the reading."""

    row: int = 0
    offset: int = 0
    good: int = 0


class _Table:
    """The rows of one file on their way into the staging file."""

    def __init__(self, file: str, positions: dict[str, int], staging: Staging) -> None:
        self._file = file
        self._places = positions
        self._staging = staging
        state = staging.state
        self._at = _Place(**{name: state.get(name, 0) for name in ("row", "offset", "good")})
        self._bad = BadRows.restored(file, state.get("bad_rows", {}))
        self._resumed_from = self._at.row + 1 if staging.is_resumed else None
        # By whether it is a property: a word may be a property and a vehicle, cleaned differently.
        self._known: dict[bool, dict[str, int]] = {False: {}, True: {}}

    def take(self, data: bytes, end: int) -> None:
        """Read a block of whole lines and store its rows together with the position after them."""
        if not self._at.row:
            data = data.partition(b"\n")[2]
            self._at.row = 1
        lines = data.count(b"\n") + (not data.endswith(b"\n"))
        rows = self._whole_columns(data, lines)
        if rows is None:
            records = _records(_lines(data), self._at.row + 1, self._bad)
            rows = np.array(list(self._rows(records)), ROW)
        self._at.row += lines
        self._at.offset = end
        self._at.good += len(rows)
        self._bad.refuse_if_too_many(self._at.row)
        self._staging.keep(rows, {**vars(self._at), "bad_rows": self._bad.as_state()})

    def counted(self) -> dict[str, Any]:
        """Counts of all rows read; refused when none can be used."""
        if not self._at.good:
            message = [f"{self._file}: no row can be used", *map(in_words, self._bad.shown)]
            raise KnowledgeBaseError("nothing_to_store", "\n".join(message))
        rows = {"rows": self._at.good, "resumed_from": self._resumed_from}
        return {**rows, "bad_rows": self._bad.as_state()}

    def _whole_columns(self, data: bytes, lines: int) -> RowArray | None:
        """The rows of a block without any problem; None for other blocks."""
        try:
            table = columns_of(data, self._places)
        except pyarrow.ArrowInvalid:
            return None
        n, p = table[COUNT].to_numpy(), table[PLAUSIBILITY].to_numpy()
        if len(n) != lines or not ((n > 0) & (n < MOST_FREQUENT) & (p >= 0) & (p <= 1)).all():
            return None
        rows = np.empty(lines, ROW)
        rows["n"], rows["weighted"] = n, n * p
        for column, field in FIELDS.items():
            terms = table[column].combine_chunks().dictionary_encode()
            numbers = [self._number(column, text) for text in terms.dictionary.to_pylist()]
            if NO_TERM in numbers:
                return None
            rows[field] = np.array(numbers, dtype=np.int32)[terms.indices.to_numpy()]
        return rows

    def _rows(self, records: Iterable[Record]) -> Iterator[Row]:
        """The good rows of a block one by one; the others are reported."""
        for number, cells in records:
            if not any(map(str.strip, cells)):
                continue
            if len(cells) <= max(self._places.values()):
                message = f"{len(cells)} cells, fewer than in the header; check for a missing quotation mark"
                self._bad.add(number, "", "ragged_row", message)
                continue
            cell = {column: cells[position] for column, position in self._places.items()}
            problem = _problem(cell)
            if problem:
                self._bad.add(number, *problem)
                continue
            vehicle, topic, shared = (self._number(column, cell[column]) for column in FIELDS)
            n = int(float(cell[COUNT]))
            yield vehicle, topic, shared, n, n * float(cell[PLAUSIBILITY])

    def _number(self, column: str, text: str) -> int:
        """The number of a topic, vehicle or property; `NO_TERM` for a text that is none."""
        known = self._known[column == PROPERTY]
        number = known.get(text)
        if number is None:
            key = term_of(column, text)
            number = known[text] = self._staging.term(key) if key else NO_TERM
        return number


def term_of(column: str, text: str) -> str:
    """A cell as the base stores it; empty where it cannot be stored.

    Parameters
    ----------
    column, text : str
        Name and content of the cell.
    """
    stripped = text.strip()
    if UNFIT.search(stripped):
        return ""
    return stripped.lower() if column == PROPERTY else lookup_key(stripped)


def columns_of(data: bytes, places: Mapping[str, int]) -> pyarrow.Table:
    """The needed columns of whole lines, texts as texts and numbers as numbers.

    Parameters
    ----------
    data : bytes
        Lines without a header.
    places : mapping of str to int
        Position of each column.

    Raises
    ------
    pyarrow.ArrowInvalid
        Where a cell or row cannot be read.
    """
    width = len(_cells(data[: data.find(b"\n")].decode(errors="replace")))
    names = [f"unused {position}" for position in range(width)]
    for column, position in places.items():
        if position >= width:
            raise pyarrow.ArrowInvalid("the first row is too short")
        names[position] = column
    types = {column: pyarrow.string() for column in FIELDS}
    return pyarrow.csv.read_csv(
        pyarrow.py_buffer(data),
        pyarrow.csv.ReadOptions(column_names=names),
        pyarrow.csv.ParseOptions(ignore_empty_lines=False),
        pyarrow.csv.ConvertOptions(
            column_types={**types, COUNT: pyarrow.int64(), PLAUSIBILITY: pyarrow.float64()},
            include_columns=list(COLUMNS),
            null_values=[],
        ),
    )


def _lines(data: bytes) -> list[str]:
    """Not splitlines, which also splits at characters that end no line of a file."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode(errors="surrogateescape")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _records(lines: list[str], first: int, bad: BadRows) -> Iterator[Record]:
    """Numbered records; each is one line, so that a quotation mark left open costs no more than its row."""
    try:
        records = list(csv.reader(lines))
    except csv.Error:
        records = []
    if len(records) == len(lines):
        yield from enumerate(records, first)
        return
    for number, line in enumerate(lines, first):
        cells = _cells(line)
        if cells or not line.strip():
            yield number, cells
        else:
            bad.add(number, "", "damaged_row", "cannot be read as cells separated by commas")


def _cells(line: str) -> list[str]:
    """The cells of a line; none where it is empty or has a line end of another system in its middle."""
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def _problem(cell: Mapping[str, str]) -> tuple[str, str, str] | None:
    """Column, code and message of the first problem of a row."""
    for column in FIELDS:
        problem = _problem_of_term(column, cell[column])
        if problem:
            return column, *problem
    if not _lies_in(cell[COUNT], 1, MOST_FREQUENT, whole=True):
        return COUNT, "bad_count", f"{cell[COUNT]!r} is not a whole number of at least 1"
    if not _lies_in(cell[PLAUSIBILITY], 0, 1):
        return PLAUSIBILITY, "bad_plausibility", f"{cell[PLAUSIBILITY]!r} is not a number from 0 to 1"
    return None


def _problem_of_term(column: str, text: str) -> tuple[str, str] | None:
    if term_of(column, text):
        return None
    if SURROGATE.search(text):
        return "wrong_encoding", "not UTF-8; save the file as UTF-8"
    if UNFIT.search(text.strip()):
        return "control_character", "the text contains a control character; remove it"
    return "empty_term", f"{text!r} contains no letter or digit"


def _lies_in(text: str, low: float, high: float, *, whole: bool = False) -> bool:
    try:
        number = float(text)
    except ValueError:
        return False
    return low <= number <= high and (not whole or number.is_integer())
