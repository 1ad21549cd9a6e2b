"""A column of a Parquet file has the type that all of its values have, in whichever batch they come."""

from __future__ import annotations

import io
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from annotation.io.base.writers import CHUNK_SIZE, write_rows
from annotation.io.studies.first_rows import first_rows


def column(name: str, values: list[Any]) -> pyarrow.ChunkedArray:
    written = b"".join(write_rows([{name: value} for value in values], (name,), "parquet"))
    return pyarrow.parquet.read_table(io.BytesIO(written)).column(name)


@pytest.mark.parametrize(
    ("name", "values", "kind", "stored"),
    [
        ("value", [1, 5, None], "int64", [1, 5, None]),
        ("value", [1, 2.5], "double", [1.0, 2.5]),
        ("value", ["yes", 4], "string", ["yes", "4"]),
        ("value", ["007", "12"], "string", ["007", "12"]),
        ("value", [2**63], "string", [str(2**63)]),
        ("value", [True, "", None], "bool", [True, None, None]),
        ("value", ["", "a"], "string", ["", "a"]),
        ("value", [None, None], "string", [None, None]),
        ("late", ["Soon."], "string", ["Soon."]),
        ("form_version", [3], "int32", [3]),
        ("seconds", [3], "double", [3.0]),
        ("submitted_at", ["yesterday"], "string", ["yesterday"]),
        ("submitted_at", ["2026-03-01"], "string", ["2026-03-01"]),
    ],
)
def test_types(name: str, values: list[Any], kind: str, stored: list[Any]) -> None:
    found = column(name, values)
    assert (str(found.type), found.to_pylist()) == (kind, stored)


def test_times_have_their_zone_and_read_as_they_were_written() -> None:
    texts = ["2026-03-01T09:30:00.123456Z", "", "2026-03-01T09:30:00+00:00"]
    found = column("submitted_at", texts)
    assert str(found.type) == "timestamp[us, tz=UTC]"
    assert [one and one.isoformat() for one in found.to_pylist()] == [
        "2026-03-01T09:30:00.123456+00:00",
        None,
        "2026-03-01T09:30:00+00:00",
    ]
    table = ("submitted_at",), [{"submitted_at": text} for text in texts]
    shown = [cells[0] for cells in first_rows(table, "parquet", most=3)]
    assert shown == ["submitted_at", "2026-03-01T09:30:00.123456Z", "", "2026-03-01T09:30:00Z"]


def test_a_text_in_the_last_batch_makes_the_whole_column_text() -> None:
    found = column("value", [1] * CHUNK_SIZE + ["yes"])
    assert (str(found.type), found[0].as_py(), found[-1].as_py()) == ("string", "1", "yes")
