"""Rows are pasted as a spreadsheet copies them, as a file has them, or as one text a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.io.base.readers import read_rows
from annotation.io.items.pasted_rows import file_from_pasted


@pytest.mark.parametrize(
    ("pasted", "rows"),
    [
        ("id\tsimile\na\tlike rain, like snow\n", [{"id": "a", "simile": "like rain, like snow"}]),
        ("id,simile\na,like rain\n", [{"id": "a", "simile": "like rain"}]),
        ("id;simile\na;like rain\n", [{"id": "a", "simile": "like rain"}]),
        ('{"id": "a", "simile": "like rain"}', [{"id": "a", "simile": "like rain"}]),
        ('[{"id": "a"}]', [{"id": "a"}]),
        (
            "It fell like rain, softly.\nIt rose like bread.\n",
            [{"text": "It fell like rain, softly."}, {"text": "It rose like bread."}],
        ),
        ("simile\nIt fell like rain.\n", [{"simile": "It fell like rain."}]),
        ('She said "no" like a door.\n', [{"text": 'She said "no" like a door.'}]),
    ],
)
def test_pasted_rows_become_a_table(tmp_path: Path, pasted, rows):
    name, content = file_from_pasted(pasted)
    path = tmp_path / name
    path.write_text(content, encoding="utf-8", newline="")
    assert [row for _, row in read_rows(path)] == rows
