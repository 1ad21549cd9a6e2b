"""`components --train`: marks from a file, an extractor in a folder, and nothing where a mark is wrong."""

from __future__ import annotations

import csv
import io
import json
import re
from hashlib import sha256
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

pytest.importorskip("torch")

from scoring.backends import component_training
from scoring.hauser.components.trained.comparison import compare_with_rules, folds
from scoring.hauser.components.trained.network import Network
from scoring.io.components.marks import read_component_marks
from tests.hauser.components.marked_by_hand import CHINESE

ROWS = [[mark.sentence, mark.topic, mark.vehicle] for mark in CHINESE]


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    return written(tmp_path / "marks.csv", [*ROWS, ["今天下雨。", "", ""]])


def written(path: Path, rows: list[list[str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["sentence", "topic", "vehicle"], *rows])
    return path


def components(*arguments: object) -> str:
    output = io.StringIO()
    call_command("components", *map(str, arguments), stdout=output)
    return output.getvalue()


def refusal(*arguments: object) -> str:
    with pytest.raises(CommandError) as caught:
        components(*arguments)
    assert caught.value.returncode == 2
    return str(caught.value)


def test_an_extractor_is_trained_compared_and_used(marks, tmp_path, monkeypatch):
    monkeypatch.setattr(component_training, "FEWEST_STEPS", 3)
    monkeypatch.setattr(component_training, "EPOCHS", 3)
    written(marks, [*ROWS, ["刀子像他的话。", "刀子", "冰"]])
    first, second = tmp_path / "first", tmp_path / "second"
    output = components(marks, "--train", first, "--language=zh", "--seed=5")
    assert "16 marks in 16 sentences; seed 5" in output
    assert "1 marks left out, because the vehicle follows no comparator: rows 18" in output
    assert f"--extractor trained:{first}" in output
    card = json.loads((first / "card.json").read_text(encoding="utf-8"))
    assert (card["language"], card["marks"], card["seed"], card["left_out"]) == ("zh", 16, 5, 1)
    assert card["marks_sha256"] == sha256(marks.read_bytes()).hexdigest()
    for part in ("vehicle", "topic"):
        printed = re.search(rf"{part} +rules (\S+)  trained (\S+)  difference \S+ \[95% CI", output)
        stored = [card["f1"][part][name] for name in ("rules", "trained")]
        assert printed
        assert [float(one) for one in printed.groups()] == pytest.approx(stored, abs=0.001)
    components(marks, "--train", second, "--language=zh", "--seed=5")
    assert {path.name: path.read_bytes() for path in first.iterdir()} == {
        path.name: path.read_bytes() for path in second.iterdir()
    }
    out = tmp_path / "out.csv"
    components(marks, "--column=sentence", "--out", out, "--extractor", f"trained:{first}")
    with out.open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 17


def test_a_trained_extractor_is_compared_on_sentences_that_it_has_not_seen(monkeypatch):
    monkeypatch.setattr(component_training, "FEWEST_STEPS", 2)
    seen: list[set[str]] = []

    def train(examples) -> Network:
        seen.append({example.window.text for example in examples})
        return component_training.train_network(examples[:2], 1)

    found = compare_with_rules([*CHINESE, CHINESE[0]], "zh", train)
    fold_of = folds([mark.sentence for mark in CHINESE])
    for fold, of_fold in enumerate(seen):
        assert of_fold == {sentence for sentence, number in fold_of.items() if number != fold}
    assert all(one.low <= one.difference <= one.high for one in found.values())
    assert found["vehicle"].rules > 0.8


@pytest.mark.parametrize(
    ("content", "code", "named"),
    [
        ('[{"sentence": "湖像镜子。"}]', "bad_marks", 'entry 1, "pairs"'),
        ('[{"sentence": "湖像镜子。", "pairs": [{"topic": "湖"}]}]', "bad_marks", 'entry 1, "vehicle"'),
        ('[{"context": "湖像镜子。", "tenor": "湖", "vehicle": 3}]', "bad_marks", 'entry 1, "vehicle"'),
        ('[{"context": " ", "tenor": "湖", "vehicle": "镜子"}]', "bad_marks", 'entry 1, "sentence"'),
        ('[{"sentence": "\\ud800", "pairs": []}]', "bad_marks", "entry 1"),
        ('{"sentence": "湖像镜子。"}', "bad_marks", "not a list"),
        ("[", "bad_marks", "not JSON"),
        ("[]", "too_few_marks", "at least 10"),
    ],
)
def test_a_json_file_with_a_wrong_mark_is_refused_and_nothing_is_written(tmp_path, content, code, named):
    path = tmp_path / "marks.json"
    path.write_text(content, encoding="utf-8")
    message = refusal(path, "--train", tmp_path / "new", "--language=zh")
    assert message.endswith(f"[{code}]")
    assert named in message
    assert [one.name for one in tmp_path.iterdir()] == ["marks.json"]


@pytest.mark.parametrize(
    ("row", "code", "named"),
    [
        (["湖像镜子。", "湖", ""], "bad_marks", 'row 18, "vehicle"'),
        (["", "湖", "镜子"], "bad_marks", 'row 18, "sentence"'),
        (["湖像镜子。", "湖"], "ragged_row", "row 18"),
    ],
)
def test_a_csv_file_with_a_wrong_row_is_refused_and_nothing_is_written(tmp_path, row, code, named):
    path = written(tmp_path / "marks.csv", [*ROWS, row])
    message = refusal(path, "--train", tmp_path / "new", "--language=zh")
    assert message.endswith(f"[{code}]")
    assert named in message
    assert [one.name for one in tmp_path.iterdir()] == ["marks.csv"]


def test_the_formats_of_marks_are_read_alike(marks, tmp_path):
    ours, cmdag = tmp_path / "ours.json", tmp_path / "cmdag.json"
    pairs = [
        {"id": str(n), "sentence": s, "simile": 1, "pairs": [{"topic": t, "vehicle": v}]}
        for n, (s, t, v) in enumerate(ROWS)
    ]
    other = {"id": "x", "sentence": "今天下雨。", "simile": 0, "pairs": []}
    ours.write_text(json.dumps([*pairs, other]), encoding="utf-8")
    cmdag.write_text(
        json.dumps([{"context": s, "tenor": t, "vehicle": v, "ground": ""} for s, t, v in ROWS]),
        encoding="utf-8",
    )
    read = [
        [(one.sentence, one.topic, one.vehicle) for one in read_component_marks(path)]
        for path in (marks, ours, cmdag)
    ]
    assert read[0] == read[1] == read[2] == [tuple(row) for row in ROWS]
    assert read_component_marks(marks)[0].row == 2


def test_options_that_do_not_go_together_are_refused(marks, tmp_path):
    new = tmp_path / "new"
    assert "--language zh or en" in refusal(marks, "--train", new)
    assert "--column and --out" in refusal(marks, "--train", new, "--language=zh", "--column=sentence")
    assert "--seed is -1" in refusal(marks, "--train", new, "--language=zh", "--seed=-1")
    assert "--column is missing" in refusal(marks)
    assert "--out is missing" in refusal(marks, "--column=sentence")


def test_a_folder_that_cannot_be_new_is_refused_before_the_training(marks, tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "notes.txt").write_text("x")
    full = refusal(marks, "--train", tmp_path / "old", "--language=zh")
    assert full.endswith("[folder_not_empty]")
    nowhere = refusal(marks, "--train", tmp_path / "a" / "b", "--language=zh")
    assert nowhere.endswith("[unwritable_folder]")
