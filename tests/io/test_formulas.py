"""No exported text is run by a spreadsheet, and every one comes back as it was."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.io.base.formulas import as_plain_text, as_written
from annotation.io.base.readers import read_rows
from annotation.io.base.writers import write_rows

STARTS = st.sampled_from(
    ["", "'", "''", "=", "+", "-", "@", "\t", "'=", "''-", "＝", "'＠", "\n", "-2", "+1e3", "'5"]
)
TEXTS = st.builds(str.__add__, STARTS, st.text(max_size=5))


@given(TEXTS)
def test_marking_is_undone_exactly(text: str) -> None:
    assert as_written(as_plain_text(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+cmd",
        "-x",
        "@sum",
        "\tx",
        "\n=1",
        "＝1+1",
        "＋x",
        "－x",
        "＠sum",
        "'=1+1",
        '=HYPERLINK("http://example.org")',
    ],
)
def test_a_formula_begins_with_an_apostrophe(text: str) -> None:
    assert as_plain_text(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-2", "+3", "1e5", "-1.5", "plain", "5-1", "'quoted'", ""])
def test_numbers_and_plain_texts_stay_as_they_are(text: str) -> None:
    assert as_plain_text(text) == text


@pytest.mark.parametrize("file_format", ["csv", "tsv"])
def test_a_file_carries_no_formula_and_is_read_back_whole(file_format: str) -> None:
    remarks = ["=1+1", "'=kept", "-2", "fine"]
    rows = [{"item": f"a{place}", "remark": remark} for place, remark in enumerate(remarks)]
    data = b"".join(write_rows(rows, ("item", "remark"), file_format))
    cells = list(csv.reader(io.StringIO(data.decode()), delimiter="," if file_format == "csv" else "\t"))
    assert [cell for _, cell in cells[1:]] == ["'=1+1", "''=kept", "-2", "fine"]
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"file.{file_format}"
        path.write_bytes(data)
        assert [row["remark"] for _, row in read_rows(path, needed=("item",))] == remarks


def test_a_columns_name_is_no_formula_either(tmp_path: Path) -> None:
    name = "=HYPERLINK(1)"
    written = b"".join(write_rows([{"item": "a", name: "x"}], ["item", name], "csv"))
    assert written.decode().startswith("item,'=HYPERLINK(1)\n")
    path = tmp_path / "items.csv"
    path.write_bytes(written)
    assert read_rows(path)[0][1] == {"item": "a", name: "x"}
