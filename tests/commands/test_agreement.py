"""`agreement`: figures of a file without a database; refusals name rows and end with status 2."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from tests.stats.declared import OF_CATEGORIES
from tests.stats.samples import figures_of, likert, long_form

KEYS = {
    "criterion",
    "coefficient",
    "variant",
    "estimate",
    "low",
    "high",
    "confidence",
    "interval_method",
    "n_items",
    "n_raters",
    "n_ratings",
    "reason",
    "signature",
}


def agreement(path: Path | str, *options: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("agreement", str(path), "--json=-", "--bootstrap=50", "--seed=1", *options, stdout=out)
    result: dict[str, Any] = json.loads(out.getvalue())
    return result


def refusal(path: Path, *options: str) -> str:
    with pytest.raises(CommandError) as caught:
        agreement(path, *options)
    assert caught.value.returncode == 2
    return str(caught.value)


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "ratings.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def frame() -> pd.DataFrame:
    return long_form(likert(3, 30, 4, missing=0.2))


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_every_format_gives_the_librarys_figures(tmp_path, frame, ending):
    path = tmp_path / f"ratings.{ending}"
    write_as = {
        "csv": lambda: frame.to_csv(path, index=False),
        "tsv": lambda: frame.to_csv(path, sep="\t", index=False),
        "jsonl": lambda: frame.to_json(path, orient="records", lines=True),
        "parquet": lambda: frame.to_parquet(path),
    }
    write_as[ending]()
    found = agreement(path)["results"]
    expected = [figure.to_row() for figure in figures_of(frame, replicates=50, seed=1).values()]
    estimates = {(row["coefficient"], row["variant"]): row["estimate"] for row in found}
    assert estimates == {(row["coefficient"], row["variant"]): row["estimate"] for row in expected}
    assert all(set(row) == KEYS for row in found)
    assert all((row["estimate"] is None) == bool(row["reason"]) for row in found)


def test_what_does_not_count_is_left_out_and_counted(tmp_path, frame):
    plain = tmp_path / "plain.csv"
    frame.to_csv(plain, index=False)
    more = frame.assign(
        current="true", excluded="false", exclusion_rule="", late="false", cannot_rate="false"
    )
    wrong = more.head(7).assign(value=1)
    extra = [
        wrong.iloc[:2].assign(current="false"),
        wrong.iloc[2:5].assign(item="x", excluded="true", exclusion_rule="too fast"),
        wrong.iloc[5:6].assign(item="y", late="true"),
        wrong.iloc[6:].assign(item="z", value="", cannot_rate="true"),
    ]
    marked = tmp_path / "marked.csv"
    pd.concat([more, *extra]).to_csv(marked, index=False)
    left, right = agreement(plain), agreement(marked)
    assert [row["estimate"] for row in right["results"]] == [row["estimate"] for row in left["results"]]
    assert right["data"]["excluded"] == {"too fast": 3}
    assert right["data"]["set_apart"] == {"cannot_rate": 1, "late": 1, "superseded": 2}


def test_a_file_of_slots_has_no_figures_of_persons(tmp_path, frame):
    path = tmp_path / "slots.csv"
    frame.rename(columns={"rater": "slot"}).to_csv(path, index=False)
    reasons = {row["coefficient"]: row["reason"] for row in agreement(path)["results"]}
    assert reasons["icc2"] == reasons["held_out_pearson"] == "anonymous_raters"
    assert reasons["icc1"] == reasons["alpha"] == ""


def test_the_declared_scale_counts_in_gwets_coefficients(tmp_path):
    path = write(tmp_path, "item,rater,criterion,value\na,1,q,1\na,2,q,1\nb,1,q,2\nb,2,q,1\n")
    variants = {row["coefficient"]: row["variant"] for row in agreement(path, "--scale=1-5")["results"]}
    assert variants["ac1"] == "q=5"


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("item,rater,criterion\na,1,q\n", "missing_column", "column value is missing"),
        ("item,group,simile\na,1,It rained.\n", "missing_column", "one row per rating"),
        ("item,rater,criterion,value\na,1,q,3\na,1,q,4\n", "duplicate_rating", "rows 2, 3"),
        ("item,rater,criterion,value\na,1,q,3\na,2,q,six\n", "not_a_number", "row 3"),
        ("item,rater,criterion,value\na,1,q,3\na,2,q,inf\n", "not_a_number", "row 3"),
        ("item,rater,criterion,value\na,1,q,3\n,2,q,4\n", "missing_label", "row 3: column item"),
        ("item,rater,criterion,value,late\na,1,q,3,maybe\n", "not_yes_or_no", "row 2: column late"),
        ("item,item,rater,criterion,value\na,a,1,q,3\n", "doubled_column", "column item"),
        ("", "empty_file", "empty"),
        ("item,rater,criterion,value\n", "empty_file", "no rows"),
    ],
)
def test_a_broken_file_is_refused_with_its_rows(tmp_path, text, code, part):
    message = refusal(write(tmp_path, text))
    assert f"[{code}]" in message
    assert part in message


def test_a_value_outside_the_scale_is_refused_with_its_row(tmp_path):
    path = write(tmp_path, "item,rater,criterion,value\na,1,q,3\na,2,q,6\n")
    message = refusal(path, "--scale=1-5")
    assert "row 3" in message
    assert "outside the scale 1 to 5" in message


def test_text_in_another_encoding_is_refused_with_its_row(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_bytes("item,rater,criterion,value\na,1,q,3\né,1,q,3\n".encode("latin-1"))
    assert "row 3: not UTF-8" in refusal(path)


def test_the_table_for_people_ends_with_how_it_was_computed(tmp_path, frame):
    path = tmp_path / "ratings.csv"
    frame.to_csv(path, index=False)
    out = io.StringIO()
    call_command("agreement", str(path), "--bootstrap=50", "--seed=7", stdout=out)
    how = out.getvalue().splitlines()[-1]
    assert how.startswith("95% CI: ")
    assert "percentile-bootstrap:items" in how
    assert "; 50 bootstrap samples, seed 7; groundwork " in how


def table_of(path: Path, *options: str) -> list[dict[str, str]]:
    """The printed table, by the columns of its heading."""
    out = io.StringIO()
    call_command("agreement", str(path), "--bootstrap=50", "--seed=7", *options, stdout=out)
    heading, *lines = out.getvalue().splitlines()[1:-1]
    names = re.split(r" {2,}", heading)
    starts = [heading.index(name) for name in names]
    return [
        {
            name: line[start:end].strip()
            for name, start, end in zip(names, starts, [*starts[1:], None], strict=True)
        }
        for line in lines
    ]


def test_each_printed_interval_has_its_method_and_its_cautions(tmp_path):
    path = tmp_path / "ratings.csv"
    long_form(likert(3, 12, 4, missing=0.3)).to_csv(path, index=False)
    rows = {(row["coefficient"], row["variant"]): row for row in table_of(path)}
    alpha = rows["alpha", "ordinal"]
    assert (alpha["CI method"], alpha["cautions"]) == ("percentile-bootstrap:items", "few items")
    (icc2k,) = (row for (key, _), row in rows.items() if key == "icc2k")
    assert icc2k["CI method"] == "generalised pivots of the components"
    assert re.search(r"0\.\d{3} for k=[\d.]+, the mean number of ratings", icc2k["cautions"])


def test_a_limit_moved_to_the_end_of_the_range_is_named(tmp_path):
    path = tmp_path / "ratings.csv"
    opposed = [[5, 1], [1, 5], [1, 3], [1, 2], [3, 3], [3, 1]]
    long_form(opposed).to_csv(path, index=False)
    cautions = {row["coefficient"]: row["cautions"] for row in table_of(path)}
    assert cautions["icc2"] == "limit at the end of the range"


def test_a_declared_scale_counts_half_steps(tmp_path, frame):
    path = tmp_path / "ratings.csv"
    frame.assign(value=(frame["value"] + 1) / 2).to_csv(path, index=False)
    variants = {row["coefficient"]: row["variant"] for row in agreement(path, "--scale=1-5")["results"]}
    assert (variants["ac1"], variants["ac2"]) == ("q=9", "quadratic, q=9")


@pytest.mark.parametrize("unit", ["e200", "e-300"])
def test_very_large_and_very_small_ratings_have_figures(tmp_path, frame, unit):
    path = tmp_path / "ratings.csv"
    frame.assign(value=[f"{value:.0f}{unit}" for value in frame["value"]]).to_csv(path, index=False)
    reasons = {row["coefficient"]: row["reason"] for row in agreement(path)["results"]}
    assert reasons["alpha"] == reasons["icc2"] == reasons["held_out_pearson"] == ""


def test_a_value_that_is_too_large_is_refused_with_its_row(tmp_path):
    path = write(tmp_path, "item,rater,criterion,value\na,1,q,3\na,2,q,1e305\n")
    assert "row 3: column value: beyond ±1e+300; use a larger unit [value_too_large]" in refusal(path)


def test_a_scale_from_0_to_100_is_refused_where_categories_are_needed(tmp_path, frame):
    path = tmp_path / "ratings.csv"
    frame.assign(value=frame["value"] * 20).to_csv(path, index=False)
    reasons = {row["coefficient"]: row["reason"] for row in agreement(path, "--scale=0-100")["results"]}
    refused = {key for key, reason in reasons.items() if reason == "continuous_scale"}
    assert refused == OF_CATEGORIES
    assert {"fleiss", "ac1", "ac2", "exact"} <= refused
    assert reasons["alpha"] == reasons["icc2"] == ""


@pytest.mark.parametrize("option", ["--bootstrap=0", "--bootstrap=100001", "--seed=-1", "--seed=4294967296"])
def test_a_number_outside_its_range_is_refused_with_the_option_and_the_range(tmp_path, frame, option):
    path = tmp_path / "ratings.csv"
    frame.to_csv(path, index=False)
    name, _, number = option.partition("=")
    message = refusal(path, option)
    assert message.startswith(f"{name} is {number}. Enter a whole number from ")
    assert message.endswith(" [bad_option]")


@pytest.mark.parametrize("scale", ["1-inf", "1-nan", "nan-5", "5-1"])
def test_a_scale_without_two_finite_ends_in_order_is_refused(tmp_path, frame, scale):
    path = tmp_path / "ratings.csv"
    frame.to_csv(path, index=False)
    with pytest.raises(CommandError, match="enter the lowest and the highest value"):
        agreement(path, f"--scale={scale}")


def test_a_json_file_that_cannot_be_written_is_named(tmp_path, frame):
    path, target = tmp_path / "ratings.csv", tmp_path / "nowhere" / "figures.json"
    frame.to_csv(path, index=False)
    with pytest.raises(
        CommandError, match=f"^{target} cannot be written: No such file or directory.$"
    ) as caught:
        call_command("agreement", str(path), f"--json={target}", "--bootstrap=20")
    assert caught.value.returncode == 2


def test_intervals_for_new_raters_are_given_with_those_for_these_raters(tmp_path):
    path = tmp_path / "ratings.csv"
    long_form(likert(1, 12, 5)).to_csv(path, index=False)
    out = io.StringIO()
    call_command("agreement", str(path), "--bootstrap=50", "--seed=1", "--new-raters", stdout=out)
    method = "pigeonhole-jackknife-t:items+raters"
    for part in ("95% CI, new raters", "new items rated by new raters", method):
        assert part in out.getvalue()
    found = agreement(path, "--new-raters")
    alpha, new = (
        next(one for one in found[key] if one["coefficient"] == "alpha") for key in ("results", "new_raters")
    )
    assert alpha["estimate"] == new["estimate"]
    assert alpha["low"] != new["low"]
    assert "caution:few_items" in new["signature"]
    ac2 = next(one for one in found["new_raters"] if one["coefficient"] == "ac2")
    assert "caution:few_raters" in ac2["signature"]
