"""`replicate`: refusals name the file, the row and the column, and end with status 2."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from scoring.replication.cells import Cell
from scoring.replication.hauser.data import LABELS, METRICS, SUB_METRICS
from scoring.replication.printing import as_text
from scoring.replication.registry import REPLICATIONS

COLUMNS = ("similes", "components", "literal_sentences", *LABELS, *METRICS, *SUB_METRICS)


def write(folder: Path, rows: list[dict[str, object]], columns: tuple[str, ...] = COLUMNS) -> None:
    with (folder / "human_annotated.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def row(number: int, **changed: object) -> dict[str, object]:
    values: dict[str, object] = dict.fromkeys(LABELS, number % 5 + 1)
    values |= dict.fromkeys((*METRICS, *SUB_METRICS), number * 7 % 11 / 10)
    texts = {
        "similes": f"s{number}",
        "components": "[('t', 'a v', 'e')]",
        "literal_sentences": f"l{number // 4}",
    }
    return values | texts | changed


def refusal(folder: Path) -> CommandError:
    with pytest.raises(CommandError) as caught:
        call_command("replicate", "hauser", data=folder)
    return caught.value


def test_a_missing_file_is_refused(tmp_path):
    error = refusal(tmp_path)
    assert (error.returncode, "missing_file" in str(error)) == (2, True)
    assert "human_annotated.csv" in str(error)


def test_a_missing_column_is_named(tmp_path):
    write(tmp_path, [row(1)], tuple(name for name in COLUMNS if name != "meteor"))
    error = refusal(tmp_path)
    assert (error.returncode, "column meteor is missing" in str(error)) == (2, True)


def test_text_where_a_number_belongs_is_refused_with_its_row_and_column(tmp_path):
    write(tmp_path, [row(1), row(2), row(3, BLEU2="high")])
    error = refusal(tmp_path)
    assert error.returncode == 2
    assert "row 4, column BLEU2: 'high' is not a number" in str(error)


@pytest.mark.parametrize(("content", "code"), [(b"", "empty_file"), (b"\xff\xfe\x00", "bad_encoding")])
def test_an_empty_or_wrongly_encoded_file_is_refused(tmp_path, content, code):
    (tmp_path / "human_annotated.csv").write_bytes(content)
    assert code in str(refusal(tmp_path))


def test_the_number_of_reproduced_figures_comes_first(tmp_path, capsys):
    write(tmp_path, [row(number) for number in range(24)])
    call_command("replicate", "hauser", data=tmp_path)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "HAUSER: He et al., ACL 2023"
    assert lines[1].endswith("printed results that can be computed are reproduced")


def test_the_lines_before_the_last_table_define_every_figure_and_name_what_is_drawn(tmp_path, capsys):
    write(tmp_path, [row(number) for number in range(24)])
    call_command("replicate", "hauser", data=tmp_path)
    how = capsys.readouterr().out.partition("How the results were computed:")[2].partition("\n\n")[0]
    assert "  heldout_pearson: Pearson's r of each rater with the mean of the others" in how
    assert how.rstrip().endswith("so there is no seed.")


def test_figures_that_are_drawn_have_replicates_and_a_seed():
    cell = Cell("hanna/pairs", "Figure 26", "rouge", "coherence", "0.5", 0.5, "reproduces", "pair_f1")
    (line,) = [line for line in as_text(REPLICATIONS["hanna"], [cell]) if line.startswith("  pair_f1: ")]
    assert line.endswith("1,000 bootstrap samples, seed 2022")


def test_the_last_table_says_what_could_be_checked_and_why_the_rest_could_not(tmp_path, capsys):
    write(tmp_path, [row(number) for number in range(24)])
    call_command("replicate", "hauser", data=tmp_path)
    table = capsys.readouterr().out.partition("What could be checked:\n")[2].splitlines()
    assert table[0].split("  ")[1] == "source"
    (before,) = [line for line in table if line.startswith("  Table 2 (Before)")]
    assert before.split()[3:8] == ["the", "paper", "12", "0", "0"]
    assert before.endswith("the ratings before the removal are not public")
