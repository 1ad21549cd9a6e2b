"""Metrics reports: from a study's ratings and scores, computed once for the same data."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from django.test import Client
from django.urls import reverse
from scipy import stats

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.models import Exclusion, Item, Rating, Response, Study, User
from annotation.services.base.jobs import claim
from scoring.models import Report, Score, ScoreRun
from scoring.selectors.data.directions import directions_of
from scoring.selectors.data.staleness import is_stale
from scoring.services.metrics.directions import declare_directions
from scoring.services.metrics.metric_comparison import compute_comparison, request_comparison
from scoring.services.metrics.metric_tables import side_tables
from scoring.services.metrics.metrics import measured_items
from scoring.services.reports.reliability import compute_report, request_report
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.rated_items import MeasuredItems
from tests.services.metrics.computing import compute
from tests.support.people import make_cast
from tests.support.studies.rated_study import SYSTEMS, rated_study

pytestmark = pytest.mark.django_db


def mean_ratings(study: Study, criterion: str) -> list[float]:
    ratings = Rating.objects.filter(criterion__key=criterion, response__assignment__item__study=study)
    return [
        float(np.mean(list(ratings.filter(response__assignment__item=item).values_list("value", flat=True))))
        for item in study.items.order_by("position")
    ]


def test_its_correlations_are_those_of_mean_ratings_and_scores():
    study = rated_study()
    report = compute(study)
    values = Score.objects.filter(metric="length").order_by("item__position").values_list("value", flat=True)
    scores = np.array(list(values), dtype=np.float64)
    row = next(
        row
        for row in report.figures
        if (row["level"], row["coefficient"], row["metric"], row["criterion"])
        == ("item", "pearson", "length", "quality")
    )
    assert row["estimate"] == pytest.approx(stats.pearsonr(scores, mean_ratings(study, "quality"))[0])
    assert row["n_items"] == 12
    assert {row["level"] for row in report.figures} == {"item", "group", "system"}


def test_the_human_ceiling_is_shown_next_to_the_metrics():
    report = compute(rated_study())
    rows = report.tables["ceiling"]
    assert [row["criterion"] for row in rows] == report.tables["criteria"]
    for row in rows:
        for name in ("split_half", "leave_one_out", "upper_bound"):
            assert (row[name]["estimate"] is None) == bool(row[name]["reason"])


def test_systems_have_the_mean_of_their_items():
    study = rated_study()
    means = compute(study).tables["systems"]["means"]
    values = np.array(mean_ratings(study, "quality"))
    found = {one["system"]: one["mean"] for one in means if one["criterion"] == "quality"}
    assert found == pytest.approx({name: values[place::3].mean() for place, name in enumerate(SYSTEMS)})


def test_the_same_data_are_computed_once_and_changed_data_again():
    study = rated_study()
    first = compute(study)
    Report.objects.filter(pk=first.pk).update(tables={**first.tables, "seen": True})
    assert compute(study).tables["seen"]
    excluded = Response.objects.filter(assignment__item__study=study).first()
    assert excluded is not None
    Exclusion.objects.create(study=study, response=excluded, rule="too fast")
    again = compute(study)
    assert "seen" not in again.tables
    assert again.fingerprint != first.fingerprint


def test_a_report_of_earlier_definitions_is_computed_again():
    study = rated_study()
    first = compute(study)
    earlier = [
        {**row, "signature": re.sub(r"definitions:\d+", "definitions:1", row["signature"])}
        for row in first.figures
    ]
    Report.objects.filter(pk=first.pk).update(figures=earlier, tables={**first.tables, "seen": True})
    again = compute(study)
    assert "seen" not in again.tables
    assert again.figures == first.figures


def test_a_system_can_be_left_out():
    study = rated_study()
    items, table, _ = measured_items(study, without=["owl"])
    assert items.systems == ("crow", "heron")
    assert len(items.items) == table.criteria["quality"].n_items == 8


def test_a_study_without_scores_still_has_its_systems_and_criteria():
    report = compute(rated_study(with_scores=False))
    assert report.tables["metrics"] == []
    assert {row["metric"] for row in report.figures} == set(report.tables["criteria"])


def test_results_from_before_the_scores_say_on_their_page_that_there_are_scores_now():
    study = rated_study(with_scores=False)
    compute(study)
    client = Client()
    client.force_login(study.memberships.get(role="owner").user)

    def page() -> str:
        return client.get(reverse("study-metrics", args=[study.slug])).content.decode()

    assert "No scores yet." in page()
    run = ScoreRun.objects.create(study=study, name="imported")
    Score.objects.create(run=run, item=study.items.get(key="I00"), metric="length", value=3.0)
    assert "No scores yet." not in page()
    assert "These results contain no scores." in page()


def test_a_study_without_ratings_is_refused():
    study = make_cast().study
    with pytest.raises(GroundworkError) as caught:
        compute(study)
    assert caught.value.code == "no_ratings"


def test_reliability_of_a_study_without_ratings_is_refused_too():
    job = request_report(study=make_cast().study, actor=None, announce=False)
    lease = claim(job_id=job.pk)
    assert lease is not None
    with pytest.raises(GroundworkError) as caught:
        compute_report(lease=lease)
    assert caught.value.code == "no_ratings"


@pytest.mark.parametrize("name", ["study-metrics", "study-systems"])
def test_its_pages_show_the_figures_and_give_them_away(client, name):
    study = rated_study()
    report = compute(study)
    client.force_login(User.objects.get(memberships__study=study, memberships__role="researcher"))
    page = client.get(reverse(name, args=[study.slug]), {"level": "item", "coefficient": "pearson"})
    assert b"Quality" in page.content
    chosen = re.findall(rb'href="[^"]*/metrics/[^"]*\.(?:tex|svg|pdf)([^"]*)"', page.content)
    assert set(chosen) == {b"?level=item&amp;coefficient=pearson"}
    for what, file_format, start in (
        ("correlations", "csv", b"criterion,metric"),
        ("systems", "tex", b"\\begin{table}"),
        ("criteria", "svg", b"<?xml"),
        ("correlations", "pdf", b"%PDF"),
        ("correlations", "json", b"{"),
    ):
        address = reverse("study-metrics-download", args=[study.slug, report.pk, what, file_format])
        answer = client.get(address)
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert content.removeprefix(b"\xef\xbb\xbf").startswith(start)


def compared(study: Study, level: str = "item", coefficient: str = "pearson") -> Report:
    job = request_comparison(
        study=study,
        actor=None,
        metrics=("length", "overlap"),
        level=level,
        coefficient=coefficient,
    )
    lease = claim(job_id=job.pk)
    assert lease is not None
    return compute_comparison(lease=lease)


def test_any_two_metrics_are_compared_on_each_criterion():
    study = rated_study(items=15)
    report = compared(study)
    assert [row["criterion"] for row in report.figures] == ["quality", "creativity"]
    for row in report.figures:
        human = mean_ratings(study, row["criterion"])
        scores = [
            [
                float(value or 0)
                for value in Score.objects.filter(item__study=study, metric=metric)
                .order_by("item__position")
                .values_list("value", flat=True)
            ]
            for metric in ("length", "overlap")
        ]
        expected = [stats.pearsonr(values, human).statistic for values in scores]
        assert [row["r_first"], row["r_second"]] == pytest.approx(expected, abs=1e-12)
        assert row["p_adjusted"] >= row["p"]
        assert row["adjustment"] == "holm"


def test_a_comparison_of_the_same_data_is_not_computed_again():
    study = rated_study()
    first, second = compared(study), compared(study)
    assert second.figures == first.figures
    assert second.pk != first.pk
    assert compared(study, coefficient="kendall").figures != first.figures


def test_what_cannot_be_compared_is_refused():
    study = rated_study()
    for metrics, level in ((("length", "length"), "item"), (("length", "overlap"), "letter")):
        with pytest.raises(InvalidContent) as caught:
            request_comparison(study=study, actor=None, metrics=metrics, level=level, coefficient="pearson")
        assert caught.value.code == "bad_comparison"


def test_the_page_of_a_comparison_and_its_file_say_the_same(client):
    study = rated_study()
    report = compared(study)
    client.force_login(study.memberships.get(role="researcher").user)
    page = client.get(reverse("study-compare", args=[study.slug])).content.decode()
    table = client.get(reverse("study-compare-download", args=[study.slug, report.pk, "csv"]))
    rows = b"".join(table.streaming_content).decode().splitlines()
    assert len(rows) == 3
    assert str(report.figures[0]["estimate"]) in rows[1]
    assert "Quality" in page
    assert client.get(reverse("study-compare", args=[study.slug]), {"report": "abc"}).status_code == 404


def test_a_metric_ranks_as_it_is_declared_and_not_as_the_ratings_have_it():
    study = rated_study()
    run = ScoreRun.objects.get(study=study)
    means = item_means(study)
    Score.objects.bulk_create(
        Score(run=run, item=item, metric="distance", value=-mean) for item, mean in means.items()
    )
    before = compute(study)
    assert hit_ratio(before, "distance") < 0.5
    declare_directions(study=study, directions={"distance": "lower"}, actor=None)
    assert is_stale(study, before)
    after = compute(study)
    assert hit_ratio(after, "distance") == 1.0
    assert after.method["directions"] == {"distance": "lower"}


def item_means(study: Study) -> dict[Item, float]:
    """The mean quality of each item."""
    found: dict[Item, list[float]] = {}
    ratings = Rating.objects.filter(criterion__key="quality", response__assignment__item__study=study)
    for rating in ratings.select_related("response__assignment__item"):
        found.setdefault(rating.response.assignment.item, []).append(rating.value or 0)
    return {item: sum(values) / len(values) for item, values in found.items()}


def hit_ratio(report: Report, metric: str) -> float:
    rows = report.tables["rankings"]
    wanted = ("quality", metric, "expected")
    row = next(row for row in rows if (row["criterion"], row["metric"], row["ties"]) == wanted)
    return float(row["values"][0])


def test_a_metric_pointing_the_wrong_way_does_not_beat_one_pointing_the_right_way():
    study = rated_study()
    run = ScoreRun.objects.get(study=study)
    for name, sign in (("good", 1), ("wrong", -1)):
        Score.objects.bulk_create(
            Score(run=run, item=item, metric=name, value=sign * mean + (item.position % 3) / (4 + sign))
            for item, mean in item_means(study).items()
        )
    declare_directions(study=study, directions={"good": "higher", "wrong": "higher"}, actor=None)
    job = request_comparison(
        study=study,
        actor=None,
        metrics=("good", "wrong"),
        level="item",
        coefficient="pearson",
    )
    lease = claim(job_id=job.pk)
    assert lease is not None
    row = next(row for row in compute_comparison(lease=lease).figures if row["criterion"] == "quality")
    assert row["estimate"] > 1.0


def test_directions_are_declared_on_the_page_of_the_scores_and_nonsense_is_refused(client):
    study = rated_study()
    client.force_login(User.objects.get(email="researcher-lamps@example.org"))
    address = reverse("study-directions", args=[study.slug])
    client.post(address, {"direction-length": "lower", "direction-overlap": ""})
    assert directions_of(study) == {"length": "lower"}
    for given in (
        {"direction-length": "sideways"},
        {"direction-nothing": "higher", "direction-length": "higher"},
    ):
        client.post(address, given)
        assert directions_of(study) == {"length": "lower"}
    page = client.get(reverse("study-scores", args=[study.slug])).content.decode()
    assert "Lower values are better" in page


def test_p_of_all_pairs_of_systems_is_adjusted_within_a_criterion():
    rows = compute(rated_study(items=15)).tables["systems"]["differences"]
    for criterion in {row["criterion"] for row in rows}:
        own = [row for row in rows if row["criterion"] == criterion]
        assert len(own) == 3
        smallest = min(own, key=lambda row: row["p"])
        assert smallest["p_adjusted"] == pytest.approx(min(1.0, 3 * smallest["p"]))
        assert all(row["p_adjusted"] >= row["p"] for row in own)


def test_an_item_without_a_group_does_not_ungroup_the_others():
    study = rated_study(with_scores=False)
    Item.objects.filter(study=study, key="I00").update(group="")
    report = compute_reliability(study)
    methods = {row["interval_method"] for row in report.figures if row["coefficient"] == "alpha"}
    assert all("groups" in method for method in methods)


def compute_reliability(study: Study) -> Report:
    lease = claim(job_id=request_report(study=study, actor=None, replicates=50, announce=False).pk)
    assert lease is not None
    return compute_report(lease=lease)


def test_a_metric_that_goes_against_the_ratings_wins_no_borda_count():
    study = rated_study()
    run = ScoreRun.objects.get(study=study)
    Score.objects.bulk_create(
        Score(run=run, item=item, metric="against", value=-mean) for item, mean in item_means(study).items()
    )
    undeclared = compute(study).tables["borda"]["item"]
    declare_directions(
        study=study, directions=dict.fromkeys(("against", "length", "overlap"), "higher"), actor=None
    )
    declared = compute(study).tables["borda"]["item"]
    assert declared["against"] < undeclared["against"]
    assert sum(declared.values()) == sum(undeclared.values())


def test_the_pairs_of_many_systems_can_be_significant():
    """Sixty-six pairs: with 2,000 replicates no p, adjusted by Holm, could be below .066."""
    systems, groups = 12, 6
    keys = [f"I{n:02d}" for n in range(systems * groups)]
    human = pd.DataFrame({"quality": [float(10 * (n % systems)) for n in range(len(keys))]}, keys)
    places = pd.DataFrame(
        {
            "group": [f"G{n // systems}" for n in range(len(keys))],
            "system": [f"S{n % systems}" for n in range(len(keys))],
        },
        keys,
    )
    items = MeasuredItems.from_frames(human, pd.DataFrame(index=keys), places)
    table = side_tables(items, [], Resampling(2000, seed=1), {})["systems"]
    assert max(row["p_adjusted"] for row in table["differences"]) <= 0.01
    assert table["replicates"] == 200 * 66 - 1
    assert table["smallest_p_adjusted"] == pytest.approx(0.01)


def test_pages_say_that_few_groups_were_resampled_and_that_the_best_were_tested_on_what_chose_them(client):
    study = rated_study(items=15)
    compute(study)
    client.force_login(User.objects.get(email="researcher-lamps@example.org"))
    for name in ("study-metrics", "study-systems"):
        page = " ".join(client.get(reverse(name, args=[study.slug])).content.decode().split())
        assert "Fewer than 30 items or groups were resampled" in page
        assert "The same ratings chose" in page


def test_kendalls_tau_of_systems_is_tested_by_permutation_for_new_systems_and_has_no_interval(client):
    study = rated_study(items=15)
    report = compared(study, "system", "kendall")
    assert {(row["decides"], row["holds_for"]) for row in report.figures} == {("permutation", "new systems")}
    assert all(row["p"] == row["p_permutation"] and row["low"] is None for row in report.figures)
    client.force_login(User.objects.get(email="researcher-lamps@example.org"))
    page = client.get(reverse("study-compare", args=[study.slug])).content.decode()
    assert "permutation test" in page
    assert "There is no 95% CI" in page


def test_pairwise_accuracy_of_a_report_can_be_taken_away():
    study = rated_study()
    report = compute(study)
    rows = report.tables["pairwise"]
    assert {row["grouping"] for row in rows} == {"group", "none", "system"}
    client = Client()
    client.force_login(study.memberships.get(role="owner").user)
    page = client.get(reverse("study-metrics", args=[study.slug])).content.decode()
    assert 'id="pairwise"' in page
    for file_format, content in (("csv", "held_out"), ("tex", "Threshold"), ("svg", "<svg")):
        address = reverse("study-metrics-download", args=[study.slug, report.pk, "pairwise", file_format])
        found: Any = client.get(address)
        body = b"".join(found.streaming_content) if found.streaming else found.content
        assert content in body.decode()
