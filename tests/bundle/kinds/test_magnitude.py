"""Magnitude estimates go out and in as numbers; reports and `recompute` take their logarithms."""

from __future__ import annotations

import json
import math
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Study
from annotation.selectors.questions.long_table import long_ratings, ratings_frame
from annotation.services.items.rating_files import import_ratings
from scoring.selectors.agreement.rater_tables import distributions
from scoring.selectors.base.figures import rater_groups
from scoring.selectors.data.answers import study_answers
from scoring.selectors.data.wide_ratings import wide_ratings
from scoring.services.data.counting import select_ratings
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.kinds.magnitude_study import give, rated, study_with_magnitudes
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import exported, quick, unpacked

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("standardised", [False, True])
def test_a_report_takes_logarithms_and_comes_out_again_without_this_software(tmp_path, standardised):
    study = rated("magnitudes", standardised=True) if standardised else rated("magnitudes")
    report = compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))
    figures = {row["coefficient"]: row for row in report.figures}
    assert figures["icc2"]["reason"] == figures["alpha"]["reason"] == ""
    assert (figures["icc2"]["estimate"] > 0.8) == standardised
    assert figures["fleiss"]["reason"] == "continuous_scale"
    status, printed = recompute(unpacked(study, tmp_path))
    assert status == 0, printed


def test_what_counts_is_in_logarithms_less_the_raters_mean_where_the_form_says_so():
    plain, own = rated("plain"), rated("own", standardised=True)
    frame = ratings_frame(plain)
    given = frame["value"].map(math.log)
    assert select_ratings(plain, frame, pool_versions=False)[0]["value"].tolist() == given.tolist()
    centred = select_ratings(own, ratings_frame(own), pool_versions=False)[0]
    assert centred.groupby("rater")["value"].mean().abs().max() < 1e-9
    assert sorted(study_answers(plain).answers.values["apt"]) == pytest.approx(sorted(given))


def checked_again(study: Study, folder: Path) -> dict[str, Any]:
    """The data of a reliability report that `recompute` computes again from the bundle."""
    report = compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))
    status, printed = recompute(unpacked(study, folder))
    assert status == 0, printed
    return dict(report.data)


def test_standardised_answers_far_from_the_raters_own_mean_are_within_the_scale(tmp_path):
    study = study_with_magnitudes("far", standardised=True)
    give(study, [[200] * 29 + [0.01], [100 + n for n in range(30)]])
    assert checked_again(study, tmp_path)["n_ratings"] == 60


def test_an_only_answer_has_no_mean_to_be_compared_with_and_is_left_out_and_counted(tmp_path):
    study = study_with_magnitudes("single", standardised=True)
    give(study, [[n + 1 for n in range(8)], [3 * n + 2 for n in range(8)], [500]])
    selected, data = select_ratings(study, ratings_frame(study), pool_versions=False)
    assert set(selected["rater"]) == {"R-0", "R-1"}
    assert data["set_apart"]["single_estimates"] == 1
    assert checked_again(study, tmp_path)["set_apart"]["single_estimates"] == 1


def test_standardised_answers_of_anonymous_slots_are_plain_logarithms(tmp_path):
    study = rated("slots", identified=False, standardised=True)
    frame = ratings_frame(study)
    selected, _ = select_ratings(study, frame, pool_versions=False)
    assert selected["value"].tolist() == frame["value"].map(math.log).tolist()
    checked_again(study, tmp_path)
    facts = json.loads((next(tmp_path.rglob("study.json"))).read_text(encoding="utf-8"))
    assert [one["measure"] for one in facts["scales"]] == ["logarithms"]


@pytest.mark.parametrize("file_format", ["csv", "jsonl", "parquet", "xlsx"])
def test_numbers_are_the_same_after_export_and_import(tmp_path, file_format):
    study, again = study_with_magnitudes("first"), study_with_magnitudes("again")
    give(study, [[1.234, 12.5, 100, 1234.567], [0.125, 999_999, 1, 900.001]])
    import_ratings(study=again, path=exported(study, tmp_path, file_format))
    values = [
        sorted((row["item"], row["rater"], row["value"]) for row in long_ratings(one))
        for one in (study, again)
    ]
    assert values[0] == values[1] != []


def test_means_of_the_wide_table_are_geometric_and_a_bundle_computes_them_again(tmp_path):
    study = study_with_magnitudes("wide")
    give(study, [[1, 50], [100, 200], [10, 100]])
    means = [row["mean"] for row in wide_ratings(study)[1]]
    assert means == [10, 100]
    folder = unpacked(study, tmp_path)
    assert recompute(folder)[0] == 0
    path = folder / "data" / "ratings_wide.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",10.0,", ",37.0,"), encoding="utf-8")
    status, printed = recompute(folder)
    assert (status, "I-00 apt mean: stored 37" in printed) == (1, True), printed


def test_the_page_of_reliability_shows_geometric_means_and_numbers_as_given():
    study = rated("page")
    report = compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))
    given: dict[str, list[float]] = {}
    for row in long_ratings(study):
        given.setdefault(row["rater"], []).append(row["value"])
    wanted = {rater: pytest.approx(geometric_mean(values)) for rater, values in given.items()}
    (table,) = distributions(report)
    assert {row["rater"]: row["mean"] for row in table["rows"] if row["rater"]} == wanted
    assert table["values"][0].startswith("1–")
    (group,) = rater_groups(report)
    assert {row["rater"]: row["mean"] for row in group["raters"]} == wanted
    client = Client()
    client.force_login(study.memberships.get().user)
    page = client.get(reverse("study-reliability", args=[study.slug])).content.decode()
    assert page.count("Geometric mean") == 2
