"""Tables in every format: workbooks of any length, marks for older spreadsheets."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.io.base import writers
from annotation.io.base.formulas import as_written
from annotation.io.base.readers import read_rows
from annotation.io.base.writers import CONTENT_TYPES, WRITERS, write_rows

COLUMNS = ("item", "simile", "n")
ROWS: list[dict[str, Any]] = [
    {"item": "L00", "simile": "=1+1", "n": 3},
    {"item": "ü", "simile": "a\nb", "n": None},
]


def test_every_format_can_be_written_and_has_a_content_type() -> None:
    assert WRITERS.keys() == CONTENT_TYPES.keys() == {"csv", "tsv", "jsonl", "parquet", "xlsx"}


def sheets(content: bytes) -> list[list[tuple[object, ...]]]:
    book = openpyxl.load_workbook(io.BytesIO(content))
    return [list(sheet.iter_rows(values_only=True)) for sheet in book]


def test_a_workbook_has_numbers_as_numbers_and_runs_no_formula() -> None:
    book = openpyxl.load_workbook(io.BytesIO(b"".join(write_rows(ROWS, COLUMNS, "xlsx"))))

    cells = [list(row) for row in book.worksheets[0].iter_rows()]
    assert [[cell.value for cell in row] for row in cells] == [
        ["item", "simile", "n"],
        ["L00", "'=1+1", 3],
        ["ü", "a\nb", None],
    ]
    assert {cell.data_type for row in cells for cell in row} <= {"s", "n"}


@given(st.lists(st.text(max_size=8), min_size=1, max_size=5))
def test_texts_come_back_from_a_workbook_as_they_were(texts: list[str]) -> None:
    rows = [{"item": f"I{place}", "simile": text, "n": place} for place, text in enumerate(texts)]

    found = sheets(b"".join(write_rows(rows, COLUMNS, "xlsx")))[0]

    expected = [writers.NOT_WRITABLE.sub("\N{REPLACEMENT CHARACTER}", text) for text in texts]
    plain = ["" if row[1] is None else as_written(str(row[1])) for row in found[1:]]
    # XML takes every end of a line for the same.
    assert [one.replace("\r\n", "\n").replace("\r", "\n") for one in plain] == [
        one.replace("\r\n", "\n").replace("\r", "\n") for one in expected
    ]


def test_rows_beyond_a_sheet_go_to_another_one_with_the_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "MOST_ROWS", 3)
    rows = [{"item": f"I{place}", "simile": "", "n": place} for place in range(5)]

    found = sheets(b"".join(write_rows(rows, COLUMNS, "xlsx")))

    assert [[row[0] for row in sheet] for sheet in found] == [
        ["item", "I0", "I1"],
        ["item", "I2", "I3"],
        ["item", "I4"],
    ]


def test_a_text_too_long_for_a_cell_says_that_it_is_cut() -> None:
    row = {"item": "L00", "simile": "x" * 40_000, "n": 1}

    cell = str(sheets(b"".join(write_rows([row], COLUMNS, "xlsx")))[0][1][1])

    assert len(cell) == writers.LONGEST_CELL
    assert cell.endswith("… [cut here: 40000 characters; a cell can have 32767]")


@pytest.mark.parametrize("file_format", list(CONTENT_TYPES))
def test_the_mark_comes_before_csv_and_tsv_alone_and_is_read_over(file_format: str, tmp_path: Path) -> None:
    plain = b"".join(write_rows(ROWS, COLUMNS, file_format))
    content = b"".join(write_rows(ROWS, COLUMNS, file_format, bom=True))

    assert content.startswith(b"\xef\xbb\xbf") == (file_format in {"csv", "tsv"})
    if file_format in {"csv", "tsv"}:
        assert content[3:] == plain
    path = tmp_path / f"items.{file_format}"
    path.write_bytes(content)
    assert [row["item"] for _, row in read_rows(path)] == ["L00", "ü"]


def test_an_empty_table_has_its_header() -> None:
    for file_format in ("csv", "tsv"):
        text = b"".join(write_rows([], COLUMNS, file_format)).decode()
        assert next(csv.reader(io.StringIO(text), delimiter="," if file_format == "csv" else "\t")) == list(
            COLUMNS
        )
    assert sheets(b"".join(write_rows([], COLUMNS, "xlsx"))) == [[COLUMNS]]
