"""The report on judges of choices and pairs: agreement, replacement, biases, distributions, cautions."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from annotation.domain.base.errors import GroundworkError
from annotation.models import Item, Study
from annotation.services.base.jobs import claim
from scoring.models import Report
from scoring.selectors.judges.judge_pages import cautions
from scoring.services.judges.judge_report import compute_judges, request_judges
from scoring.services.judges.judge_storing import JudgeNotes, checked_notes
from tests.services.judges.chosen_study import PAIRS, TONES, answers_of_raters, choosing, chosen_study

pytestmark = pytest.mark.django_db


def computed(study: Study, **asked: Any) -> Report:
    lease = claim(job_id=request_judges(study=study, actor=None, replicates=60, **asked).pk)
    assert lease is not None
    return compute_judges(lease=lease)


def row_of(report: Report, table: str, **values: Any) -> dict[str, Any]:
    found: dict[str, Any]
    (found,) = [
        row for row in report.tables[table] if all(row[key] == value for key, value in values.items())
    ]
    return found


def codes(report: Report) -> list[str]:
    return [one["code"] for one in cautions(report)]


def mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def test_a_judge_of_a_choice_agrees_with_raters_as_often_as_it_chose_what_they_did():
    study = chosen_study()
    choosing(study, "tone", lambda n: TONES[n % 3] if n % 4 else "cold")
    report = computed(study)
    given = answers_of_raters(study, "tone")
    chosen = {n: TONES[n % 3] if n % 4 else "cold" for n in given}
    expected = mean([own.count(chosen[n]) / len(own) for n, own in given.items()])
    row = row_of(report, "option_agreement", judge="Judge A", coefficient="exact")
    assert row["estimate"] == pytest.approx(expected, abs=1e-9)
    assert row["low"] < row["estimate"] < row["high"]
    by_chance = sum(
        mean([own.count(tone) / len(own) for own in given.values()])
        * mean([float(one == tone) for one in chosen.values()])
        for tone in TONES
    )
    kappa = row_of(report, "option_agreement", judge="Judge A", coefficient="kappa")
    assert kappa["estimate"] == pytest.approx((expected - by_chance) / (1 - by_chance), abs=1e-9)
    assert row_of(report, "option_agreement", judge="", coefficient="exact")["n_answers"] == 44 * 4
    assert (report.tables["criteria"], report.tables["option_criteria"]) == ([], ["tone"])
    assert report.data["n_raters"] == 4


def test_the_alternative_annotator_test_is_made_of_choices_and_pairs():
    study = chosen_study()
    choosing(study, "tone", lambda n: TONES[n % 3])
    choosing(study, "better", lambda n: "ab"[n % 2])
    report = computed(study, epsilon=0.2)
    for criterion in ("tone", "better"):
        row = row_of(report, "option_test", criterion=criterion, constant=False)
        assert (row["n_tested"], row["n_items"], row["epsilon"], row["reason"]) == (4, 44, 0.2, "")
        row_of(report, "option_test", criterion=criterion, constant=True)
    assert row_of(report, "option_test", criterion="tone", constant=False)["passes"] is True
    contents = json.dumps([report.tables, report.method])
    assert not [code for code in study.raters.values_list("code", flat=True) if code in contents]


def test_sides_of_pairs_are_compared_with_what_the_raters_prefer_on_the_same_items():
    study = chosen_study()
    choosing(study, "better", lambda n: "a" if n % 5 else "tie")
    report = computed(study)
    given = answers_of_raters(study, "better")
    hit = {"a": 1.0, "b": 0.0, "tie": 0.5}
    row = row_of(report, "bias", bias="position")
    assert row["judge_share"] == pytest.approx(mean([1.0 if n % 5 else 0.5 for n in given]), abs=1e-9)
    people = mean([mean([hit[one] for one in own]) for own in given.values()])
    assert row["people_share"] == pytest.approx(people, abs=1e-9)
    assert row["difference"] == pytest.approx(row["judge_share"] - people, abs=1e-9)
    assert 0.3 < row["raters_first_share"] < 0.7
    assert "position_bias" in codes(report)
    (one,) = [one for one in cautions(report) if one["code"] == "position_bias"]
    assert (one["first"], one["criterion"]) == (True, "better")
    (exact, _) = [row for row in report.tables["option_agreement"] if row["judge"] == "Judge A"]
    assert exact["coefficient"] == "exact"
    assert [row["coefficient"] for row in report.tables["option_agreement"]] == ["exact", "s"] * 2


def test_a_judge_that_prefers_its_own_family_and_longer_texts_is_named():
    study = chosen_study()
    side_of_owl = {
        item.position: "a" if item.metadata["a"] == "owl" else "b"
        for item in Item.objects.filter(study=study)
    }
    choosing(study, "better", side_of_owl.get, same_family_as="owl")
    report = computed(study)
    owl, crow = (row_of(report, "bias", bias="system", system=name) for name in ("owl", "crow"))
    assert (owl["judge_share"], crow["judge_share"]) == (1.0, 0.0)
    assert (owl["own_family"], crow["own_family"]) == (True, False)
    given = answers_of_raters(study, "better")
    people = mean(
        [mean([{side_of_owl[n]: 1.0, "tie": 0.5}.get(one, 0.0) for one in own]) for n, own in given.items()]
    )
    assert owl["people_share"] == pytest.approx(people, abs=1e-9)
    assert row_of(report, "bias", bias="length")["judge_share"] == 1.0
    assert {"self_preference", "length_bias"} <= set(codes(report))
    assert "position_bias" not in codes(report)
    assert row_of(report, "both_orders")["consistent"] == 1.0


def test_pairs_that_were_judged_in_both_orders_show_who_takes_the_first():
    study = chosen_study()
    choosing(study, "better", lambda n: "a" if n != PAIRS else "b")
    choosing(study, "better", lambda n: "ab"[n % 2] if n < PAIRS else "ba"[n % 2], name="Judge B")
    report = computed(study)
    first, fair = (row_of(report, "both_orders", judge=name) for name in ("Judge A", "Judge B"))
    assert (first["n_pairs"], first["consistent"], first["first_in_both"]) == (8, 1 / 8, 7)
    assert (fair["n_pairs"], fair["consistent"], fair["first_in_both"]) == (8, 1.0, 0)
    assert [one["judge"] for one in cautions(report) if one["code"] == "order_bias"] == ["Judge A"]


def test_several_samples_count_with_the_most_frequent_and_as_a_distribution():
    study = chosen_study()
    choosing(study, "tone", lambda _: ["cold", "warm", "warm", "cold"])
    choosing(study, "tone", lambda _: "cold", name="Judge B")
    report = computed(study)
    exact = [
        row_of(report, "option_agreement", judge=name, coefficient="exact") for name in ("Judge A", "Judge B")
    ]
    assert exact[0]["estimate"] == exact[1]["estimate"]
    given = answers_of_raters(study, "tone")
    distances = [
        sum(abs(0.5 * (tone != "neither") - own.count(tone) / len(own)) for tone in TONES)
        for own in given.values()
    ]
    row = row_of(report, "soft_labels", judge="Judge A", score="manhattan", constant=False)
    assert row["estimate"] == pytest.approx(mean(distances), abs=1e-9)
    single = row_of(report, "soft_labels", judge="Judge B", score="manhattan", constant=False)
    assert (single["estimate"], single["reason"]) == (None, "no_distribution")
    assert row_of(report, "calibration", judge="Judge A")["reason"] == "no_probabilities"


def test_probabilities_are_compared_with_the_shares_of_the_raters():
    study = chosen_study()
    sure = {"warm": 0.97, "cold": 0.02, "neither": 0.01}
    choosing(study, "tone", lambda _: ("warm", sure))
    report = computed(study)
    given = answers_of_raters(study, "tone")
    row = row_of(report, "calibration")
    share = mean([own.count("warm") / len(own) for own in given.values()])
    assert row["overconfidence"] == pytest.approx(0.97 - share, abs=1e-9)
    assert row["expected_calibration_error"] == pytest.approx(abs(0.97 - share), abs=1e-9)
    (one_bin,) = [one for one in report.tables["bins"] if one["n"]]
    assert (one_bin["n"], one_bin["correct"]) == (44, pytest.approx(share))
    assert "overconfident" in codes(report)


def test_what_cannot_be_compared_says_why():
    study = chosen_study()
    choosing(study, "devices", lambda _: frozenset({"x"}))
    choosing(study, "tone", lambda _: "warm")
    report = computed(study)
    assert report.tables["not_compared"] == [{"criterion": "devices", "reason": "several_options"}]


def test_where_nothing_can_be_compared_there_is_no_report():
    study = chosen_study()
    choosing(study, "devices", lambda _: frozenset({"x"}))
    with pytest.raises(GroundworkError) as caught:
        computed(study)
    assert caught.value.code == "no_judges"


def test_the_systems_of_pairs_can_be_stated_as_the_family_of_a_judge():
    study = chosen_study()
    notes = JudgeNotes(name="Judge A", same_family_as="crow")
    assert checked_notes(study, notes) == notes
