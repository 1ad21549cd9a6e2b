"""Pasted rows: from a spreadsheet, from a file, or one text per line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from annotation.domain.base.bounded_json import load_json

SEPARATORS = (",", ";")
ONE_COLUMN = "text"
# Names of a column of texts; others above a list may be its first text.
TEXT_NAMES = frozenset(
    {"text", "simile", "metaphor", "sentence", "phrase", "poem", "item"}
    | {"texts", "similes", "metaphors", "sentences", "phrases", "poems", "items"}
)
SURE_NAMES = TEXT_NAMES | {"id"}
SNAKE_CASE = re.compile("[a-z]+(_[a-z0-9]+)+")
# An object or a list of objects begins like this, unlike most texts, so damage in it is reported.
OBJECTS = re.compile(r'\s*\[?\s*\{\s*"[^"\n]*"\s*:')
LONGEST_NAME, MOST_WORDS = 30, 3
# A full stop within a word belongs to a name, as in “meta.year”.
PUNCTUATION = re.compile(r"[!?…,;:\"“”。，；：！？、]|\.(\s|$)")
NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")
DIGIT = re.compile("[0-9]")
# Ratio of lengths of a row and its header in Chinese or Japanese.
SHORTER = 1.5
Records = Sequence[Sequence[str]]


def file_from_pasted(text: str) -> tuple[str, str]:
    """The name and the content of the file that pasted rows would be.

    Cells between tabs come from a spreadsheet; objects are JSON or JSONL. Commas or semicolons are between
    columns where the first line is a header or cells are quoted. All else is one text a line.

    Parameters
    ----------
    text : str
        What was pasted; not empty.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    first = lines[0].strip()
    if first.startswith("[") and (OBJECTS.match(text) or isinstance(_parsed(text), list)):
        return "pasted.json", text
    if first.startswith("{") and (OBJECTS.match(text) or isinstance(_parsed(first), dict)):
        return "pasted.jsonl", text
    if "\t" in lines[0]:
        return "pasted.tsv", text
    if any(_is_table(text, separator) for separator in SEPARATORS):
        return "pasted.csv", text
    return "pasted.csv", _one_column([line.strip() for line in lines])


def _parsed(text: str) -> object:
    """A text parsed as JSON; None if it is not JSON."""
    try:
        return load_json(text)
    except ValueError:
        return None


def _is_table(text: str, separator: str) -> bool:
    try:
        records = [
            cells for cells in csv.reader(io.StringIO(text), delimiter=separator, strict=True) if cells
        ]
    except csv.Error:
        return False
    widths = {len(cells) for cells in records}
    if len(records) < 2 or len(widths) > 1 or widths == {1}:
        return False
    return _has_quoted_cells(text, records, separator) or _is_header(records[0], records[1:])


def _has_quoted_cells(text: str, records: Records, separator: str) -> bool:
    """Whether cells are quoted as by programs, which put no space after a comma, unlike sentences."""
    quoted = re.search(rf'(^|{separator})"', text, re.MULTILINE) is not None
    return quoted and not _has_spaces(records)


def _has_spaces(records: Records) -> bool:
    return any(cell.startswith(" ") for cells in records for cell in cells[1:])


def _is_header(names: Sequence[str], rows: Records) -> bool:
    """Whether the first line has names of columns: short, without punctuation, none of them twice or a cell.

    With spaces after its commas it could be a sentence, unless it has single words and a known name.
    """
    plain = [name.strip() for name in names]
    # Only the index of rows, in the first column, has no name.
    named = plain if plain[0] else plain[1:]
    if len({name.casefold() for name in plain}) < len(plain) or not all(map(_may_be_name, named)):
        return False
    if any(cell.strip() == name for cells in rows for cell, name in zip(cells, plain, strict=True) if name):
        return False
    is_sure = any(_is_name_in(SURE_NAMES, name) for name in plain)
    if _has_spaces([names]):
        return is_sure and not any(" " in name for name in plain)
    return is_sure or "".join(names).isascii() or _differs(plain, rows)


def _may_be_name(cell: str) -> bool:
    short = 0 < len(cell) <= LONGEST_NAME and len(cell.split()) <= MOST_WORDS
    return short and not PUNCTUATION.search(cell) and not NUMBER.fullmatch(cell)


def _is_name_in(names: frozenset[str], cell: str) -> bool:
    return cell.casefold() in names or SNAKE_CASE.fullmatch(cell) is not None


def _differs(names: Sequence[str], rows: Records) -> bool:
    """Whether rows are much longer than the header, or have digits where it has none.

    Languages without spaces have none after a comma either.
    """
    length = len("".join(names))
    if all(len("".join(cells)) >= SHORTER * length for cells in rows):
        return True
    return any(
        not DIGIT.search(name) and all(DIGIT.search(cells[place]) for cells in rows)
        for place, name in enumerate(names)
    )


def _one_column(lines: list[str]) -> str:
    """A file with one column; the first line is its name only if it is a known name, else it is a text."""
    has_name = len(lines) > 1 and _is_name_in(TEXT_NAMES, lines[0])
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerows([line] for line in (lines if has_name else [ONE_COLUMN, *lines]))
    return out.getvalue()
