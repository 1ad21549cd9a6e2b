"""Rows are pasted as a spreadsheet copies them, as a file has them, or as one text a line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.io.base.readers import read_rows
from annotation.io.items.pasted_rows import file_from_pasted


def read(folder: Path, pasted: str) -> list[dict[str, Any]]:
    name, content = file_from_pasted(pasted)
    path = folder / name
    path.write_text(content, encoding="utf-8", newline="")
    return [row for _, row in read_rows(path)]


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
    assert read(tmp_path, pasted) == rows


@pytest.mark.parametrize(
    "lines",
    [
        ["Her voice was soft, like rain", "His mind, a locked room", "The city, a beast"],
        ["His mind, a locked room", "The city, a beast"],
        ["No, never", "Yes, always"],
        ["Love is war,metaphor", "Time is money,metaphor"],
        ["Night, day", "Wind, hail"],
        ["It rained; we slept", "It snowed; we woke"],
        ['"No", she said', '"Yes", he said'],
        ["月亮像灯,挂在天上", "声音像雨,落在心里"],
        ["Snow", "It fell like rain", "It rose like bread"],
        ["snow", "rain", "hail"],
        ["[The sea] is a mirror", "[The sky] is a lid"],
        ["{vehicle: rain} falls", "{vehicle: snow} falls"],
        ["[1] The sea is a mirror"],
    ],
)
def test_no_text_of_a_list_is_lost_as_a_header_or_refused_as_damaged(tmp_path: Path, lines):
    assert [row["text"] for row in read(tmp_path, "\n".join(lines))] == lines


@pytest.mark.parametrize(
    ("pasted", "columns"),
    [
        ("id, simile\na, like rain\n", ["id", "simile"]),
        ("id, simile, year\na, like rain, 1984\n", ["id", "simile", "year"]),
        ("name,thing\nx,like rain\n", ["name", "thing"]),
        (",simile\n0,like rain\n", ["Unnamed: 0", "simile"]),
        ("编号,比喻\nz1,像雨\nz2,像雪\n", ["编号", "比喻"]),
        ('"What is it like?","Who says so?"\n"Rain, mostly","Anna"\n', ["What is it like?", "Who says so?"]),
        ("id,比喻\na,像雨\n", ["id", "比喻"]),
        ("item,meta.year\na,1984\n", ["item", "meta.year"]),
        (
            "Her voice, like rain\tmetaphor\nHis mind, a room\tmetaphor\n",
            ["Her voice, like rain", "metaphor"],
        ),
    ],
)
def test_commas_separate_columns_below_a_header_and_tabs_always_do(tmp_path: Path, pasted, columns):
    [row, *_] = read(tmp_path, pasted)
    assert list(row) == columns


def test_damaged_objects_are_refused_as_such():
    name, _content = file_from_pasted('{"id": "a", "simile": "like rain"')
    assert name == "pasted.jsonl"
    name, _content = file_from_pasted('[{"id": "a"}, {"id":')
    assert name == "pasted.json"
