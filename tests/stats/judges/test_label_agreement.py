"""Agreement on options equals the definitions, written again item by item and pair by pair."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.agreement.brennan_prediger import brennan_prediger
from scoring.stats.agreement.gwet import raw_agreement
from scoring.stats.base.resampling import Resampling
from scoring.stats.judges.label_agreement import agreement_of_judge, agreement_of_raters
from tests.stats.judges.labelled import answers_by_item, options_judged, options_rated

ONCE = Resampling(replicates=40, seed=3)


def mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def corrected(observed: float, expected: float) -> float:
    return (observed - expected) / (1 - expected)


@given(seed=st.integers(0, 10_000), options=st.integers(2, 5), groups=st.sampled_from([0, 9]))
@settings(max_examples=25)
def test_both_equal_their_definitions_on_any_incomplete_design(seed, options, groups):
    ratings = options_rated(seed, options=options, groups=groups)
    judge = options_judged(ratings, seed)
    answers = answers_by_item(ratings)
    several = [own for own in answers.values() if len(own) > 1]
    pairs = [mean([float(one == other) for one, other in permutations(own, 2)]) for own in several]
    expected = sum(mean([own.count(k) / len(own) for own in several]) ** 2 for k in range(options))
    exact, kappa = agreement_of_raters(ratings, "shares", ONCE)
    assert exact.estimate == pytest.approx(mean(pairs), abs=1e-9)
    assert kappa.estimate == pytest.approx(corrected(mean(pairs), expected), abs=1e-9)
    judged = [(own, int(judge[item])) for item, own in answers.items() if not math.isnan(judge[item])]
    with_one = [mean([float(other == option) for other in own]) for own, option in judged]
    expected = sum(
        mean([own.count(k) / len(own) for own, _ in judged])
        * mean([float(option == k) for _, option in judged])
        for k in range(options)
    )
    exact, kappa = agreement_of_judge(ratings, judge, "J", "shares", ONCE)
    assert exact.estimate == pytest.approx(mean(with_one), abs=1e-9)
    assert kappa.estimate == pytest.approx(corrected(mean(with_one), expected), abs=1e-9)
    assert (exact.n_items, exact.n_groups) == (len(judged), groups)
    (_, uniform) = agreement_of_judge(ratings, judge, "J", "uniform", ONCE)
    assert uniform.estimate == pytest.approx(corrected(mean(with_one), 1 / options), abs=1e-9)


def test_raters_agree_as_the_reliability_report_says():
    """Two pages with two numbers for one thing would be read as an error."""
    ratings = options_rated(5)
    exact, uniform = agreement_of_raters(ratings, "uniform", ONCE)
    assert exact.estimate == pytest.approx(raw_agreement(ratings, 0, ONCE).estimate, abs=1e-12)
    assert uniform.estimate == pytest.approx(brennan_prediger(ratings, ONCE).estimate, abs=1e-12)


def test_a_judge_who_is_like_a_rater_agrees_as_raters_do():
    """Both figures are chances of agreeing with one rater, so the number of raters moves neither."""
    everybody = options_rated(0, items=2000, raters=6, share=1.0)
    own = everybody.rater == 5
    judge = everybody.value[own][np.argsort(everybody.item[own])]
    few = everybody.keep(~own)
    person, of_judge = (
        agreement_of_raters(few, "shares", ONCE),
        agreement_of_judge(few, judge, "J", "shares", ONCE),
    )
    for one, other in zip(person, of_judge, strict=True):
        assert other.estimate == pytest.approx(one.estimate, abs=0.02)


def test_the_interval_holds_the_estimate_and_follows_groups():
    ratings, grouped = options_rated(3), options_rated(3, groups=8)
    judge = options_judged(ratings, 3, missing=0)
    for figure in agreement_of_judge(ratings, judge, "J", "shares", ONCE):
        assert figure.interval.low < figure.estimate < figure.interval.high
        assert figure.to_row()["interval_method"] == "percentile-bootstrap:items"
    (one, _) = agreement_of_judge(grouped, judge, "J", "shares", ONCE)
    assert one.interval.method == "percentile-bootstrap:groups"


def test_what_cannot_be_computed_has_a_reason_and_no_number():
    ratings = options_rated(1)
    nothing = np.full(ratings.n_items, np.nan)
    exact, kappa = agreement_of_judge(ratings, nothing, "J", "shares", ONCE)
    assert {exact.reason, kappa.reason} == {"no_overlap"}
    assert exact.to_row()["estimate"] is None
    same = ratings.keep(ratings.value == 0)
    exact, kappa = agreement_of_judge(same, np.zeros(same.n_items), "J", "shares", ONCE)
    assert (exact.estimate, exact.reason) == (1.0, "")
    assert (kappa.to_row()["estimate"], kappa.reason) == (None, "constant_ratings")
