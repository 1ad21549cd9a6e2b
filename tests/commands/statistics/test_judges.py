"""`metaeval --judges`: automatic judges next to raters, from two files without a database."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import RatingsTable
from scoring.stats.judges.alternative_annotator import alternative_annotator_test


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Four raters of 120 items; a good judge and a poor metric of these and of eighty others."""
    draw = np.random.default_rng(11)
    names = [f"i{place:03}" for place in range(200)]
    truth = draw.normal(3, 1, 200)
    rows = [
        (names[item], f"R-{rater}", "quality", int(np.clip(round(truth[item] + draw.normal(0, 0.6)), 1, 5)))
        for item in range(120)
        for rater in range(4)
    ]
    ratings, scores = tmp_path / "ratings.csv", tmp_path / "scores.csv"
    pd.DataFrame(rows, columns=["item", "rater", "criterion", "value"]).to_csv(ratings, index=False)
    judged = [
        (name, "good", value) for name, value in zip(names, np.clip(np.round(truth), 1, 5), strict=True)
    ]
    judged += [(name, "length", -100 * value) for name, value in zip(names, truth, strict=True)]
    pd.DataFrame(judged, columns=["item", "metric", "value"]).to_csv(scores, index=False)
    return ratings, scores


def printed(files: tuple[Path, Path], *options: str) -> str:
    out = io.StringIO()
    call_command("metaeval", *map(str, files), "--judges", "--bootstrap=50", "--seed=1", *options, stdout=out)
    return out.getvalue()


def results(files: tuple[Path, Path], *options: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(printed(files, "--json=-", *options))["results"]
    return found


def test_json_holds_the_test_as_the_library_computes_it_and_combined_means(files):
    good, length = results(files, "--epsilon=0.15")
    frame = pd.read_csv(files[0])
    ratings = RatingsTable.from_frame(frame).criteria["quality"]
    scores = pd.read_csv(files[1]).query("metric == 'good'").set_index("item")["value"]
    wanted = alternative_annotator_test(
        ratings,
        scores.reindex(ratings.items).to_numpy(),
        "good",
        epsilon=0.15,
        resampling=Resampling(50, 1),
    )
    assert {key: good[key] for key in wanted.to_row()} == wanted.to_row()
    assert (good["passes"], length["passes"]) == (True, False)
    assert (good["means"][0]["n_rated"], good["means"][0]["n_unrated"]) == (120, 80)
    assert good["means"][0]["worth"] > 140
    assert (good["n_off_scale"], length["n_off_scale"]) == (0, 200)


def test_the_tables_say_what_they_mean(files):
    output = printed(files, "--raters")
    assert "one value throughout" in output
    assert "4 of 4" in output
    assert output.count("R-") == 8
    assert "The rated items must be a random sample." in output
    assert "percentile-bootstrap:items" in output
    assert "50 bootstrap samples, seed 1" in output


def test_equal_ratings_are_printed_without_an_interval_and_without_a_test(files):
    frame = pd.read_csv(files[0])
    frame.assign(value=4).to_csv(files[0], index=False)
    names = [f"i{place:03}" for place in range(200)]
    pd.DataFrame({"item": names, "metric": "good", "value": 4}).to_csv(files[1], index=False)
    output = printed(files)
    assert "4.00 (ratings do not vary)" in output
    assert "±0.00" not in output
    assert "nan" not in output
    assert "passes the test" not in output
    assert [one["reason"] for one in results(files)] == ["constant_ratings"]


def test_an_advantage_without_width_is_printed_with_a_caution(files):
    """Everybody agrees on every item, and so does the judge."""
    frame = pd.read_csv(files[0])
    frame["value"] = frame["item"].str[-1].astype(int) % 5 + 1
    frame.to_csv(files[0], index=False)
    same = frame[["item", "value"]].drop_duplicates("item").assign(metric="good")
    same.to_csv(files[1], index=False)
    assert "the width of 0 is no certainty" in printed(files)


def test_a_metric_on_another_scale_is_equated_and_its_direction_stated(files):
    assert "200 scores of length lie outside the scale of quality." in printed(files)
    wrong, right = (results(files, "--equate", *options)[1] for options in ((), ("--lower=length",)))
    assert (right["passes"], wrong["passes"]) == (True, False)
    assert right["n_off_scale"] == 0


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--epsilon=1",), "bad_option"),
        (("--epsilon=-0.1",), "bad_option"),
        (("--equate", "--lower=beauty"), "unknown_metric"),
        (("--bootstrap=0",), "bad_option"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_code(files, options, code):
    with pytest.raises(CommandError) as refused:
        printed(files, *options)
    assert refused.value.returncode == 2
    assert code in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.published_data
def test_on_hanna_one_value_throughout_passes_on_every_criterion(tmp_path, published_data):
    """Why one value throughout is printed: the published ratings agree too little for the test."""
    wide = pd.read_csv(published_data / "hanna" / "ratings_long.csv")
    long = wide.melt(["system", "item", "rater_slot"], var_name="criterion")
    long["group"] = long["item"]
    long["item"] = long["system"] + " " + long["item"].astype(str)
    long.rename(columns={"rater_slot": "slot"}).to_csv(tmp_path / "ratings.csv", index=False)
    lengths = pd.read_csv(published_data / "hanna" / "metric_scores_long.csv.gz")[
        ["system", "item", "Text length ¤§"]
    ].melt(["system", "item"], var_name="metric")
    lengths["item"] = lengths["system"] + " " + lengths["item"].astype(str)
    lengths[["item", "metric", "value"]].to_csv(tmp_path / "scores.csv", index=False)
    found = results((tmp_path / "ratings.csv", tmp_path / "scores.csv"), "--equate")
    assert len(found) == 6
    assert all(one["constant"]["passes"] and one["passes"] for one in found)
    shares = [one["constant"]["all_raters"]["judge_share"] for one in found]
    assert (round(min(shares), 2), round(max(shares), 2)) == (0.60, 0.73)
    assert {one["reason"] for one in found} == {"anonymous_raters"}
