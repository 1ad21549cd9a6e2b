"""Columns of a file of items are recognised by names and cells; numbers are never texts to be rated."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.base.errors import FileRefused
from annotation.io.base.readers import read_rows
from annotation.io.items.comparisons import compares
from annotation.io.items.guessed_columns import assigned_as_before, guess_columns
from annotation.io.items.item_columns import ITEM, ROW_NUMBERS, SYSTEM, items_by, mapping_problems
from annotation.io.items.rating_cells import LONGEST_KEY

SIMILES = {"literal": "literal", "simile": "figure"}


def smells(n: int = 40) -> list[dict[str, Any]]:
    """Similes as the drawing of the page has them: 10 sentences, each from four systems."""
    return [
        {
            "id": f"S{place // 4:02d}-{place % 4}",
            "source": f"S{place // 4:02d}",
            "sys": ("anna", "gpt", "bart", "opt")[place % 4],
            "plain": f"The cellar number {place // 4} smelled of damp.",
            "sim": f"The cellar smelled like dog {place} asleep.",
            "len": place % 7,
        }
        for place in range(n)
    ]


def numbered(rows: list[dict[str, Any]]) -> list[tuple[int, dict[str, Any]]]:
    return list(enumerate(rows, start=2))


def guessed(rows: list[dict[str, Any]], shown: dict[str, str] | None = None) -> dict[str, str]:
    return guess_columns(list(rows[0]), numbered(rows), SIMILES if shown is None else shown)


def test_identifier_group_system_texts_and_numbers_are_distinguished():
    assert guessed(smells()) == {
        "id": "item",
        "source": "group",
        "sys": "system",
        "plain": "text:literal",
        "sim": "text:simile",
        "len": "meta:len",
    }


def test_a_sentence_that_items_share_makes_their_groups_where_no_column_does():
    rows = [{key: row[key] for key in ("id", "plain", "sim")} for row in smells()]
    found = guessed(rows)
    assert found == {"id": "item", "plain": "group+text:literal", "sim": "text:simile"}
    assert mapping_problems(found, list(rows[0])) == {}
    items = [item for _, item in items_by(numbered(rows), found)]
    groups = Counter(item["group"] for item in items)
    assert sorted(groups.values()) == [4] * 10
    assert all(item["fields"]["literal"] == item["group"] for item in items)


def test_a_group_that_a_long_text_names_has_a_name_that_can_be_stored():
    texts = ["a" * 300 + "b", "a" * 300 + "c", "a" * 300 + "b"]
    rows = numbered([{"id": str(place), "plain": text} for place, text in enumerate(texts)])
    found = [item["group"] for _, item in items_by(rows, {"id": "item", "plain": "group+text:literal"})]
    assert found[0] == found[2] != found[1]
    assert max(map(len, found)) <= LONGEST_KEY


def test_a_text_is_no_group_besides_a_column_of_groups():
    mapping = {"id": "item", "source": "group", "plain": "group+text:literal"}
    assert list(mapping_problems(mapping, list(mapping))) == ["plain"]


def test_columns_whose_names_say_nothing_are_recognised_by_their_cells():
    rows = [dict(zip("abcdef", row.values(), strict=True)) for row in smells(80)]
    found = guessed(rows)
    assert found == {
        "a": "item",
        "b": "group",
        "c": "system",
        "d": "text:literal",
        "e": "text:simile",
        "f": "meta:f",
    }


LITERAL = ("I like the sea.", "We like an early train.", "She would like the window open.", "It rained.")
SIMILES_OF_THESE = (
    "The sea holds me like a hand.",
    "An early train is as quiet as snow.",
    "She wanted air like a diver.",
    "It rained as if the sky had a leak.",
)


@pytest.mark.parametrize("figure_first", [True, False])
def test_literal_sentences_with_like_as_a_verb_are_not_taken_for_similes(figure_first):
    """Each sentence has one simile, so nothing repeats and no name helps."""
    columns = (SIMILES_OF_THESE, LITERAL) if figure_first else (LITERAL, SIMILES_OF_THESE)
    rows = [{"a": f"x{place}", "b": b, "c": c} for place, (b, c) in enumerate(zip(*columns, strict=True))]
    figure, literal = ("b", "c") if figure_first else ("c", "b")
    assert guessed(rows) == {"a": "item", figure: "text:simile", literal: "text:literal"}


def test_one_doubled_simile_does_not_make_the_literal_sentences_figures():
    similes = (*SIMILES_OF_THESE, "It rained like a drum.", "It rained like a drum.")
    rows = [
        {"a": f"x{place}", "b": f"Sentence {place}.", "c": simile} for place, simile in enumerate(similes)
    ]
    assert guessed(rows)["c"] == "text:simile"


def test_texts_that_nothing_distinguishes_are_taken_in_the_order_of_the_form():
    rows = [{"a": f"x{place}", "b": f"Dawn {place}.", "c": f"A door {place}."} for place in range(4)]
    assert guessed(rows) == {"a": "item", "b": "text:literal", "c": "text:simile"}


@pytest.mark.parametrize(
    ("text", "is_comparison"),
    [
        ("The lamp hung like a moon.", True),
        ("I like the lamp, and it hung like a moon.", True),
        ("It was as bright as noon.", True),
        ("月亮像一盏灯。", True),
        ("月は鏡のようだ。", True),
        ("I like tea.", False),
        ("Children like the sea.", False),
        ("They don’t like the cold.", False),
        ("I would like a cup.", False),
        ("他的画像挂在墙上。", False),
        ("このように書く。", False),
    ],
)
def test_a_comparison_is_distinguished_from_a_liking(text, is_comparison):
    assert compares(text) == is_comparison


def test_what_an_export_of_the_product_calls_its_columns_stays():
    rows = [{"item": f"a{n}", "group": "g", "system": "s", "simile": "x y", "meta.year": 1} for n in range(3)]
    assert guessed(rows) == {
        "item": "item",
        "group": "group",
        "system": "system",
        "simile": "text:simile",
        "meta.year": "meta:year",
    }


def test_texts_that_no_form_shows_keep_their_names():
    assert guessed([{"id": "a", "poem": "It rained all day."}], {}) == {"id": "item", "poem": "text:poem"}


def test_chinese_texts_without_spaces_are_texts():
    rows = [{"编号": f"z{n}", "比喻": f"月亮像一盏灯{n}"} for n in range(4)]
    assert guessed(rows) == {"编号": "item", "比喻": "text:simile"}


def test_items_without_an_identifier_are_named_by_their_rows():
    rows = numbered([{"simile": "like rain"}, {"simile": "like snow"}])
    mapping = guess_columns(["simile"], rows, SIMILES)
    assert mapping == {"simile": "text:simile", ROW_NUMBERS: "item"}
    assert mapping_problems(mapping, ["simile"]) == {}
    assert [item["key"] for _, item in items_by(rows, mapping)] == ["row-2", "row-3"]


@pytest.mark.parametrize(
    ("counting", "other", "item"),
    [
        ("index", "name", "name"),
        ("nr", "key", "key"),
        ("id", "key", "key"),
        ("id", "name", "id"),
        ("n", "simile", "n"),
    ],
)
def test_a_column_that_counts_the_rows_is_the_item_id_only_where_no_other_is_better(counting, other, item):
    rows = [{counting: place, other: f"S{place}x", "simile": f"like rain {place}"} for place in range(4)]
    assert guessed(rows)[item] == "item"


def test_the_numbers_of_the_rows_are_an_item_id_and_nothing_else():
    assert ROW_NUMBERS in mapping_problems({"id": "item", ROW_NUMBERS: "group", "t": "text:t"}, ["id", "t"])


@pytest.mark.parametrize("has_id", [True, False])
def test_the_index_that_pandas_writes_is_the_item_id_only_where_there_is_no_other(tmp_path, has_id):
    header, cell = (",id", ",S{}") if has_id else ("", "")
    lines = [f"{header},simile" if has_id else ",simile"]
    lines += [f"{n}{cell.format(n)},like rain {n}" for n in range(3)]
    path = tmp_path / "frame.csv"
    path.write_text("\n".join(lines))
    rows = read_rows(path)
    columns = list(rows[0][1])
    assert columns[0] == "Unnamed: 0"
    mapping = guess_columns(columns, rows, SIMILES)
    assert mapping["Unnamed: 0"] == ("" if has_id else "item")


def test_only_the_first_column_may_lack_a_name(tmp_path: Path):
    path = tmp_path / "frame.csv"
    path.write_text("item,,text\na,x,y\n")
    with pytest.raises(FileRefused) as refused:
        read_rows(path)
    assert refused.value.problems[0].code == "empty_column"


def test_columns_of_an_earlier_file_keep_their_use_which_no_other_column_gets():
    guessed = {"nr": ITEM, "model": "meta:model", "who": SYSTEM, "Satz": "text:Satz"}
    earlier = {"model": SYSTEM, "Satz": "text:simile", "id": ITEM}
    assert assigned_as_before(guessed, earlier) == {
        "nr": ITEM,
        "model": SYSTEM,
        "who": "meta:who",
        "Satz": "text:simile",
    }
    assert assigned_as_before({"a": "text:a"}, {"a": ""}) == {"a": "", ROW_NUMBERS: ITEM}
