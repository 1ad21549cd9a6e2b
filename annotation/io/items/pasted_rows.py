"""Rows that somebody pastes in place of a file: from a spreadsheet, from a file, or one text a line."""

from __future__ import annotations

import csv
import io

SEPARATORS = (",", ";")
ONE_COLUMN = "text"


def file_from_pasted(text: str) -> tuple[str, str]:
    """The name and the content of the file that pasted rows would be.

    Cells between tabs come from a spreadsheet, objects are JSON or JSONL. Lines that do not all have the same
    number of columns, two or more, are one text each.

    Parameters
    ----------
    text : str
        What was pasted; not empty.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    first = lines[0].lstrip()
    if first.startswith("["):
        return "pasted.json", text
    if first.startswith("{"):
        return "pasted.jsonl", text
    if "\t" in lines[0]:
        return "pasted.tsv", text
    if any(_is_table(text, separator) for separator in SEPARATORS):
        return "pasted.csv", text
    return "pasted.csv", _one_column([line.strip() for line in lines])


def _is_table(text: str, separator: str) -> bool:
    try:
        records = [
            cells for cells in csv.reader(io.StringIO(text), delimiter=separator, strict=True) if cells
        ]
    except csv.Error:
        return False
    widths = {len(cells) for cells in records}
    return len(records) > 1 and len(widths) == 1 and widths.pop() > 1


def _one_column(lines: list[str]) -> str:
    """A single word above sentences is the name of the column."""
    has_name = len(lines) > 1 and " " not in lines[0] and all(" " in line for line in lines[1:])
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerows([line] for line in (lines if has_name else [ONE_COLUMN, *lines]))
    return out.getvalue()
