"""`tuples_agreement`: figures of a file of tuples without a database."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

SENTENCES = {"s1": "火是礼物。", "s2": "𝄞是河。"}


def row(
    item: str, rater: str, part: str | None, start: int | None, end: int | None, **more: Any
) -> dict[str, Any]:
    text = SENTENCES[item][start:end] if start is not None else "free"
    return {
        "item": item,
        "rater": rater,
        "tuple": part and 1,
        "part": part,
        "start": start,
        "end": end,
        "text": text,
        **more,
    }


ROWS = [
    row("s1", "A", "tenor", 0, 1),
    row("s1", "A", "vehicle", 2, 4),
    row("s1", "B", "tenor", 0, 1),
    row("s1", "B", "vehicle", 3, 4),
    row("s2", "A", "tenor", 0, 1),
    row("s2", "B", None, None, None),
    row("s2", "B", "tenor", 1, 2, excluded=True, exclusion_rule="by_hand"),
]


def written(tmp_path: Path, rows: list[dict[str, Any]]) -> Path:
    path = tmp_path / "tuples.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in rows), encoding="utf-8")
    return path


def figures(path: Path, *options: str) -> dict[tuple[str, str, str], float | None]:
    out = io.StringIO()
    call_command("tuples_agreement", str(path), "--json=-", "--bootstrap=20", *options, stdout=out)
    results = json.loads(out.getvalue())["results"]
    return {(one["criterion"], one["coefficient"], one["variant"]): one["estimate"] for one in results}


def test_a_file_of_spans_gives_f1_by_part_and_alpha_with_the_texts(tmp_path):
    texts = tmp_path / "items.csv"
    texts.write_text(
        "item,sentence\n" + "\n".join(f"{k},{v}" for k, v in SENTENCES.items()), encoding="utf-8"
    )
    found = figures(written(tmp_path, ROWS), f"--items={texts}")
    assert found["tuples:tenor", "f1", "exact, pooled"] == pytest.approx(2 / 3)
    assert found["tuples:vehicle", "f1", "overlap, pooled"] == pytest.approx(2 / 3)
    assert found["tuples:vehicle", "precision", "overlap, A|B"] == 1
    assert found["tuples:whole", "f1", "exact, pooled"] == 0
    # Nine characters; A marks two of them as tenor, B one of these: α = 1 − 17·1/(3·15).
    assert found["tuples:tenor", "alpha", "nominal, characters"] == pytest.approx(1 - 17 / 45)


def test_the_table_names_what_was_left_out(tmp_path):
    out = io.StringIO()
    call_command("tuples_agreement", str(written(tmp_path, ROWS)), "--bootstrap=20", stdout=out)
    assert "0 superseded, 1 excluded, 0 late" in out.getvalue()
    assert "tuples:whole" in out.getvalue()


def test_a_span_outside_the_text_is_refused_by_its_line(tmp_path):
    texts = tmp_path / "items.csv"
    texts.write_text("item,sentence\ns1,火\ns2,火\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"rows 2, 4: .* \[outside_text\]") as caught:
        figures(written(tmp_path, ROWS), f"--items={texts}")
    assert caught.value.returncode == 2


def test_groups_in_the_file_of_items_are_drawn_together(tmp_path):
    rows = [
        row("s1", rater, "tenor", 0, 2 if rater == "B" and number % 2 else 1) | {"item": f"i{number}"}
        for number in range(12)
        for rater in ("A", "B")
    ]
    texts = tmp_path / "items.csv"
    lines = [f"i{number},g{number % 6},火是礼物。" for number in range(12)]
    texts.write_text("item,group,sentence\n" + "\n".join(lines), encoding="utf-8")
    out = io.StringIO()
    command = ["tuples_agreement", str(written(tmp_path, rows)), "--json=-", "--bootstrap=20"]
    call_command(*command, f"--items={texts}", stdout=out)
    methods = {one["interval_method"] for one in json.loads(out.getvalue())["results"]}
    assert methods == {"percentile-bootstrap:groups"}


def test_the_table_ends_with_how_it_was_computed(tmp_path):
    out = io.StringIO()
    command = ["tuples_agreement", str(written(tmp_path, ROWS)), "--bootstrap=20", "--seed=7"]
    call_command(*command, stdout=out)
    how = out.getvalue().splitlines()[-1]
    assert how.startswith("tuples: no confidence intervals; 20 bootstrap samples, seed 7; groundwork ")


@pytest.mark.parametrize("option", ["--bootstrap=-3", "--bootstrap=100001", "--seed=-1"])
def test_a_number_outside_its_range_is_refused_with_the_option(tmp_path, option):
    with pytest.raises(CommandError, match=rf"^{option.partition('=')[0]} is .* \[bad_option\]$"):
        call_command("tuples_agreement", str(written(tmp_path, ROWS)), option)
