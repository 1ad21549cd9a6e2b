"""`metaeval`: correlations of two files without a database; refusals name rows and end with status 2."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.meta_evaluation import evaluate_metrics
from tests.stats.measured_samples import measured

RATINGS = "item,rater,criterion,value\na,1,q,3\na,2,q,4\nb,1,q,2\nb,2,q,1\nc,1,q,5\n"
SCORES = "item,metric,value\na,m,0.3\nb,m,0.1\nc,m,0.4\n"
WRITE = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "tsv": lambda frame, path: frame.to_csv(path, sep="\t", index=False),
    "jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "parquet": lambda frame, path: frame.to_parquet(path),
}


def metaeval(ratings: Path | str, scores: Path | str, *options: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command(
        "metaeval", str(ratings), str(scores), "--json=-", "--bootstrap=30", "--seed=1", *options, stdout=out
    )
    result: dict[str, Any] = json.loads(out.getvalue())
    return result


def refusal(*arguments: Any) -> str:
    with pytest.raises(CommandError) as caught:
        metaeval(*arguments)
    assert caught.value.returncode == 2
    assert "\n" not in str(caught.value)
    return str(caught.value)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def long_ratings(items: MeasuredItems) -> pd.DataFrame:
    """Two ratings an item whose means are the items' own, with groups and systems."""
    rows = [
        (item, f"R-{rater}", criterion, items.human[place, column] + side)
        for place, item in enumerate(items.items)
        for column, criterion in enumerate(items.criteria)
        for rater, side in ((1, 0.5), (2, -0.5))
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "criterion", "value"])
    places = {
        item: (items.groups[items.unit_codes[place]], items.systems[code])
        for place, (item, code) in enumerate(zip(items.items, systems_of(items), strict=True))
    }
    frame["group"] = [places[item][0] for item in frame["item"]]
    frame["system"] = [places[item][1] for item in frame["item"]]
    return frame


def systems_of(items: MeasuredItems) -> Any:
    assert items.system is not None
    return items.system


def long_scores(items: MeasuredItems) -> pd.DataFrame:
    frame = pd.DataFrame(items.scores, list(items.items), list(items.metrics))
    return frame.rename_axis("item").reset_index().melt("item", var_name="metric")


@pytest.fixture
def items() -> MeasuredItems:
    return measured(3)


@pytest.fixture
def paths(tmp_path, items):
    long_ratings(items).to_csv(tmp_path / "ratings.csv", index=False)
    long_scores(items).to_csv(tmp_path / "scores.csv", index=False)
    return tmp_path / "ratings.csv", tmp_path / "scores.csv"


def comparable(rows):
    return [{key: row[key] for key in row if key not in {"n_raters", "n_ratings"}} for row in rows]


@pytest.mark.parametrize("ending", WRITE)
def test_every_format_gives_the_librarys_figures(tmp_path, items, ending):
    ratings, scores = tmp_path / f"ratings.{ending}", tmp_path / f"scores.{ending}"
    WRITE[ending](long_ratings(items), ratings)
    WRITE[ending](long_scores(items), scores)
    found = metaeval(ratings, scores)["results"]
    expected = [figure.to_row() for figure in evaluate_metrics(items, replicates=30, seed=1).figures]
    assert comparable(found) == comparable(expected)
    assert {(row["n_raters"], row["n_ratings"]) for row in found} == {(2, 64)}


def printed(ratings: Path, scores: Path) -> list[str]:
    out = io.StringIO()
    call_command("metaeval", str(ratings), str(scores), "--bootstrap=30", "--seed=1", stdout=out)
    return out.getvalue().splitlines()


def test_items_of_groups_have_no_p_and_each_interval_its_method_and_caution(paths):
    """The p of a correlation takes pairs for independent, which items of one group are not."""
    rows = metaeval(*paths)["results"]
    assert {row["p"] is None for row in rows if row["level"] == "item"} == {True}
    assert {row["p"] is None for row in rows if row["level"] == "group"} == {False}
    lines = printed(*paths)
    assert "Item level has no p" in lines[-2]
    methods = "delta:groups, hierarchical-bootstrap:groups, percentile-bootstrap:groups"
    assert lines[-1].startswith(f"95% CI: {methods}; 30 bootstrap samples, seed 1; ")
    by_level = {"item": "percentile-bootstrap", "group": "percentile-bootstrap", "system": "delta|hierarch"}
    for line in lines[2:-2]:
        level = line.partition(" ")[0]
        assert re.search(rf"({by_level[level]}\S*):groups +few groups$", line), line


def test_over_systems_the_table_names_what_both_intervals_hold_for(tmp_path):
    ratings, scores = tmp_path / "ratings.csv", tmp_path / "scores.csv"
    many = measured(3, systems=6)
    long_ratings(many).to_csv(ratings, index=False)
    long_scores(many).to_csv(scores, index=False)
    lines = printed(ratings, scores)
    assert re.search(r"p +CI and p for +95% CI, new systems +p, new systems", lines[1])
    of_systems = [line for line in lines if line.startswith("system ")]
    assert all(re.search(r" these systems +-?[\d.]+ to -?[\d.]+ +[\d.e-]+ ", line) for line in of_systems)
    assert all(" new groups " in line for line in lines[2:-2] if not line.startswith("system "))
    assert "fisher-z:systems" in lines[-1]


def test_independent_items_have_a_p(tmp_path, items):
    ratings, scores = tmp_path / "ratings.csv", tmp_path / "scores.csv"
    long_ratings(items).drop(columns=["group", "system"]).to_csv(ratings, index=False)
    long_scores(items).to_csv(scores, index=False)
    assert {row["p"] is None for row in metaeval(ratings, scores)["results"]} == {False}
    assert not any("Item level has no p" in line for line in printed(ratings, scores))


def test_groups_and_systems_may_be_in_the_file_of_scores(tmp_path, items, paths):
    ratings = long_ratings(items)
    places = ratings.drop_duplicates("item")[["item", "group", "system"]]
    ratings.drop(columns=["group", "system"]).to_csv(tmp_path / "bare.csv", index=False)
    long_scores(items).merge(places).to_csv(tmp_path / "placed.csv", index=False)
    assert metaeval(tmp_path / "bare.csv", tmp_path / "placed.csv") == metaeval(*paths)


def test_a_file_comes_from_standard_input(paths, monkeypatch):
    class Pipe:
        buffer = io.BytesIO(paths[0].read_bytes())

    monkeypatch.setattr(sys, "stdin", Pipe)
    assert metaeval("-", paths[1]) == metaeval(*paths)


def test_levels_and_coefficients_are_those_asked_for(paths):
    rows = metaeval(*paths, "--level=system", "--level=item", "--coefficient=kendall")["results"]
    assert [(row["level"], row["coefficient"]) for row in rows[::6]] == [
        ("system", "kendall"),
        ("item", "kendall"),
    ]


def test_without_groups_and_systems_only_items_are_correlated(tmp_path):
    ratings, scores = write(tmp_path, "r.csv", RATINGS), write(tmp_path, "s.csv", SCORES)
    assert {row["level"] for row in metaeval(ratings, scores)["results"]} == {"item"}


def test_a_system_is_left_out(paths, items):
    found = metaeval(*paths, "--without=system 2")["results"]
    expected = evaluate_metrics(items.only(without=["system 2"]), replicates=30, seed=1).figures
    assert comparable(found) == comparable(figure.to_row() for figure in expected)
    assert "available: system 0" in refusal(*paths, "--without=system 9")


def test_what_does_not_count_is_left_out_and_counted(tmp_path, items, paths):
    more = long_ratings(items).assign(current="true", excluded="false", late="false", cannot_rate="false")
    wrong = more.head(4).assign(value=9)
    extra = [
        wrong.iloc[:1].assign(current="false"),
        wrong.iloc[1:2].assign(rater="R-9", excluded="true"),
        wrong.iloc[2:3].assign(rater="R-8", late="true"),
        wrong.iloc[3:].assign(rater="R-7", value="", cannot_rate="true"),
    ]
    marked = tmp_path / "marked.csv"
    pd.concat([more, *extra]).to_csv(marked, index=False)
    left, right = metaeval(*paths), metaeval(marked, paths[1])
    assert [row["estimate"] for row in right["results"]] == [row["estimate"] for row in left["results"]]
    counted = {"cannot_rate": 1, "late": 1, "superseded": 1, "missing_scores": 0}
    assert right["data"]["set_apart"] == counted


def test_the_table_for_people_names_every_figure(paths):
    out = io.StringIO()
    call_command("metaeval", *map(str, paths), "--bootstrap=0", "--level=item", stdout=out)
    first, heading, *lines, _, how = out.getvalue().splitlines()
    assert first.startswith("32 items, 8 groups, 4 systems")
    assert heading.split()[:4] == ["level", "coefficient", "criterion", "metric"]
    assert len(lines) == 3 * 2 * 3
    assert all("not requested" in line for line in lines)
    assert how.startswith("no confidence intervals; 0 bootstrap samples, seed ")


@pytest.mark.parametrize(
    ("ratings", "scores", "code", "part"),
    [
        ("item,rater,criterion\na,1,q\n", SCORES, "missing_column", "r.csv: column value"),
        (RATINGS, "item,value\na,1\n", "missing_column", "s.csv: column metric"),
        (RATINGS + "a,1,q,5\n", SCORES, "duplicate_rating", "r.csv: rows 2, 7"),
        (RATINGS, SCORES + "b,m,0.2\n", "duplicate_score", "s.csv: rows 3, 5"),
        (RATINGS + "d,1,q,six\n", SCORES, "not_a_number", "r.csv: row 7: column value"),
        (RATINGS, SCORES + "d,m,high\n", "not_a_number", "s.csv: row 5: column value"),
        (RATINGS, SCORES + ",m,1\n", "missing_label", "s.csv: row 5: column item"),
        (RATINGS, SCORES + "a,m,1,2,3\n", "damaged_file", "s.csv"),
        ("", SCORES, "empty_file", "r.csv"),
        (RATINGS, "item,metric,value\n", "empty_file", "s.csv"),
        (RATINGS, "item,metric,value\nx,m,1\n", "no_shared_items", "keys"),
        (
            RATINGS,
            "item,metric,value,group\na,m,1,g\na,k,1,h\n",
            "conflicting_group",
            "item 'a' is in 'g' and 'h'",
        ),
        (RATINGS, "item,metric,value,system\na,m,1,s\nb,m,2,\n", "partly_system", "item b"),
    ],
)
def test_a_broken_file_is_refused_with_its_rows(tmp_path, ratings, scores, code, part):
    message = refusal(write(tmp_path, "r.csv", ratings), write(tmp_path, "s.csv", scores))
    assert f"[{code}]" in message
    assert part in message


def test_an_empty_score_is_missing_and_counted(tmp_path):
    ratings = write(tmp_path, "r.csv", RATINGS)
    found = metaeval(
        ratings, write(tmp_path, "s.csv", SCORES + "b,k,\na,k,1\nc,k,2\n"), "--coefficient=pearson"
    )
    assert found["data"]["set_apart"]["missing_scores"] == 1
    assert [(row["metric"], row["n_items"], row["n_dropped"]) for row in found["results"]] == [
        ("m", 3, 0),
        ("k", 2, 1),
    ]


def test_options_that_mean_nothing_are_refused(paths):
    assert "[bad_option]" in refusal("-", "-")
    assert "[bad_option]" in refusal(*paths, "--bootstrap=-1")
    assert "[bad_option]" in refusal(*paths, "--seed=-1")


def test_the_seed_comes_from_the_data_unless_given(paths):
    def interval(*options: str) -> tuple[float, float]:
        out = io.StringIO()
        call_command("metaeval", *map(str, paths), "--json=-", "--bootstrap=30", *options, stdout=out)
        row = json.loads(out.getvalue())["results"][0]
        return row["low"], row["high"]

    assert interval() == interval()
    assert not np.allclose(interval("--seed=1"), interval("--seed=2"))


def test_pairwise_accuracy_turns_a_metric_by_its_declared_direction(paths):
    found = metaeval(*paths, "--pairwise", "--level=group")["results"]
    assert {(row["grouping"], row["estimate"] is None) for row in found} == {("group", False)}
    turned = metaeval(*paths, "--pairwise", "--level=group", "--lower=metric 0")["results"]
    for one, other in zip(found, turned, strict=True):
        assert (one == other) == (one["metric"] != "metric 0")
    assert "[unknown_metric]" in refusal(*paths, "--pairwise", "--lower=nothing")
