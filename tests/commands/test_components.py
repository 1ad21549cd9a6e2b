"""`components`: one row a pair or a reason, offsets that hold, nothing written when anything is refused."""

from __future__ import annotations

import csv
import importlib.util
import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

SENTENCES = [
    "He ran like a deer, and she sang like a bird.",
    "I like him.",
    "😀 The room was as quiet as a grave.",
    "湖水像镜子一样平静。",
    "",
]


@pytest.fixture
def given(tmp_path: Path) -> Path:
    path = tmp_path / "given.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["id", "sentence"], *([str(n), s] for n, s in enumerate(SENTENCES))])
    return path


def components(path: Path, *options: str) -> list[dict[str, str]]:
    out = path.parent / "out.csv"
    call_command("components", str(path), "--column=sentence", f"--out={out}", *options, stdout=io.StringIO())
    with out.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def refusal(path: Path, *options: str) -> str:
    with pytest.raises(CommandError) as caught:
        components(path, *options)
    assert caught.value.returncode == 2
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_every_pair_has_a_row_and_every_sentence_without_one_a_reason(given):
    rows = components(given)
    assert [(row["row"], row["topic"], row["vehicle"], row["reason"]) for row in rows] == [
        ("2", "He", "a deer", ""),
        ("2", "she", "a bird", ""),
        ("3", "", "", "verb_like"),
        ("4", "The room", "a grave", ""),
        ("5", "湖水", "镜子", ""),
        ("6", "", "", "empty"),
    ]


def test_offsets_count_characters_of_the_sentence(given):
    for row in components(given):
        sentence = SENTENCES[int(row["row"]) - 2]
        for part in ("topic", "vehicle", "event", "property", "comparator"):
            if row[part]:
                assert sentence[int(row[f"{part}_start"]) : int(row[f"{part}_end"])] == row[part]


def test_a_doubtful_simile_has_a_pair_when_all_are_known_to_be_similes(given):
    given.write_text("sentence\nHe sounds like Peter.\n", encoding="utf-8")
    assert components(given)[0]["reason"] == "named_individual"
    assert components(given, "--known-similes")[0]["vehicle"] == "Peter"


@pytest.mark.parametrize(
    ("content", "code", "named"),
    [
        (b"", "empty_file", "header"),
        (b"sentence\n", "empty_file", "no rows"),
        (b"text\nHe ran.\n", "missing_column", "available: text"),
        (b"sentence,sentence\na,b\n", "doubled_column", "'sentence'"),
        (b"sentence\nHe ran.\nHe ran, she sang.\n", "ragged_row", "row 3"),
        (b"sentence\nHe ran.\nna\xefve\n", "wrong_encoding", "row 3"),
        ("sentence\nHe ran.\n".encode("utf-16"), "wrong_encoding", "UTF-16"),
        (b'sentence\n"He ran.\n', "damaged_file", "row 2"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_place_and_nothing_is_written(
    given, content, code, named
):
    before = components(given)
    given.write_bytes(content)
    message = refusal(given)
    assert message.endswith(f"[{code}]")
    assert named in message
    assert sorted(path.name for path in given.parent.iterdir()) == ["given.csv", "out.csv"]
    with (given.parent / "out.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file)) == before


def test_a_missing_file_and_a_missing_folder_are_refused(given, tmp_path):
    assert refusal(tmp_path / "nothing.csv").endswith("[no_such_file]")
    assert refusal(given, f"--out={tmp_path / 'nowhere' / 'out.csv'}").endswith("[unwritable_file]")


def test_an_unknown_extractor_is_refused_with_those_that_there_are(given):
    assert "use built-in, spacy:NAME" in refusal(given, "--extractor=other")
    assert refusal(given, "--extractor=spacy:").endswith("[unknown_extractor]")


def test_a_pipeline_that_is_not_installed_is_refused_with_what_to_do(given):
    message = refusal(given, "--extractor=spacy:no_such_pipeline")
    assert "python -m spacy download no_such_pipeline" in message
    missing = "spacy_missing" if importlib.util.find_spec("spacy") is None else "pipeline_missing"
    assert message.endswith(f"[{missing}]")
