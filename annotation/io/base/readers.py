"""Tables from files: rows with their numbers, or one refusal that names file, row and column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from annotation.domain.base.errors import FileProblem
from annotation.domain.base.messages import message
from annotation.io.base.binary_tables import parquet, xlsx
from annotation.io.base.cells import Row, refuse_unnamed_codes
from annotation.io.base.file_errors import Problems, refusal, refuse_missing_columns
from annotation.io.base.reading_limits import content_read_from
from annotation.io.base.text_tables import delimited, json_list, jsonl

READERS: dict[str, Callable[[Path, Problems], Iterator[tuple[int, Row]]]] = {
    "csv": delimited(","),
    "tsv": delimited("\t"),
    "jsonl": jsonl,
    "json": json_list,
    "xlsx": xlsx,
    "parquet": parquet,
}

MOST_ROW_PROBLEMS = 10_000
LONGEST_ENDING = 20


class AllRows(NamedTuple):
    """The good rows of a table, and the problems of the others."""

    rows: list[tuple[int, Row]]
    problems: list[FileProblem]


def ending_of(name: str) -> str:
    """The ending by which a sent file is stored, such as `.csv`, cut to a length that file systems allow."""
    return Path(name).suffix.lower()[:LONGEST_ENDING]


def read_rows(
    path: Path, *, needed: Sequence[str] = (), name: str = "", file_format: str = ""
) -> list[tuple[int, Row]]:
    """Read a table: CSV, TSV, JSONL, JSON, XLSX or Parquet, by the file's ending without `file_format`.

    Parameters
    ----------
    path : Path
        The file.
    needed : sequence of str
        Columns that must be there.
    name : str
        The name of the file in messages; its own name where empty.
    file_format : str
        One of `READERS`.

    Returns
    -------
    list of (int, dict)
        Rows with the numbers that a person sees: of the spreadsheet's rows for CSV, TSV and XLSX
        (the header is row 1, empty rows count), of the lines for JSONL, of the rows themselves
        for JSON and Parquet. Empty cells are empty strings. In JSONL and JSON a row may lack keys.

    Raises
    ------
    FileRefused
        `unknown_format`, `no_such_file`, `unreadable_file`, `empty_file`, `damaged_file`, `wrong_encoding`,
        `wrong_delimiter`, `missing_column`, `doubled_column`, `empty_column`, `ragged_row`,
        `not_an_object`, `too_large_unpacked`, `nested_value`, `unknown_type`, `not_a_number`,
        `nul_character` or `lone_surrogate`, each with its row and column, up to a limit.
    """
    name = name or path.name
    problems = Problems(name)
    rows = _rows(path, problems, file_format)
    problems.refuse_if_any()
    if not rows:
        raise refusal(name, "empty_file", message("the file has no rows"))
    refuse_missing_columns(name, rows, needed)
    refuse_unnamed_codes(name, rows)
    return rows


def read_all_rows(path: Path, *, name: str, file_format: str = "") -> AllRows:
    """Read the good rows of a table, numbered as by `read_rows`, and the problems of the others.

    Raises
    ------
    FileRefused
        The file as a whole cannot be read, has no rows, or more than `MOST_ROW_PROBLEMS` bad ones.
    """
    problems = Problems(name, most=MOST_ROW_PROBLEMS)
    rows = _rows(path, problems, file_format)
    if not rows and not problems.found:
        raise refusal(name, "empty_file", message("the file has no rows"))
    bad = {problem.row for problem in problems.found}
    return AllRows([(number, row) for number, row in rows if number not in bad], problems.found)


def stream_table(
    path: Path, *, name: str, file_format: str = ""
) -> tuple[Problems, Iterator[tuple[int, Row]]]:
    """The rows of a table one by one, and the problems gathered meanwhile; for `content_read_from`."""
    problems = Problems(name, most=MOST_ROW_PROBLEMS)
    return problems, _stream(path, problems, file_format)


def _rows(path: Path, problems: Problems, file_format: str) -> list[tuple[int, Row]]:
    read = content_read_from(path)
    if read is None:
        return list(_stream(path, problems, file_format))
    rows, found = read
    for one in found:
        problems.add(one.row, one.column, one.code, one.message)
    return list(rows)


def _stream(path: Path, problems: Problems, file_format: str) -> Iterator[tuple[int, Row]]:
    name, ending = problems.name, file_format or path.suffix.removeprefix(".").lower()
    reader = READERS.get(ending)
    if reader is None:
        known = ", ".join(sorted(READERS))
        problem = message("unknown format %(format)s; use %(known)s", format=repr(ending), known=known)
        raise refusal(name, "unknown_format", problem)
    if not path.is_file():
        raise refusal(name, "no_such_file", message("the file does not exist"))
    try:
        yield from reader(path, problems)
    except OSError as problem:
        sentence = message("the file cannot be opened: %(problem)s", problem=problem.strerror)
        raise refusal(name, "unreadable_file", sentence) from problem
