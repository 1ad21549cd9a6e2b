"""Published ratings and metrics of HANNA and HAUSER against the reference cells."""

import json

import numpy as np
import pandas as pd
import pytest

from scoring.io.ratings import read_ratings
from scoring.io.scores import read_scores, side_by_side
from scoring.replication.hanna.data import CRITERIA, HannaData
from scoring.replication.hanna.replicate import half_widths
from scoring.stats.base.resampling import Resampling
from scoring.stats.base.rounding import round_significant
from scoring.stats.metrics.comparing.comparison import compare_metrics
from scoring.stats.metrics.comparing.systems import mean_ratings
from scoring.stats.metrics.levels import Level, correlations
from scoring.stats.metrics.meta_evaluation import evaluate_metrics
from scoring.stats.metrics.ranking import Ties, hit_ratio, ndcg, reciprocal_rank

pytestmark = pytest.mark.published_data

LEVELS: dict[str, Level] = {"story": "group", "system": "system"}
HAUSER_CRITERIA = {"q": "Quality", "c": "Creativity", "i": "Informativeness"}
RE_RANKING = {"Table 4", "Table 7", "derived: tie-averaged re-ranking"}
RENAMED = {
    "Quality row = relevance_KB alone": "relevance_KB",
    "Perplexity (fluency column)": "fluency",
}


def cells(published_data, name):
    return json.loads((published_data / "expected" / name).read_text(encoding="utf-8"))["cells"]


def keyed(frame):
    """The item key, and the prompt as its group."""
    key = frame["system"] + " " + frame["item"].astype(str)
    return frame.assign(group=frame["item"], item=key)


def has_rounding(scores):
    """Whether some scores differ by rounding only."""
    return len(np.unique(round_significant(scores))) < len(np.unique(scores))


@pytest.fixture(scope="module")
def hanna_ratings(published_data, tmp_path_factory):
    table = keyed(pd.read_csv(published_data / "hanna" / "ratings_long.csv"))
    places = ["item", "group", "system", "rater_slot"]
    path = tmp_path_factory.mktemp("hanna") / "ratings.csv"
    table.melt(places, var_name="criterion").rename(columns={"rater_slot": "slot"}).to_csv(path, index=False)
    return read_ratings(str(path))


@pytest.fixture(scope="module")
def hanna(published_data, hanna_ratings, tmp_path_factory):
    table = keyed(pd.read_csv(published_data / "hanna" / "metric_scores_long.csv.gz"))
    path = tmp_path_factory.mktemp("hanna") / "scores.csv"
    table.drop(columns=["system", "group"]).melt("item", var_name="metric").to_csv(path, index=False)
    return side_by_side(hanna_ratings, read_scores(str(path)))


@pytest.fixture(scope="module")
def without_human(hanna):
    return hanna.only(without=["Human"])


@pytest.fixture(scope="module")
def hauser(published_data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hauser")
    table = pd.read_csv(published_data / "hauser" / "human_annotated.csv")
    table["item"] = [f"candidate {row:03d}" for row in range(len(table))]
    table["group"] = table["literal_sentences"]
    ratings = [
        table[["item", "group"]].assign(rater=rater, criterion=name, value=table[f"label{rater}_{letter}"])
        for letter, name in HAUSER_CRITERIA.items()
        for rater in (1, 2, 3)
    ]
    pd.concat(ratings).to_csv(folder / "ratings.csv", index=False)
    metrics = list(table.columns[table.columns.get_loc("BERTS_base") : table.columns.get_loc("item")])
    scores = table.melt("item", metrics, var_name="metric")
    scores.to_csv(folder / "scores.csv", index=False)
    return side_by_side(read_ratings(str(folder / "ratings.csv")), read_scores(str(folder / "scores.csv")))


def test_hannas_rankings_come_out(published_data, without_human):
    figures = evaluate_metrics(without_human, levels=["group", "system"], replicates=0, seed=1).figures
    found = {(one.level, one.coefficient, one.criterion, one.metric): one.estimate for one in figures}
    compared = 0
    for cell in cells(published_data, "hanna_rankings.json"):
        # Two systems have the same sum of Complexity ratings; the cells rank them by what rounding left.
        if (
            cell["level"] == "system"
            and cell["criterion"] == "Complexity"
            and cell["coefficient"] != "pearson"
        ):
            continue
        key = (LEVELS[cell["level"]], cell["coefficient"], cell["criterion"], cell["metric"])
        # One story has a CIDEr of 1.5e-318, of which the software behind the cells keeps seven digits.
        tolerance = 1e-8 if cell["metric"].startswith("CIDEr") else 1e-9
        assert found[key] == pytest.approx(cell["signed"], abs=tolerance), cell["id"]
        compared += 1
    assert compared == 1224


def test_hannas_correlations_among_criteria_come_out(published_data, without_human):
    codes = dict(zip(("RE", "CH", "EM", "SU", "EG", "CX"), without_human.criteria, strict=True))
    among = without_human.among_criteria()
    place = {code: without_human.criteria.index(name) for code, name in codes.items()}
    compared = 0
    for cell in cells(published_data, "hanna.json"):
        if cell["definition"] not in {"story_corr", "system_corr"}:
            continue
        level, coefficient = cell["source"].split("(")[1].split()[:2]
        if level == "system" and "CX" in (cell["row"], cell["col"]) and "pearson" not in cell["source"]:
            continue
        found = correlations(among, LEVELS[level], coefficient.rstrip(","))
        value = abs(found.estimate[place[cell["row"]], place[cell["col"]]])
        assert 100 * value == pytest.approx(cell["value"], abs=100 * cell["tolerance"]), cell["id"]
        compared += 1
    assert compared > 25


def test_hannas_williams_tests_come_out(published_data, without_human):
    compared = 0
    for cell in cells(published_data, "hanna.json"):
        if cell["source"] != "derived: Williams vs BLEU / ROUGE-1 (Pearson)":
            continue
        level, criterion = cell["row"].split(" ")
        first, second = cell["col"].removesuffix(" p").split(" vs ")
        found = compare_metrics(
            without_human,
            criterion,
            (first, second),
            level=LEVELS[level],
            coefficient="pearson",
            resampling=Resampling(1, 1),
        )
        assert found.williams_paper.p == pytest.approx(cell["value"], abs=cell["tolerance"]), cell["id"]
        compared += 1
    assert compared == 126


def test_hannas_half_widths_come_out(published_data):
    """The authors' intervals of the systems, over all ratings as if they were independent."""
    data = HannaData.read(published_data / "hanna")
    expected = [cell for cell in cells(published_data, "hanna.json") if cell["definition"] == "system_ci"]
    assert len(expected) == 33
    for cell in expected:
        ratings = data.of_system(cell["row"])[list(CRITERIA)].to_numpy(dtype=np.float64)
        computed = dict(zip(CRITERIA, half_widths(ratings), strict=True))
        assert computed[cell["col"]] == pytest.approx(cell["value"], abs=cell["tolerance"])


def test_hannas_systems_come_out(published_data, hanna):
    of_items = {(one.system, one.criterion): one for one in mean_ratings(hanna)}
    compared = 0
    for cell in cells(published_data, "hanna.json"):
        place = (cell["row"], cell["col"])
        if place not in of_items:
            continue
        if cell["definition"] == "system_mean":
            assert of_items[place].mean == pytest.approx(cell["value"], abs=cell["tolerance"])
            assert of_items[place].n == 96
            compared += 1
    assert compared > 30


def test_hausers_correlations_and_their_p_come_out(published_data, hauser):
    figures = evaluate_metrics(hauser, levels=["item"], replicates=0, seed=1).figures
    found = {(one.metric, one.coefficient): one for one in figures if one.criterion == "Quality"}
    compared = 0
    for cell in cells(published_data, "hauser.json"):
        if cell["definition"] != "item_corr" or cell["row"] not in hauser.metrics:
            continue
        coefficient, *what = cell["col"].lower().split()
        # Scores that differ by rounding only tie here; the cells rank them.
        if coefficient == "spearman" and has_rounding(hauser.scores[:, hauser.metrics.index(cell["row"])]):
            continue
        figure = found[cell["row"], coefficient]
        value = figure.p if what == ["p"] else figure.estimate
        assert value == pytest.approx(cell["value"], abs=cell["tolerance"]), cell["id"]
        compared += 1
    assert compared == 20


def test_hausers_re_ranking_comes_out(published_data, hauser):
    compared = 0
    for cell in cells(published_data, "hauser.json"):
        metric = RENAMED.get(cell["row"], cell["row"])
        if cell["source"] not in RE_RANKING or metric not in hauser.metrics:
            continue
        criterion = "Creativity" if cell["source"] == "Table 7" else "Quality"
        ties: Ties = "stable" if cell["definition"] == "rerank_stable" else "expected"
        scores = hauser.scores[:, hauser.metrics.index(metric)]
        human = hauser.human[:, hauser.criteria.index(criterion)]
        measure, _, k = cell["col"].partition("@")
        if measure == "MRR":
            found = reciprocal_rank(scores, human, hauser.group, ties, reading="human")
        else:
            found = {"HR": hit_ratio, "nDCG": ndcg}[measure](scores, human, hauser.group, int(k), ties)
        assert found.value == pytest.approx(cell["value"], abs=cell["tolerance"]), cell["id"]
        assert found.n_groups == 35
        compared += 1
    assert compared > 55
