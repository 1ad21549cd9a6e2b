"""Every reference cell of the published tables, from the command, within its tolerance."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.core.management import call_command

from scoring.replication.checked import NOT_READ
from scoring.replication.definitions import DEFINITIONS
from scoring.replication.hanna.data import CRITERIA as HANNA_CODES
from scoring.replication.hanna.data import HannaData
from scoring.replication.hauser.agreement import ratings_table as hauser_ratings
from scoring.replication.hauser.data import HauserData
from scoring.replication.miyazawa.data import MiyazawaData
from scoring.stats.agreement.alpha import alpha
from scoring.stats.agreement.variance.icc import two_way_figures
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import RatingsTable

pytestmark = pytest.mark.published_data

# Sums of ranks whose ties were ordered by an unstable sort; the cells' notes give the range.
BY_UNSTABLE_SORT = {
    "hanna/Table 6 (Borda)/system #1/BARTScore-SH ΞΔ",
    "hanna/Table 6 (Borda)/system #5/DepthScore Ξε",
}
HANNA_CRITERIA = {code: name for name, code in HANNA_CODES.items()}
REFERENCES = ("hauser", "hanna", "miyazawa", "simile_probing")


@pytest.fixture(scope="session")
def replicated(published_data: Path, tmp_path_factory: pytest.TempPathFactory):
    @cache
    def replicate(name: str) -> dict[str, Any]:
        target = tmp_path_factory.mktemp("cells") / f"{name}.json"
        call_command("replicate", name, data=published_data / name, json=str(target), verbosity=0)
        result: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
        return result

    return replicate


def expected_cells(published_data: Path, file: str) -> list[dict[str, Any]]:
    text = (published_data / "expected" / f"{file}.json").read_text(encoding="utf-8")
    cells: list[dict[str, Any]] = json.loads(text)["cells"]
    return cells


def differs(found: dict[str, Any] | None, expected: dict[str, Any], tolerance: float) -> bool:
    if found is None:
        return True
    value = expected["value"]
    if value is None or isinstance(value, str):
        return bool(found["computed"] != value)
    return found["computed"] is None or bool(abs(found["computed"] - value) > tolerance)


@pytest.mark.parametrize("name", REFERENCES)
def test_it_computes_every_reference_cell(published_data, replicated, name):
    found = {cell["id"]: cell for cell in replicated(name)["cells"]}
    wrong = [
        cell["id"]
        for cell in expected_cells(published_data, name)
        if differs(found.get(cell["id"]), cell, cell.get("tolerance") or 0.0)
    ]
    assert set(wrong) <= BY_UNSTABLE_SORT


@pytest.mark.parametrize("name", REFERENCES)
def test_every_reference_cell_has_the_expected_status(published_data, replicated, name):
    found = {cell["id"]: cell["status"] for cell in replicated(name)["cells"]}
    expected = {cell["id"]: cell["status"] for cell in expected_cells(published_data, name)}
    assert {key: found.get(key) for key in expected} == expected


def test_it_computes_every_correlation_of_hannas_metrics(published_data, replicated):
    found = {cell["id"]: cell for cell in replicated("hanna")["cells"]}
    reference = expected_cells(published_data, "hanna_rankings")
    assert [cell["id"] for cell in reference if differs(found.get(cell["id"]), cell, 1e-9)] == []


def test_bootstrap_intervals_of_alpha_are_those_of_forty_thousand_replicates(published_data):
    tables = {
        "hauser": hauser_ratings(HauserData.read(published_data / "hauser")),
        "hanna": HannaData.read(published_data / "hanna").table,
        "miyazawa": miyazawa_ratings(MiyazawaData.read(published_data / "miyazawa")),
    }
    compute = cache(
        lambda name, row, level: alpha(tables[name].criteria[row], level, Resampling(2000, seed=1))
    )
    wrong = []
    for cell in expected_cells(published_data, "bootstrap"):
        _, level, what = cell["col"].split(maxsplit=2)
        figure = compute(cell["source"], cell["row"], level)
        found = {"lo": figure.low, "hi": figure.high}.get(what)
        if found is not None and abs(found - cell["value"]) > cell["tolerance"]:
            wrong.append((cell["id"], found))
    assert wrong == []


def test_two_way_intervals_lie_around_their_estimates_where_the_model_does_not_fit(published_data):
    """Miyazawa's 793 raters differ in more than severity: REML and the sums of squares part ways."""
    table = miyazawa_ratings(MiyazawaData.read(published_data / "miyazawa"))
    for ratings in table.criteria.values():
        for figure in two_way_figures(ratings, Resampling(10, seed=1)):
            assert figure.low < figure.estimate < figure.high, (ratings.criterion, figure.coefficient)


def miyazawa_ratings(data: MiyazawaData) -> RatingsTable:
    votes = data.votes
    return RatingsTable.from_frame(
        pd.DataFrame(
            {
                "item": data.codes,
                "rater": votes["user_id"],
                "criterion": votes["metric"],
                "value": votes["vote"],
            }
        )
    )


def test_table_8_of_cmdag_follows_from_the_printed_means(replicated):
    found = {
        (cell["row"], cell["col"]): round(cell["computed"], 3)
        for cell in replicated("cmdag")["cells"]
        if cell["source"] == "Table 8"
    }
    assert [found["Task 1", name] for name in ("Clarity", "Creativity", "Authentic Expression")] == [
        0.276,
        0.706,
        0.663,
    ]
    assert [found["Task 2", name] for name in ("Clarity", "Creativity", "Authentic Expression")] == [
        0.857,
        0.729,
        0.375,
    ]


@pytest.mark.parametrize("name", [*REFERENCES, "cmdag"])
def test_ids_are_unique_and_definitions_are_explained(replicated, name):
    result = replicated(name)
    ids = [cell["id"] for cell in result["cells"]]
    assert len(ids) == len(set(ids))
    assert result["definitions"] == {
        key: DEFINITIONS[key] for key in sorted({cell["definition"] for cell in result["cells"]})
    }


@pytest.mark.parametrize("name", [*REFERENCES, "cmdag"])
def test_what_cannot_be_computed_has_a_reason_in_words(replicated, name):
    without = [cell for cell in replicated(name)["cells"] if cell["status"] == "not-computable"]
    assert [cell["id"] for cell in without if not cell["note"]] == []


@pytest.mark.parametrize("name", [*REFERENCES, "cmdag"])
def test_the_counts_add_up(replicated, name):
    result = replicated(name)
    assert sum(result["counts"].values()) == len(result["cells"])


def test_the_best_of_all_ten_systems_are_all_of_them(replicated):
    """HANNA's Figure 8 begins where its tables of system-level correlations are."""
    cells = {cell["id"]: cell["computed"] for cell in replicated("hanna")["cells"]}
    drawn = {
        tuple(key.split("/", 3)[2:]): value
        for key, value in cells.items()
        if key.startswith("hanna/Fig 8 ") and ", 10 best/" in key
    }
    assert len(drawn) == 6 * 72
    for (row, metric), value in drawn.items():
        criterion = HANNA_CRITERIA[row.split(",")[0]]
        whole = cells[f"hanna/rankings/system|pearson|{criterion}|{metric}"]
        assert value == pytest.approx(100 * whole, abs=1e-6), (row, metric)


def test_s3_distinguishes_hannas_systems_best_and_depth_score_worst(replicated):
    """What section 5.3 of the paper says of Figure 7, whose heat map cannot be read."""
    cells = pd.DataFrame(replicated("hanna")["cells"])
    shown = cells[cells["source"] == "Figs 7, 26 (weighted F1, %)"].astype({"computed": float})
    f1 = shown.groupby("col")["computed"].mean()
    assert len(f1) == 72
    assert any(metric.startswith("S3") for metric in f1.nlargest(5).index)
    assert f1.rank()["DepthScore Ξε"] <= 10


# Figures of the running text, and those that were once marked as if nothing were printed.
PRINTED_AND_REPRODUCED = (
    "hanna/Sec 3.2/annotations/n",
    "hanna/Table 4 half-widths (authors' notebook)/Human/Relevance",
    "hanna/Table 4 half-widths (authors' notebook)/TD-VAE/Complexity",
    "miyazawa/Sec 4/questions/n",
    "miyazawa/Sec 5 text/10 highest in metaphoricity/with zetubou",
    "miyazawa/Sec 5 text/kyouhu | X wo maku/comprehensibility",
)


@pytest.mark.parametrize("name", PRINTED_AND_REPRODUCED)
def test_figures_of_the_running_text_are_reproduced(replicated, name):
    cells = {cell["id"]: cell for cell in replicated(name.partition("/")[0])["cells"]}
    assert (cells[name]["published"] is not None, cells[name]["status"]) == (True, "reproduces")


def test_the_printed_counts_of_hannas_table_6_lie_in_the_ranges_of_the_metrics_named(replicated):
    """The ranges come from the order of ties: the named metric is one that can have the printed count."""
    for cell in replicated("hanna")["cells"]:
        if cell["source"] == "Table 6 (Borda)":
            least, most = (int(word) for word in cell["note"].split(",")[0].split(" to "))
            assert least <= cell["published"] <= most, cell["id"]


def test_human_accuracy_of_the_probing_sets_is_compared_with_the_printed_one(replicated):
    cells = {cell["id"]: cell for cell in replicated("simile_probing")["cells"]}
    for name, printed in (("Quizzes", 93.6), ("General_Corpus", 87.6)):
        found = cells[f"simile_probing/{name}/human accuracy, all rows, %/value"]
        assert (found["published"], found["status"]) == (printed, "differs")
        assert "majority of three" in found["note"]


@pytest.mark.parametrize("name", [*REFERENCES, "cmdag"])
def test_every_source_says_why_the_rest_of_it_is_not_compared(replicated, name):
    for source in replicated(name)["checked"]:
        assert (source["compared"] < source["results"]) == bool(source["reasons"]), source["source"]


def test_every_source_listed_as_not_read_exists(replicated):
    for name, sources in NOT_READ.items():
        assert sources.keys() <= {cell["source"] for cell in replicated(name)["cells"]}
