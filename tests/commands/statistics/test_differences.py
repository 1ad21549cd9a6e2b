"""`agreement --compare` and `--other`: two criteria or two files, and equivalence only with a margin."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from tests.stats.samples import likert, long_form


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    first = long_form(likert(1, 30, 3)).assign(criterion="q")
    second = long_form(likert(2, 30, 3)).assign(criterion="r")
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    pd.concat([first, second]).to_csv(one, index=False)
    long_form(likert(3, 25, 4)).assign(criterion="q").to_csv(other, index=False)
    return one, other


def compared(*arguments: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("agreement", *arguments, "--bootstrap=50", "--seed=1", "--json=-", stdout=out)
    rows: list[dict[str, Any]] = json.loads(out.getvalue())["results"]
    return rows


def test_criteria_of_a_file_are_paired_and_files_independent(files):
    one, other = map(str, files)
    paired = compared(one, "--compare", "q", "r", "--coefficient", "icc3k", "--scale=1-5")[0]
    assert (paired["design"], paired["n_shared"], paired["feldt_p"]) == ("paired", 30, None)
    assert paired["estimate"] == pytest.approx(paired["first"] - paired["second"])
    independent = compared(one, "--other", other, "--coefficient", "icc3k", "--scale=1-5")
    assert [(row["first_criterion"], row["design"]) for row in independent] == [("q", "independent")]
    assert 0 <= independent[0]["feldt_p"] <= 1


def test_no_verdict_without_a_margin(files):
    one = str(files[0])
    assert "equivalence" not in compared(one, "--compare", "q", "r", "--scale=1-5")[0]
    rows = compared(one, "--compare", "q", "r", "--scale=1-5", "--margin=1.9")
    assert {row["equivalence"] for row in rows} == {"equivalent"}


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--compare", "q", "r", "--other", "f.csv"], "bad_option"),
        (["--compare", "q", "s"], "unknown_criterion"),
        (["--other", "none.csv"], "no_such_file"),
        (["--compare", "q", "r", "--new-raters"], "--new-raters has no effect with --compare"),
        (["--compare", "q", "r", "--same-items"], "--same-items has no effect with --compare"),
        (["--other", "f.csv", "--bca"], "--bca has no effect with --other"),
        (["--margin=0.1"], "--margin has no effect without --compare or --other"),
    ],
)
def test_what_cannot_be_compared_is_refused(files, options, code):
    with pytest.raises(CommandError, match=code) as caught:
        compared(str(files[0]), *options)
    assert caught.value.returncode == 2


def test_a_difference_of_few_items_is_printed_with_its_caution(files):
    out = io.StringIO()
    few = ("--compare", "q", "r", "--coefficient=icc2", "--bootstrap=50", "--seed=1")
    frame = pd.read_csv(files[0])
    frame[frame["item"].isin(frame["item"].unique()[:12])].to_csv(files[0], index=False)
    call_command("agreement", str(files[0]), *few, stdout=out)
    assert [line.rstrip().endswith("few items") for line in out.getvalue().splitlines()[:2]] == [False, True]


def test_only_the_criteria_asked_for_are_compared_between_files(files):
    one = str(files[0])
    rows = compared(one, "--other", one, "--same-items", "--criterion=r", "--coefficient=icc2", "--scale=1-5")
    assert [row["first_criterion"] for row in rows] == ["r"]
