"""`score FILE`: candidates in, scores out; what cannot be scored is refused with status 2 and its row."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

LITERAL = "The old bus climbed the hill slowly."
SIMILES = ["The old bus climbed the hill like a snail.", "The old bus climbed the hill like a kettle."]

# An installation without the worker extra, as its packages would tell it.
WITHOUT_TORCH = """
import importlib.metadata, sys
found = importlib.metadata.version
def version(name):
    if name in {"torch", "transformers"}:
        raise importlib.metadata.PackageNotFoundError(name)
    return found(name)
importlib.metadata.version = version
from django.core.management import execute_from_command_line
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.embedded"
execute_from_command_line(sys.argv[1:])
"""


def score(source: Path, *options: str) -> str:
    out = io.StringIO()
    call_command("score", str(source), "--profile=none", *options, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def lines(folder: Path, *rows: dict[str, object]) -> Path:
    path = folder / "similes.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def refusal(source: Path, *options: str) -> str:
    with pytest.raises(CommandError) as caught:
        score(source, *options)
    assert caught.value.returncode == 2
    return str(caught.value)


def read(path: Path) -> dict[tuple[str, str], dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return {(row["item"], row["metric"]): row for row in csv.DictReader(file)}


def test_candidates_of_a_literal_sentence_are_scored_together(tmp_path: Path) -> None:
    source, out = lines(tmp_path, {"literal": LITERAL, "candidates": SIMILES}), tmp_path / "scores.csv"
    score(source, f"--out={out}", "--metrics=length", "--weights=1,0,0")
    found = read(out)
    assert {found["G0001-1", "quality"]["value"], found["G0001-2", "quality"]["value"]} == {"0.0", "1.0"}
    assert float(found["G0001-1", "length"]["value"]) == 10
    logic = found["G0001-1", "logic"]
    assert (logic["value"], logic["reason"], logic["profile"]) == ("", "no_models", "none")


def test_a_table_with_a_candidate_a_row_gives_the_same_as_a_line_with_all_of_them(tmp_path: Path) -> None:
    table = tmp_path / "similes.csv"
    table.write_text("literal,simile\n" + "".join(f"{LITERAL},{text}\n" for text in SIMILES), "utf-8")
    together = lines(tmp_path, {"literal": LITERAL, "candidates": SIMILES})
    for number, source in enumerate((table, together)):
        score(source, f"--out={tmp_path / f'{number}.tsv'}", f"--explain={tmp_path / f'{number}.jsonl'}")
    assert len({(tmp_path / f"{number}.jsonl").read_text("utf-8") for number in (0, 1)}) == 1


@pytest.mark.parametrize(
    ("row", "part"),
    [
        ({"literal": LITERAL, "simile": " "}, "row 2, column 'simile': the text is empty"),
        ({"literal": LITERAL, "candidates": []}, "row 2, column 'candidates'"),
        ({"simile": SIMILES[0]}, "row 2, column 'literal': a candidate needs its literal sentence"),
        ({"literal": LITERAL, "simile": "A bell\x07."}, "control characters, U+0007 at character 7;"),
        ({"literal": "A\x00.", "simile": SIMILES[0]}, "row 2, column 'literal': the text contains control"),
        ({"literal": LITERAL, "candidates": [3]}, "row 2, column 'candidates': 3 is not a text"),
    ],
)
def test_bad_texts_are_refused_with_their_row_and_nothing_is_written(
    tmp_path: Path, row: dict[str, object], part: str
) -> None:
    source, out = lines(tmp_path, {"literal": LITERAL, "candidates": SIMILES}, row), tmp_path / "scores.csv"
    assert part in refusal(source, f"--out={out}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["similes.jsonl"]


@pytest.mark.parametrize(
    ("option", "code"),
    [
        ("--kb=nowhere", "no_such_base"),
        ("--weights=1,2", "bad_weights"),
        ("--weights=0,0,0", "bad_weights"),
        ("--metrics=beauty", "no_such_metric"),
        ("--profile=best", "no_such_profile"),
        ("--out=scores.doc", "unknown_format"),
        ("--out=/no/such/folder/scores.csv", "not_writable"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(tmp_path: Path, option: str, code: str) -> None:
    assert f"[{code}]" in refusal(lines(tmp_path, {"literal": LITERAL, "candidates": SIMILES}), option)


def test_where_models_are_not_installed_the_neural_parts_say_so_and_the_rest_is_computed(
    tmp_path: Path,
) -> None:
    source, out = lines(tmp_path, {"literal": LITERAL, "candidates": SIMILES}), tmp_path / "scores.csv"
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, "manage.py", "score", str(source), f"--out={out}"],
        env={**os.environ, "GROUNDWORK_VAR": str(tmp_path / "var")},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    found = read(out)
    assert found["G0001-1", "logic"]["reason"] == "models_not_installed"
    assert found["G0001-1", "quality"]["reason"] == "no_logic_sentiment"
    assert found["G0001-1", "creativity"]["value"]
    assert found["G0001-1", "creativity"]["caution"] == ""
    assert "models_not_installed" in done.stderr


def test_a_sentence_of_ten_thousand_words_is_scored(tmp_path: Path) -> None:
    long = "The bus crept like a snail " + " ".join(["and on"] * 5000) + "."
    out = tmp_path / "scores.csv"
    score(lines(tmp_path, {"literal": LITERAL, "candidates": [*SIMILES, long]}), f"--out={out}")
    assert read(out)["G0001-3", "creativity"]["value"] or read(out)["G0001-3", "creativity"]["reason"]


DAMAGED = [
    "The old bus\x92s climb was like a snail\x92s.",
    "The old bus climbed like a ke\x00ttle.",
    SIMILES[0],
]


def test_a_list_in_json_is_read_as_the_published_candidates_are_written(tmp_path: Path) -> None:
    source, out = tmp_path / "raw.json", tmp_path / "scores.csv"
    source.write_text(json.dumps([{"origin_sentence": LITERAL, "cands": SIMILES}]), encoding="utf-8")
    score(source, f"--out={out}")
    assert read(out)["G0001-2", "creativity"]["value"]
    source.write_text("{}", encoding="utf-8")
    assert "[not_a_list]" in refusal(source)
    source.write_text("[{", encoding="utf-8")
    assert "[damaged_file]" in refusal(source)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        (
            f'{{"literal": "a b", "literal": "{LITERAL}", "candidates": ["x like y"]}}',
            "'literal': a key appears",
        ),
        ('{"literal": NaN, "candidates": ["x like y"]}', "NaN is not a text"),
        ('{"literal": 5, "group": "g", "candidates": ["x like y"]}', "'literal': 5 is not a text"),
        ('{"literal": "a", "simile": "x like y", "references": [7]}', "'reference': 7 is not a text"),
        ('{"literal": "a", "candidates": [null]}', "null is not a text"),
    ],
)
def test_a_line_that_could_be_read_in_two_ways_is_refused(tmp_path: Path, line: str, part: str) -> None:
    source = tmp_path / "similes.jsonl"
    source.write_text(f"{line}\n", "utf-8")
    assert part in refusal(source, f"--out={tmp_path / 'scores.csv'}")
    assert not (tmp_path / "scores.csv").exists()


def messages_for(source: Path) -> str:
    errors = io.StringIO()
    call_command("score", str(source), "--profile=none", stdout=io.StringIO(), stderr=errors)
    return errors.getvalue()


def test_what_makes_a_score_mean_little_is_reported_in_words(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"literal": text, "group": "g", "simile": f"{text[:-1]} like a kettle."}
        for text in (LITERAL, "He sat.")
    ]
    messages = messages_for(lines(tmp_path, *rows, {"literal": "She sang.", "candidates": ["She sang."]}))
    assert "group 'g' has several literal sentences" in messages
    assert "groups with only 1 candidate: 1;" in messages
    assert "no_comparator: There is no comparator." in messages
    assert "no_logic_sentiment: Missing sub-scores: logical consistency, sentiment consistency." in messages


@pytest.mark.django_db
def test_a_name_that_is_neither_a_file_nor_a_study_is_refused() -> None:
    assert "no_such_study" in refusal(Path("nobody"))


def test_without_a_database_a_missing_file_is_still_reported_in_words(tmp_path: Path) -> None:
    settings = {"GROUNDWORK_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings.embedded"}
    found = subprocess.run(
        [sys.executable, "manage.py", "score", "nobody", "--profile=none"],
        capture_output=True,
        text=True,
        env={**os.environ, **settings},
        check=False,
    )
    assert found.returncode == 2
    assert "There is no file 'nobody'. The database is not set up." in found.stderr
    assert "Traceback" not in found.stderr


def test_skipped_texts_stay_in_their_group_without_values_and_say_why(tmp_path: Path) -> None:
    source, out = (
        lines(tmp_path, {"literal": LITERAL, "candidates": [*DAMAGED, " "]}),
        tmp_path / "scores.csv",
    )
    score(source, f"--out={out}", "--bad-texts=skip", "--weights=1,0,0")
    found = read(out)
    reasons = [found[f"G0001-{place}", "creativity"]["reason"] for place in (1, 2, 3, 4)]
    assert reasons == ["control_characters", "control_characters", "", "empty_text"]
    assert found["G0001-3", "relevance_normalised"]["value"] == "0.5"


def test_cleaned_texts_are_scored_as_they_were_meant_and_the_cleaning_is_reported(tmp_path: Path) -> None:
    source, errors = lines(tmp_path, {"literal": LITERAL, "candidates": DAMAGED}), io.StringIO()
    explained = tmp_path / "how.jsonl"
    call_command(
        "score",
        str(source),
        "--profile=none",
        "--bad-texts=clean",
        f"--explain={explained}",
        stdout=io.StringIO(),
        stderr=errors,
    )
    texts = [json.loads(line)["text"] for line in explained.read_text("utf-8").splitlines()[1:]]
    assert texts == [
        "The old bus’s climb was like a snail’s.",
        "The old bus climbed like a kettle.",
        SIMILES[0],
    ]
    assert "row 1, column 'candidates': cleaned of U+0092 at character 12 and 1 more" in errors.getvalue()
    assert "2 texts: control characters removed" in errors.getvalue()
    source = lines(tmp_path, {"literal": LITERAL, "candidates": ["\x07"]})
    assert "[empty_text]" in refusal(source, "--bad-texts=clean")
