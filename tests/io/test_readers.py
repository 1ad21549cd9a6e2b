"""A file is read in full or refused with file, row, column and code."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.domain.base.errors import FileRefused
from annotation.io.base.file_errors import MOST_PROBLEMS
from annotation.io.base.readers import READERS, read_rows
from annotation.io.base.text_tables import has_semicolons
from annotation.io.base.writers import WRITERS, write_rows

Place = tuple[int, str, str]


def written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def sheet(folder: Path, lines: Sequence[Sequence[Any]]) -> Path:
    book = openpyxl.Workbook()
    for line in lines:
        book.worksheets[0].append(list(line))
    book.save(folder / "table.xlsx")
    return folder / "table.xlsx"


def columns(folder: Path, values: Mapping[str, Any]) -> Path:
    pyarrow.parquet.write_table(pyarrow.table(dict(values)), folder / "table.parquet")
    return folder / "table.parquet"


def problems_of(path: Path, **options: Any) -> list[Place]:
    with pytest.raises(FileRefused) as refusal:
        read_rows(path, **options)
    assert {problem.file for problem in refusal.value.problems} == {path.name}
    assert all(problem.message for problem in refusal.value.problems)
    return [(problem.row, problem.column, problem.code) for problem in refusal.value.problems]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("t.csv", [b"item,text", b"a,\xe2\x98\x82 rain", b'b,"x, ""y"""']),
        ("t.tsv", [b"item\ttext", b"a\t\xe2\x98\x82 rain", b'b\t"x, ""y"""']),
        (
            "t.jsonl",
            [b"", b'{"item": "a", "text": "\xe2\x98\x82 rain"}', rb'{"item": "b", "text": "x, \"y\""}'],
        ),
    ],
)
def test_line_ends_and_a_byte_order_mark_make_no_difference(tmp_path, name, lines, end, mark):
    rows = read_rows(written(tmp_path, name, mark + end.join([*lines, b""])))
    assert rows == [(2, {"item": "a", "text": "☂ rain"}), (3, {"item": "b", "text": 'x, "y"'})]


def test_empty_lines_are_skipped_and_counted(tmp_path):
    path = written(tmp_path, "t.csv", b"\nitem,text\n\na,x\n,\n  \nb,y\n\n")
    assert [(number, row["item"]) for number, row in read_rows(path)] == [(4, "a"), (7, "b")]
    path = written(tmp_path, "t.jsonl", b'\n{"item": "a"}\n\n  \n{"item": "b"}\n')
    assert read_rows(path) == [(2, {"item": "a"}), (5, {"item": "b"})]
    path = sheet(tmp_path, [["item", "text", None], [], ["a", "x"], [None, ""], ["b", None]])
    assert read_rows(path) == [(3, {"item": "a", "text": "x"}), (5, {"item": "b", "text": ""})]


def test_a_cell_of_several_lines_is_one_row_as_in_a_spreadsheet(tmp_path):
    path = written(tmp_path, "t.csv", b'item,text\na,"one\r\ntwo\nthree"\nb,y,z\n')
    assert problems_of(path) == [(3, "", "ragged_row")]
    path = written(tmp_path, "t.csv", b'item,text\na,"one\r\ntwo\nthree"\n')
    assert read_rows(path) == [(2, {"item": "a", "text": "one\r\ntwo\nthree"})]


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("t.csv", b"item,text\na,x\nb,y\x00z\n", (3, "text", "nul_character")),
        ("t.csv", b"item,te\x00xt\na,x\n", (1, "te?xt", "nul_character")),
        ("t.csv", b"item,text\na,x\n\xe9,y\n", (3, "item", "wrong_encoding")),
        ("t.csv", "item,text\na,x\n".encode("utf-16"), (0, "", "wrong_encoding")),
        ("t.csv", b"item,text\na,\xed\xa0\x80\n", (2, "text", "wrong_encoding")),
        ("t.csv", b"item,text\na\n", (2, "", "ragged_row")),
        ("t.csv", b"item,text\na,x,y\n", (2, "", "ragged_row")),
        ("t.csv", b"item,text, item \na,x,y\n", (1, "item", "doubled_column")),
        ("t.csv", b"item,,text\na,x,y\n", (1, "", "empty_column")),
        ("t.csv", b'item,text\na,x\nb,"y\n', (3, "", "damaged_file")),
        ("t.csv", b'item,text\na,x\nb,"y" z\n', (3, "", "damaged_file")),
        ("t.csv", b"item,text\na,x\nb," + b"y" * 1_000_001, (3, "", "damaged_file")),
        ("t.csv", b"item|text\na|x\n", (1, "", "wrong_delimiter")),
        ("t.tsv", b"item,text\na,x\n", (1, "", "wrong_delimiter")),
        ("t.csv", b"", (0, "", "empty_file")),
        ("t.csv", b"\n \n", (0, "", "empty_file")),
        ("t.csv", b"item,text\n", (0, "", "empty_file")),
        ("t.jsonl", b'{"item": "a"}\n{"item": "b\xe9"}\n', (2, "", "wrong_encoding")),
        ("t.jsonl", rb'{"item": "a", "text": "\ud800"}', (1, "text", "lone_surrogate")),
        ("t.jsonl", rb'{"item": "a", "te\ud800": "x"}', (1, r"'te\ud800'", "lone_surrogate")),
        ("t.jsonl", rb'{"item": "a", "text": "x\u0000"}', (1, "text", "nul_character")),
        ("t.jsonl", b'{"item": "a", "text": "x\x00"}', (1, "", "nul_character")),
        ("t.jsonl", b'{"item": "a"}\n["b"]\n', (2, "", "not_an_object")),
        ("t.jsonl", b'{"item": "a"}\n\n{"item": \n', (3, "", "damaged_file")),
        ("t.jsonl", b'{"item": "a", "text": ["x"]}', (1, "text", "nested_value")),
        ("t.jsonl", b'{"item": "a", "text": {"x": 1}}', (1, "text", "nested_value")),
        ("t.jsonl", b'{"item": "a", "item": "b"}', (1, "item", "doubled_column")),
        ("t.jsonl", b'{"item": "a", "": "b"}', (1, "", "empty_column")),
        ("t.jsonl", b'{"item": "a", "text": NaN}', (1, "", "damaged_file")),
        ("t.jsonl", b'{"item": "a", "text": 1e999}', (1, "text", "not_a_number")),
        ("t.jsonl", b'{"item": ' + b"9" * 5000 + b"}", (1, "", "damaged_file")),
        ("t.jsonl", b"[" * 100_000, (1, "", "too_deeply_nested")),
        ("t.jsonl", b"\n", (0, "", "empty_file")),
        ("t.json", b'[{"item": "a"}, "b"]', (2, "", "not_an_object")),
        ("t.json", b'{"item": "a"}', (0, "", "damaged_file")),
        ("t.json", b'[{"item": "a"}', (0, "", "damaged_file")),
        ("t.json", b'[{"item": "a"},\n {"item": "\xe9"}]', (2, "", "wrong_encoding")),
        ("t.json", b"[]", (0, "", "empty_file")),
        ("t.json", b"", (0, "", "empty_file")),
        ("t.xlsx", b"no workbook", (0, "", "damaged_file")),
        ("t.parquet", b"no columns", (0, "", "damaged_file")),
        ("t.parquet", b"", (0, "", "damaged_file")),
        ("t.pdf", b"item\n", (0, "", "unknown_format")),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(tmp_path, name, content, place):
    assert problems_of(written(tmp_path, name, content)) == [place]


def test_a_file_that_is_not_there_is_named(tmp_path):
    assert problems_of(tmp_path / "t.csv") == [(0, "", "no_such_file")]


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        ([["item", "text"], ["a", "x", "y"]], (2, "", "ragged_row")),
        ([["item", None, "text"], ["a", "x", "y"]], (1, "", "empty_column")),
        ([["item", "item"], ["a", "x"]], (1, "item", "doubled_column")),
        ([["item", "text"]], (0, "", "empty_file")),
        ([], (0, "", "empty_file")),
    ],
)
def test_a_sheet_that_is_no_table_is_refused(tmp_path, lines, place):
    assert problems_of(sheet(tmp_path, lines)) == [place]


def test_a_sheet_keeps_numbers_and_writes_times_in_iso(tmp_path):
    path = sheet(
        tmp_path, [["item", "value", "when"], ["a", 3, datetime(2026, 1, 2, 3, 4)], ["b", 2.5, True]]
    )
    assert [list(row.values()) for _, row in read_rows(path)] == [
        ["a", 3, "2026-01-02T03:04:00"],
        ["b", 2.5, True],
    ]


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"item": ["a", "b"], "text": ["x", "y\x00"]}, (2, "text", "nul_character")),
        ({"item": ["a", "b"], "text": [["x"], []]}, (1, "text", "nested_value")),
        ({"item": ["a"], "text": [b"x"]}, (1, "text", "unknown_type")),
        ({"item": ["a"], "text": [float("inf")]}, (1, "text", "not_a_number")),
        ({"item": ["a"], "": ["x"]}, (0, "", "empty_column")),
        ({"item": pyarrow.array([], pyarrow.string())}, (0, "", "empty_file")),
    ],
)
def test_columns_that_are_no_table_are_refused(tmp_path, values, place):
    assert problems_of(columns(tmp_path, values))[0] == place


def test_columns_with_bytes_that_are_no_text_are_refused_by_row(tmp_path):
    offsets = pyarrow.array(["a", "bc"]).buffers()[1]
    wrong = pyarrow.StringArray.from_buffers(2, offsets, pyarrow.py_buffer(b"a\xff\xfe"))
    assert problems_of(columns(tmp_path, {"item": wrong})) == [(2, "item", "wrong_encoding")]


def test_empty_cells_and_nan_are_empty_strings(tmp_path):
    path = columns(tmp_path, {"item": ["a", None], "value": [float("nan"), 2.0]})
    assert read_rows(path) == [(1, {"item": "a", "value": ""}), (2, {"item": "", "value": 2.0})]
    path = written(tmp_path, "t.jsonl", b'{"item": "a", "value": null}')
    assert read_rows(path) == [(1, {"item": "a", "value": ""})]


def test_several_problems_are_reported_at_once_up_to_a_limit(tmp_path):
    path = written(tmp_path, "t.csv", b"item,text\na\nb,x\nc,y,z\n")
    assert problems_of(path) == [(2, "", "ragged_row"), (4, "", "ragged_row")]
    path = written(tmp_path, "t.csv", b"item,text\n" + b"a\n" * 1000)
    assert len(problems_of(path)) == MOST_PROBLEMS


def test_missing_columns_are_all_named(tmp_path):
    path = written(tmp_path, "t.csv", b"item,text\na,x\n")
    assert problems_of(path, needed=("item", "rater", "value")) == [
        (0, "rater", "missing_column"),
        (0, "value", "missing_column"),
    ]


def test_a_named_format_takes_precedence_over_the_ending(tmp_path):
    path = written(tmp_path, "table.txt", b"item\ttext\na\tx\n")
    assert read_rows(path, file_format="tsv") == [(2, {"item": "a", "text": "x"})]


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)
TABLES = st.lists(st.tuples(TEXTS.filter(str.strip), TEXTS, TEXTS), min_size=1, max_size=8)


# A workbook holds no control characters, and keeps the mark before a formula.
@pytest.mark.parametrize("file_format", sorted(WRITERS.keys() - {"xlsx"}))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(table=TABLES)
def test_every_text_survives_every_format(tmp_path, file_format, table):
    names = ("item", "literal", "simile")
    rows = [dict(zip(names, cells, strict=True)) for cells in table]
    path = written(tmp_path, f"t.{file_format}", b"".join(write_rows(rows, names, file_format)))
    assert [row for _, row in read_rows(path)] == rows


@pytest.mark.parametrize("file_format", sorted(READERS))
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=st.one_of(st.binary(max_size=60), TEXTS.map(str.encode)))
def test_no_content_makes_a_reader_fail_otherwise_than_by_a_refusal(tmp_path, file_format, content):
    with suppress(FileRefused):
        assert read_rows(written(tmp_path, f"t.{file_format}", content))


def damaged(content: bytes, place: float, byte: int) -> bytes:
    at = int(place * len(content))
    return content[:at] + bytes([byte]) + content[at + 1 :]


@pytest.mark.parametrize("file_format", ["xlsx", "parquet"])
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(place=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255), cut=st.booleans())
def test_a_damaged_workbook_is_refused_or_read(tmp_path, file_format, place, byte, cut):
    lines = [["item", "text"], *[[f"i{number}", "rain"] for number in range(20)]]
    if file_format == "xlsx":
        whole = sheet(tmp_path, lines).read_bytes()
    else:
        whole = columns(tmp_path, {"item": [line[0] for line in lines], "text": ["x"] * 21}).read_bytes()
    content = whole[: int(place * len(whole))] if cut else damaged(whole, place, byte)
    with suppress(FileRefused):
        assert read_rows(written(tmp_path, f"t.{file_format}", content))


def test_what_excel_writes_as_csv_is_what_python_reads(tmp_path):
    buffer = io.StringIO(newline="")
    csv.writer(buffer, dialect="excel").writerows([["item", "text"], ["a", 'x "y"\nz']])
    path = written(tmp_path, "t.csv", buffer.getvalue().encode("utf-8-sig"))
    assert read_rows(path) == [(2, {"item": "a", "text": 'x "y"\nz'})]
    path = written(tmp_path, "t.json", json.dumps([{"item": "a", "text": "☂"}]).encode())
    assert read_rows(path) == [(1, {"item": "a", "text": "☂"})]


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (b"item;text\na;x, y\n", [(2, {"item": "a", "text": "x, y"})]),
        (b'\xef\xbb\xbf"item";"text"\r\n"a";"x; y"\r\n', [(2, {"item": "a", "text": "x; y"})]),
        (b"item,te;xt\na,x\n", [(2, {"item": "a", "te;xt": "x"})]),
        (b'item,"a;b"\na,x\n', [(2, {"item": "a", "a;b": "x"})]),
    ],
)
def test_semicolons_are_read_where_no_comma_splits_the_header(tmp_path, content, rows):
    """As a European Excel writes CSV; the header alone decides, so that no text of an item can."""
    path = written(tmp_path, "t.csv", content)
    assert read_rows(path) == rows
    assert has_semicolons(path) == ("text" in rows[0][1])
