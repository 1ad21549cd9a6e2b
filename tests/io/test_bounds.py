"""A small file that unpacks to a huge one is refused before it fills the memory."""

from __future__ import annotations

import zipfile
from pathlib import Path

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest

from annotation.domain.base.errors import FileRefused
from annotation.io.base import binary_tables
from annotation.io.base.readers import read_rows


def refused(path: Path) -> str:
    with pytest.raises(FileRefused) as caught:
        read_rows(path)
    (problem,) = caught.value.problems
    return problem.code


def book(path: Path) -> Path:
    made = openpyxl.Workbook()
    sheet = made.worksheets[0]
    sheet.append(["key", "simile"])
    sheet.append(["a", "Like a lamp."])
    made.save(path)
    return path


def with_sheet(source: Path, target: Path, change) -> Path:
    """A copy of a workbook whose sheet is another text."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, change(content) if name.endswith("sheet1.xml") else content)
    return target


def test_a_workbook_whose_second_row_is_the_three_hundred_millionth(tmp_path):
    def far(content: bytes) -> bytes:
        return content.replace(b'<row r="2"', b'<row r="300000000"').replace(b'"A2"', b'"A300000000"')

    path = with_sheet(book(tmp_path / "a.xlsx"), tmp_path / "b.xlsx", far)
    assert refused(path) == "too_large_unpacked"


def test_a_workbook_that_unpacks_to_more_than_is_taken(tmp_path):
    path = with_sheet(
        book(tmp_path / "a.xlsx"),
        tmp_path / "b.xlsx",
        lambda text: text + b" " * (binary_tables.MOST_UNPACKED + 1),
    )
    assert path.stat().st_size < 1_000_000
    assert refused(path) == "too_large_unpacked"


def test_a_sheet_whose_few_cells_are_far_to_the_right(tmp_path, monkeypatch):
    monkeypatch.setattr(binary_tables, "MOST_CELLS", 100_000)
    rows = "".join(f'<row r="{row}"><c r="ZZZ{row}"><v>1</v></c></row>' for row in range(3, 13)).encode()
    path = with_sheet(
        book(tmp_path / "a.xlsx"),
        tmp_path / "b.xlsx",
        lambda text: text.replace(b"</sheetData>", rows + b"</sheetData>"),
    )
    assert refused(path) == "too_large_unpacked"


def test_columns_with_more_cells_than_are_taken(tmp_path):
    path = tmp_path / "rows.parquet"
    same = pyarrow.array([1]).take(pyarrow.array([0] * 1000))
    table = pyarrow.table({"item": pyarrow.chunked_array([same] * (binary_tables.MOST_CELLS // 1000 + 1))})
    pyarrow.parquet.write_table(table, path)
    assert path.stat().st_size < 1_000_000
    assert refused(path) == "too_large_unpacked"


def test_columns_that_repeat_a_long_text(tmp_path):
    path = tmp_path / "texts.parquet"
    indices = pyarrow.array([0] * 3000, pyarrow.int32())
    long = pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(["x" * 100_000]))
    pyarrow.parquet.write_table(pyarrow.table({"item": long}), path, compression="zstd")
    assert path.stat().st_size < 1_000_000
    assert refused(path) == "too_large_unpacked"


def test_what_is_large_and_honest_is_read(tmp_path):
    path = tmp_path / "fine.parquet"
    table = pyarrow.table({"item": [f"i{number}" for number in range(5000)], "text": ["ä" * 100] * 5000})
    pyarrow.parquet.write_table(table, path)
    rows = read_rows(path)
    assert (len(rows), rows[-1][1]["text"]) == (5000, "ä" * 100)
