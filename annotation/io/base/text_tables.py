"""Tables in text: CSV, TSV, JSONL and JSON, in UTF-8 with or without a byte-order mark."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NoReturn

from annotation.domain.base.bounded_json import TooDeeplyNested, load_json
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import has_surrogate
from annotation.io.base.cells import NUL, Row, check_columns, name_row_index, plain_row
from annotation.io.base.file_errors import Problems, refusal
from annotation.io.base.formulas import as_written

LONGEST_FIELD = 1_000_000
OTHER_DELIMITERS = {",": ";\t|", ";": "\t|", "\t": ";,|"}
SEMICOLON = ";"
WRONG_BYTES = message("not UTF-8; save the file as UTF-8 (in Excel: “CSV UTF-8”)")
Numbered = Iterator[tuple[int, Row]]
csv.field_size_limit(LONGEST_FIELD)


def delimited(delimiter: str) -> Callable[[Path, Problems], Numbered]:
    """A reader of CSV or TSV; rows are numbered as a spreadsheet shows them, the header is row 1.

    A CSV may have semicolons in place of commas, where its header says so.
    """

    def read(path: Path, problems: Problems) -> Numbered:
        text, clean = _text(path, problems)
        between = SEMICOLON if delimiter == "," and _has_semicolons(text) else delimiter
        records = _records(text, between, problems)
        first, header = next(records, (1, []))
        _check_header(first, header, between, problems, clean=clean)
        for number, cells in records:
            if not (clean or _check_cells(number, header, cells, problems)):
                continue
            if len(cells) == len(header):
                yield number, dict(zip(header, map(as_written, cells), strict=True))
                continue
            problem = message(
                "the row has %(cells)d cells, but the header has %(columns)d",
                cells=len(cells),
                columns=len(header),
            )
            problems.add(number, "", "ragged_row", problem)

    return read


def jsonl(path: Path, problems: Problems) -> Numbered:
    """One object a line, numbered by lines; empty lines are skipped."""
    text, clean = _text(path, problems)
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if not line.strip() or not (clean or _check_cells(number, [""], [line], problems)):
            continue
        try:
            value = load_json(line, decoder=_DECODER)
        except TooDeeplyNested as problem:
            problems.add(number, "", problem.code, problem.args[0])
            continue
        except ValueError as problem:
            sentence = message("the line is not JSON: %(problem)s", problem=_why(problem))
            problems.add(number, "", "damaged_file", sentence)
            continue
        row = _object(number, value, problems)
        if row is not None:
            yield number, row


def json_list(path: Path, problems: Problems) -> Numbered:
    """A list of objects, numbered by their places in it."""
    text, clean = _text(path, problems)
    if not clean:
        for number, line in enumerate(text.split("\n"), start=1):
            _check_cells(number, [""], [line], problems)
        problems.refuse_if_any()
    try:
        values = load_json(text, decoder=_DECODER) if text.strip() else []
    except TooDeeplyNested as problem:
        raise refusal(problems.name, problem.code, problem.args[0]) from problem
    except ValueError as problem:
        sentence = message("the file is not JSON: %(problem)s", problem=_why(problem))
        raise refusal(problems.name, "damaged_file", sentence) from problem
    if not isinstance(values, list):
        raise refusal(problems.name, "damaged_file", message("a list of objects is expected"))
    for number, value in enumerate(values, start=1):
        row = _object(number, value, problems)
        if row is not None:
            yield number, row


def has_semicolons(path: Path) -> bool:
    """Whether a CSV file is read with semicolons between its columns, as a European Excel writes it."""
    return _has_semicolons(path.read_bytes().removeprefix(codecs.BOM_UTF8).decode(errors="replace"))


def _has_semicolons(text: str) -> bool:
    """Whether commas leave the header in one piece, and semicolons do not."""
    header = next((line for line in text.splitlines() if line.strip()), "")
    return len(_split(header, ",")) < 2 <= len(_split(header, SEMICOLON))


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return []


def _text(path: Path, problems: Problems) -> tuple[str, bool]:
    """The text, and whether it is UTF-8 without NUL; other bytes become surrogates, to be reported."""
    data = path.read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise refusal(
            problems.name,
            "wrong_encoding",
            message("the file is UTF-16; save it as UTF-8 (in Excel: “CSV UTF-8”)"),
        )
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode(), b"\x00" not in data
    except UnicodeDecodeError:
        return data.decode(errors="surrogateescape"), False


def _records(text: str, delimiter: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Records that are not empty, with their numbers."""
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    try:
        for number, cells in enumerate(lines, start=1):
            if any(map(str.strip, cells)):
                yield number, cells
    except csv.Error as problem:
        sentence = message(
            "cannot be read from this row on (%(problem)s); check for a quotation mark that is not closed",
            problem=str(problem),
        )
        raise refusal(problems.name, "damaged_file", sentence, row=number + 1) from problem


def _check_header(number: int, header: list[str], delimiter: str, problems: Problems, *, clean: bool) -> None:
    if not clean:
        _check_cells(number, header, header, problems)
        problems.refuse_if_any()
    header[:] = [as_written(column.strip()) for column in header]
    other = next((mark for mark in OTHER_DELIMITERS[delimiter] if len(header) == 1 and mark in header[0]), "")
    if other:
        problem = message(
            "the columns are separated by %(found)s; use %(expected)s instead",
            found=repr(other),
            expected=repr(delimiter),
        )
        raise refusal(problems.name, "wrong_delimiter", problem, row=number)
    name_row_index(header)
    check_columns(header, problems, row=number)
    problems.refuse_if_any()


def _check_cells(number: int, columns: Sequence[str], cells: Sequence[str], problems: Problems) -> bool:
    """Add the problems of the raw text of a row; return whether there are none."""
    before = len(problems.found)
    for column, cell in zip_longest(columns, cells, fillvalue=""):
        if has_surrogate(cell):
            problems.add(number, _shown(column), "wrong_encoding", WRONG_BYTES)
        elif NUL in cell:
            problems.add(
                number,
                _shown(column),
                "nul_character",
                message("the text contains a NUL character; remove it"),
            )
    return len(problems.found) == before


def _shown(column: str) -> str:
    return column.encode(errors="replace").decode().replace(NUL, "?")


class _Doubled(dict[str, Any]):
    """An object that names a key twice."""

    key = ""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    doubled, seen = _Doubled(found), set()
    for key, _ in pairs:
        doubled.key = key if key in seen else doubled.key
        seen.add(key)
    return doubled


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} found, but a number or null is expected")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_no_constant)


def _why(problem: ValueError) -> str:
    if isinstance(problem, json.JSONDecodeError):
        place = f"line {problem.lineno}, " if "\n" in problem.doc else ""
        return f"{problem.msg} ({place}character {problem.colno})"
    return str(problem)


def _object(number: int, value: Any, problems: Problems) -> Row | None:
    if not isinstance(value, dict):
        problems.add(number, "", "not_an_object", message('an object is expected, as in {"item": "a"}'))
        return None
    if isinstance(value, _Doubled):
        problems.add(number, _shown(value.key), "doubled_column", message("the key appears twice"))
        return None
    before = len(problems.found)
    check_columns(list(value), problems, row=number)
    return plain_row(number, value, problems) if len(problems.found) == before else None
