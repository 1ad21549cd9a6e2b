"""`agreement` reads files with a column for each criterion or rater; rows keep their numbers in messages."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from tests.stats.samples import likert, long_form

QUICK = ("--json=-", "--bootstrap=20", "--seed=1")
HEAD = "set,story,worker,humour,clarity\n"
ROWS = "x,1,ann,4,5\nx,1,bob,3,\ny,1,ann,2,2\ny,1,bob,2,3\n"
NAMED = (
    "--item=set",
    "--item=story",
    "--rater=worker",
    "--criterion-column=humour",
    "--criterion-column=clarity",
)


def estimates(path: Path, *options: str) -> dict[tuple[str, str, str], float | None]:
    out = io.StringIO()
    call_command("agreement", str(path), *QUICK, *options, stdout=out)
    rows = json.loads(out.getvalue())["results"]
    return {(row["criterion"], row["coefficient"], row["variant"]): row["estimate"] for row in rows}


def refusal(path: Path, *options: str) -> str:
    with pytest.raises(CommandError) as caught:
        estimates(path, *options)
    assert caught.value.returncode == 2
    return str(caught.value)


def write(folder: Path, text: str) -> Path:
    path = folder / "ratings.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def two_criteria() -> pd.DataFrame:
    both = (
        long_form(likert(seed, 20, 4, missing=0.2), name) for seed, name in ((1, "clarity"), (2, "humour"))
    )
    return pd.concat(both)


def test_a_column_for_each_criterion_gives_the_figures_of_the_long_form(
    tmp_path: Path, two_criteria: pd.DataFrame
) -> None:
    two_criteria.to_csv(tmp_path / "long.csv", index=False)
    wide = two_criteria.pivot(index=["item", "rater"], columns="criterion", values="value").reset_index()
    wide = wide.assign(set=wide["item"].str[:7], number=wide["item"].str[7:], worker=wide["rater"])
    wide.drop(columns=["item", "rater"]).to_csv(tmp_path / "wide.csv", index=False)
    columns = ("--item=set", "--item=number", "--rater=worker")
    found = estimates(
        tmp_path / "wide.csv", *columns, "--criterion-column=clarity", "--criterion-column=humour"
    )
    assert found == pytest.approx(estimates(tmp_path / "long.csv"), abs=1e-12, nan_ok=True)


def test_a_column_for_each_rater_gives_the_figures_of_the_long_form(tmp_path: Path) -> None:
    frame = long_form(likert(3, 20, 4, missing=0.2), "rating")
    frame.to_csv(tmp_path / "long.csv", index=False)
    matrix = frame.pivot(index="item", columns="rater", values="value").reset_index()
    matrix.to_csv(tmp_path / "matrix.csv", index=False)
    raters = [f"--rater-column={name}" for name in frame["rater"].unique()]
    found = estimates(tmp_path / "matrix.csv", *raters)
    assert found == pytest.approx(estimates(tmp_path / "long.csv"), abs=1e-12, nan_ok=True)


def test_items_that_share_a_number_in_two_sets_are_two_items(tmp_path: Path) -> None:
    out = io.StringIO()
    call_command("agreement", str(write(tmp_path, HEAD + ROWS)), *QUICK, *NAMED, stdout=out)
    counts = {row["criterion"]: row["n_items"] for row in json.loads(out.getvalue())["results"]}
    assert counts["humour"] == 2


def test_messages_name_the_rows_of_the_file(tmp_path: Path) -> None:
    text = HEAD + ROWS.replace("y,1,ann,2,2", "y,1,ann,2,two")
    assert "row 4: column value" in refusal(write(tmp_path, text), *NAMED)


@pytest.mark.parametrize(
    ("options", "code", "part"),
    [
        ((), "missing_column", "--criterion-column"),
        (("--item=place",), "missing_column", "column place is missing"),
        (("--item=set", "--rater=set"), "doubled_column", "column set"),
        ((*NAMED, "--rater-column=clarity"), "bad_option", "not both"),
    ],
)
def test_columns_that_do_not_fit_are_refused(
    tmp_path: Path, options: tuple[str, ...], code: str, part: str
) -> None:
    message = refusal(write(tmp_path, HEAD + ROWS), *options)
    assert f"[{code}]" in message
    assert part in message
