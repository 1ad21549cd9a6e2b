"""Tables as workbooks: written row by row, so that the size of a table is no matter of memory."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from openpyxl import Workbook

from annotation.io.base.formulas import as_plain_text

PIECE = 256 * 1024
# What one sheet holds, its header with it; what is beyond goes to another sheet.
MOST_ROWS = 1_048_576
LONGEST_CELL = 32_767
BREAKS = ("\r", "\n")
# Characters that XML, and so a workbook, cannot hold.
NOT_WRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def workbook(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> Iterator[bytes]:
    """Yield a table as an XLSX file; each row has all columns, each sheet their names as its header."""
    book, header, sheet, filled = (
        Workbook(write_only=True),
        [_cell(name) for name in columns],
        None,
        MOST_ROWS,
    )
    for row in rows:
        if sheet is None or filled == MOST_ROWS:
            sheet, filled = book.create_sheet(), 1
            sheet.append(header)
        sheet.append([_cell(row[name]) for name in columns])
        filled += 1
    if sheet is None:
        book.create_sheet().append(header)
    with tempfile.TemporaryFile() as file:
        book.save(file)
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = NOT_WRITABLE.sub("\N{REPLACEMENT CHARACTER}", value)
    # A cell that begins with a line break is text by its type: a mark would come back as part of it.
    text = text if text[:1] in BREAKS else as_plain_text(text)
    if len(text) <= LONGEST_CELL:
        return text
    note = f" … [cut here: {len(text)} characters, a cell holds {LONGEST_CELL}]"
    return text[: LONGEST_CELL - len(note)] + note
