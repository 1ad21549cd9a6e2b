"""The report on judges: agreement, replacement, means of systems, and cautions."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
import scipy
from django.core.management import call_command

from annotation.domain.base.errors import GroundworkError, InvalidContent
from annotation.models import Criterion, Exclusion, Item, Study
from annotation.services.base.jobs import claim
from scoring.models import Judge, Judgement, Report
from scoring.selectors.data.staleness import is_stale
from scoring.selectors.judges.judge_pages import cautions
from scoring.services.judges.judge_report import compute_judges, request_judges
from scoring.services.judges.judge_storing import delete_judge
from tests.services.judges.judged_study import add_judge
from tests.services.metrics.rated_study import SYSTEMS, rated_study, ratings_of

pytestmark = pytest.mark.django_db


def computed(study: Study, **asked) -> Report:
    """With few bootstrap samples: no test here is about the width of an interval."""
    job = request_judges(study=study, actor=None, replicates=60, **asked)
    lease = claim(job_id=job.pk)
    assert lease is not None
    return compute_judges(lease=lease)


def judging(study: Study, value_of, name: str = "Judge A", **columns) -> Judge:
    """A judge that answers `quality` of each item with a value computed from its position."""
    judge = Judge.objects.create(
        study=study, name=name, way="file", settings={"mapping": "numbers"}, **columns
    )
    criterion = Criterion.objects.get(version__form__study=study, key="quality")
    Judgement.objects.bulk_create(
        Judgement(judge=judge, item=item, criterion=criterion, value=value, minimum=1, maximum=5)
        for n, item in enumerate(study.items.order_by("position"))
        if (value := value_of(n)) is not None
    )
    return judge


def near_truth(n: int) -> float:
    return float(np.clip(3 + n % 3 / 2 + np.random.default_rng(n).normal(0, 0.4), 1, 5))


def codes(report: Report) -> list[str]:
    return [one["code"] for one in cautions(report)]


def test_a_judge_is_correlated_with_the_mean_rating_of_each_item():
    study = rated_study()
    judge = judging(study, near_truth)
    (person, row) = computed(study).tables["agreement"]
    means = ratings_of(study, "quality").groupby("item")["value"].mean()
    own = pd.Series(dict(judge.judgements.values_list("item__key", "value")))
    assert row["estimate"] == pytest.approx(scipy.stats.pearsonr(means, own[means.index])[0], abs=1e-9)
    assert row["low"] < row["estimate"] < row["high"]
    assert (person["judge"], row["judge"], row["n_items"], row["n_answers"]) == ("", "Judge A", 36, 36)


def test_one_person_is_correlated_with_the_mean_of_the_others():
    study = rated_study()
    judging(study, near_truth)
    wide = ratings_of(study, "quality").pivot(index="item", columns="rater", values="value")
    expected = np.mean([wide[one].corr(wide.drop(columns=one).mean(axis=1)) for one in wide])
    assert computed(study).tables["agreement"][0]["estimate"] == pytest.approx(expected, abs=1e-9)


def test_the_report_says_of_the_replacement_what_the_command_says_of_the_same_ratings(tmp_path, capsys):
    study = rated_study()
    judge = judging(study, near_truth)
    report = computed(study, epsilon=0.15)
    ratings_of(study, "quality").to_csv(tmp_path / "ratings.csv", index=False)
    scores = pd.DataFrame(list(judge.judgements.values_list("item__key", "value")), columns=["item", "value"])
    scores.assign(metric="Judge A").to_csv(tmp_path / "scores.csv", index=False)
    files = [str(tmp_path / name) for name in ("ratings.csv", "scores.csv")]
    call_command("metaeval", *files, "--judges", "--epsilon", "0.15", "--bootstrap", "50", "--json", "-")
    (printed,) = json.loads(capsys.readouterr().out)["results"]
    own = next(row for row in report.tables["test"] if not row["constant"])
    for key in ("advantage", "n_tested", "n_beaten", "passes", "epsilon", "reason"):
        assert own[key] == printed[key], key
    constant = next(row for row in report.tables["test"] if row["constant"])
    assert constant["advantage"] == printed["constant"]["advantage"]


def test_items_without_ratings_make_the_means_of_systems_more_precise():
    study = rated_study()
    Item.objects.bulk_create(
        Item(study=study, key=f"U{n:03d}", system=SYSTEMS[n % 3], position=100 + n, fields={})
        for n in range(150)
    )
    judging(study, near_truth)
    means = {row["system"]: row for row in computed(study).tables["means"]}
    assert set(means) == {"", *SYSTEMS}
    assert means["owl"]["n_unrated"] == 50
    assert means["owl"]["n_rated"] == 12
    assert means["owl"]["combined_reason"] == "too_few_items"
    assert means[""]["combined_reason"] == "grouped_items"
    assert "grouped_items" in codes(computed(study))


def test_several_samples_of_an_item_count_with_their_mean():
    study = rated_study()
    judge = judging(study, lambda _: 2.0)
    first = judge.judgements.order_by("item__position")[0]
    Judgement.objects.create(
        judge=judge, item=first.item, criterion=first.criterion, sample=2, value=4, minimum=1, maximum=5
    )
    other = judging(study, lambda n: 3.0 if n == 0 else 2.0, "Judge B")
    rows = {row["judge"]: row for row in computed(study).tables["agreement"]}
    assert rows["Judge A"]["estimate"] == rows["Judge B"]["estimate"]
    assert other.judgements.count() == 36


def test_a_judge_that_reverses_the_order_of_systems_is_named():
    study = rated_study()
    judging(study, lambda n: 4.0 - n % 3 + n % 2 / 2)
    report = computed(study)
    (first, *_) = report.tables["orders"]
    assert (first["above"], first["below"]) in {("crow", "owl"), ("crow", "heron"), ("heron", "owl")}
    assert first["judge_difference"] > 0 > first["people_difference"]
    caution = cautions(report)[0]
    assert (caution["code"], caution["judge"]) == ("reversed", "Judge A")
    delete_judge(judge=Judge.objects.get(), actor=None)
    judging(study, near_truth, "Judge B")
    assert "reversed" not in codes(computed(study))


def test_cautions_follow_from_what_is_stated_and_computed():
    study = rated_study()
    judge = judging(study, near_truth, same_family_as="owl", saw_items="the pilot")
    judge.settings = {"mapping": "quantiles"}
    judge.save()
    Judgement.objects.filter(pk=judge.judgements.all()[0].pk).update(value=None, reason="refused")
    report = computed(study)
    assert {"same_family", "saw_items", "quantiles", "without", "ceilings"} <= set(codes(report))
    by_code = {one["code"]: one for one in cautions(report)}
    assert (by_code["without"]["n"], by_code["without"]["total"]) == (1, 36)
    assert (by_code["ceilings"]["most_others"], by_code["ceilings"]["most"]) == (4, 5)


def test_where_one_value_throughout_passes_a_pass_says_little():
    study = rated_study()
    judging(study, near_truth)
    assert "constant_passes" not in codes(computed(study, epsilon=0.9))
    study.items.update(group="")
    report = computed(study, epsilon=0.9)
    (one,) = [one for one in cautions(report) if one["code"] == "constant_passes"]
    assert one["judges"] == ["Judge A"]


def test_the_report_names_no_rater():
    study = rated_study()
    judging(study, near_truth)
    report = computed(study)
    contents = json.dumps([report.tables, report.figures, report.method])
    assert not [code for code in study.raters.values_list("code", flat=True) if code in contents]


def test_excluded_and_retired_items_without_ratings_are_no_part_of_the_means():
    study = rated_study()
    extra = [Item.objects.create(study=study, key=f"U{n}", position=100 + n, fields={}) for n in range(3)]
    judging(study, near_truth)
    owner = study.memberships.get(role="owner").user
    Exclusion.objects.create(study=study, item=extra[0], reason="broken", author=owner)
    Item.objects.filter(pk=extra[1].pk).update(retired_at="2026-01-01T00:00Z")
    means = {row["system"]: row for row in computed(study).tables["means"]}
    assert means[""]["n_unrated"] == 1


def test_a_report_is_stale_once_judges_have_come_or_gone_and_is_not_computed_twice():
    study = rated_study()
    judge = judging(study, near_truth)
    first = computed(study)
    assert not is_stale(study, first)
    assert computed(study).tables == first.tables
    other = judging(study, near_truth, "Judge B")
    assert is_stale(study, first)
    delete_judge(judge=other, actor=None)
    assert not is_stale(study, first)
    delete_judge(judge=judge, actor=None)
    judging(study, near_truth)
    assert is_stale(study, first)


def test_without_a_judge_or_with_an_impossible_margin_nothing_is_computed():
    study = rated_study()
    with pytest.raises(InvalidContent):
        request_judges(study=study, actor=None, epsilon=1.0)
    with pytest.raises(GroundworkError) as caught:
        computed(study)
    assert caught.value.code == "no_judges"


def test_a_judge_of_two_criteria_has_rows_for_each():
    study = rated_study()
    add_judge(study)
    report = computed(study)
    assert report.tables["criteria"] == ["quality", "creativity"]
    rows = [row for row in report.tables["agreement"] if row["judge"]]
    assert [row["reason"] for row in rows] == ["constant_scores"] * 2
    assert [row["estimate"] for row in rows] == [None, None]
