"""Calibration items are passed by figures that agree with the reference, or by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from annotation.domain.base.errors import InvalidContent
from annotation.domain.quality.qualification import (
    ByHand,
    NearReference,
    NextStep,
    Qualification,
    RankedAlike,
    compare,
    correlations_of,
    outcome,
)
from annotation.domain.quality.rank_correlation import average_ranks, pearson, spearman

PAIRS = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=3, max_size=30)
REFERENCE = {(f"item-{number}", "quality"): 1 + number % 5 for number in range(20)}


def answers(difference: dict[int, int] | None = None) -> dict[tuple[str, str], float]:
    """The reference itself, other by so much for the numbered items."""
    shifts = difference or {}
    return {key: value + shifts.get(number, 0) for number, (key, value) in enumerate(REFERENCE.items())}


@given(PAIRS)
def test_correlations_are_those_of_scipy(pairs):
    x, y = [one for one, _ in pairs], [other for _, other in pairs]
    for ours, theirs in ((pearson, stats.pearsonr), (spearman, stats.spearmanr)):
        estimate, reason = ours(x, y)
        if len(set(x)) == 1:
            assert (math.isnan(estimate), reason) == (True, "constant_answers")
        elif len(set(y)) == 1:
            assert (math.isnan(estimate), reason) == (True, "constant_reference")
        else:
            assert reason == ""
            assert estimate == pytest.approx(theirs(x, y).statistic, abs=1e-9)


@given(st.lists(st.integers(-5, 5), max_size=30))
def test_ranks_are_those_of_scipy(values):
    assert average_ranks(values) == list(stats.rankdata(values))


def test_values_that_differ_by_rounding_are_ties():
    assert average_ranks([0.1 + 0.2, 0.3, 5.0]) == [1.5, 1.5, 3.0]


def test_two_pairs_have_no_correlation():
    assert pearson([1, 2], [1, 2])[1] == "too_few_answers"


@given(st.dictionaries(st.integers(0, 19), st.integers(-4, 4)), st.integers(0, 3), st.floats(0.01, 1))
def test_the_share_within_the_band_decides(shifts, tolerance, share):
    made = outcome(Qualification(NearReference(tolerance, share)), answers(shifts), REFERENCE)
    within = 20 - sum(abs(shift) > tolerance for shift in shifts.values())
    assert (made.n, made.n_within) == (20, within)
    assert made.figure == within / 20
    assert made.passed is (within / 20 >= share - 1e-9)
    assert made.next_step is (NextStep.START if made.passed else NextStep.SCREENED_OUT)


def test_a_share_met_exactly_is_met():
    near = Qualification(NearReference(0, 0.7))
    assert outcome(near, answers(dict.fromkeys(range(6), 1)), REFERENCE).passed is True
    assert outcome(near, answers(dict.fromkeys(range(7), 1)), REFERENCE).passed is False


def test_what_was_not_answered_is_not_within():
    first = next(iter(REFERENCE))
    made = outcome(
        Qualification(NearReference(1, 1.0)),
        {key: value for key, value in answers().items() if key != first},
        REFERENCE,
    )
    assert (made.passed, made.n, made.n_within) == (False, 20, 19)
    assert made.compared[0].given is None


def test_answers_without_a_reference_are_left_out():
    made = outcome(Qualification(NearReference(0, 1.0)), {**answers(), ("other", "quality"): 1}, REFERENCE)
    assert (made.passed, made.n) == (True, 20)


def test_without_any_reference_no_rater_passes():
    for rule in (NearReference(1, 0.5), RankedAlike(0.5)):
        made = outcome(Qualification(rule), answers(), {})
        assert (made.passed, made.reason) == (False, "too_few_answers")


def test_the_correlation_decides_and_a_constant_rater_has_none():
    rule = Qualification(RankedAlike(0.8), attempts=3)
    good = outcome(rule, answers({0: 1, 7: -1}), REFERENCE)
    assert (good.passed, good.reason) == (True, "correlated_enough")
    reverse = {key: 6 - value for key, value in REFERENCE.items()}
    bad = outcome(rule, reverse, REFERENCE, attempt=2)
    assert (bad.passed, bad.attempts_left) == (False, 1)
    assert bad.figure == pytest.approx(-1)
    assert bad.next_step is NextStep.AGAIN
    flat = outcome(rule, dict.fromkeys(REFERENCE, 3), REFERENCE, attempt=3)
    assert (flat.passed, flat.reason, flat.next_step) == (
        False,
        "constant_answers",
        NextStep.SCREENED_OUT,
    )
    assert math.isnan(flat.figure)


def test_correlations_are_averaged_over_criteria_that_can_show_one():
    reference = {
        **{(str(number), "quality"): number for number in range(5)},
        **{(str(number), "clarity"): number for number in range(5)},
        **{(str(number), "offence"): 1 for number in range(5)},
    }
    given_values = {
        **{(str(number), "quality"): number for number in range(5)},
        **{(str(number), "clarity"): [1, 0, 2, 4, 3][number] for number in range(5)},
        **{(str(number), "offence"): number for number in range(5)},
    }
    made = outcome(Qualification(RankedAlike(0.5)), given_values, reference)
    by_criterion = {one.criterion: one for one in correlations_of(compare(given_values, reference, 0))}
    assert by_criterion["offence"].reason == "constant_reference"
    assert made.figure == pytest.approx(
        (by_criterion["quality"].estimate + by_criterion["clarity"].estimate) / 2
    )


def test_by_hand_waits_for_the_researcher():
    rule = Qualification(ByHand(), attempts=None)
    waiting = outcome(rule, answers(), REFERENCE)
    assert (waiting.passed, waiting.next_step) == (None, NextStep.WAIT)
    assert outcome(rule, answers(), REFERENCE, approved=True).next_step is NextStep.START
    refused = outcome(rule, answers(), REFERENCE, attempt=9, approved=False)
    assert (refused.next_step, refused.attempts_left) == (NextStep.AGAIN, None)


@pytest.mark.parametrize(
    ("rule", "attempts", "field"),
    [
        (NearReference(-1, 0.5), 1, "tolerance"),
        (NearReference(math.nan, 0.5), 1, "tolerance"),
        (NearReference(1, 0), 1, "share"),
        (NearReference(1, 1.01), 1, "share"),
        (RankedAlike(-1), 1, "least"),
        (RankedAlike(math.nan), 1, "least"),
        (ByHand(), 0, "attempts"),
    ],
)
def test_rules_that_all_raters_or_none_pass_are_refused(rule, attempts, field):
    with pytest.raises(InvalidContent) as refusal:
        Qualification(rule, attempts)
    assert refusal.value.code == "invalid_qualification"
    assert set(refusal.value.fields) == {field}
