"""Calibration and soft-label scores equal their definitions, written again item by item."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.base.resampling import FloatArray
from scoring.stats.judges.calibration import calibration
from scoring.stats.judges.soft_labels import soft_label_scores
from scoring.stats.judges.unit_sums import Units


def drawn(seed: int, n: int, answers: int) -> tuple[FloatArray, list[list[int]], FloatArray]:
    """Probabilities, the answers of the raters of each item, and their shares."""
    draw = np.random.default_rng(seed)
    probabilities = draw.dirichlet(np.full(answers, 0.7), n)
    given = [list(draw.integers(0, answers, draw.integers(1, 6))) for _ in range(n)]
    shares = np.array([[own.count(k) / len(own) for k in range(answers)] for own in given])
    return probabilities, given, shares


def figures(probabilities: FloatArray, shares: FloatArray, **asked):
    units = Units.of(None, len(probabilities))
    return calibration(probabilities, shares, units, **asked)


@given(seed=st.integers(0, 10_000), answers=st.integers(2, 6), bins=st.sampled_from([5, 10]))
@settings(max_examples=25)
def test_calibration_is_that_of_its_definition(seed, answers, bins):
    probabilities, given, shares = drawn(seed, 50, answers)
    found = figures(probabilities, shares, n_bins=bins)
    members: list[list[tuple[float, float]]] = [[] for _ in range(bins)]
    brier, least = [], []
    for own, answered in zip(probabilities, given, strict=True):
        best = max(range(answers), key=lambda k: own[k])
        correct = answered.count(best) / len(answered)
        place = next(b for b in range(bins) if b / bins < own[best] <= (b + 1) / bins)
        members[place].append((float(own[best]), correct))
        brier.append(
            math.fsum((own[k] - (one == k)) ** 2 for one in answered for k in range(answers)) / len(answered)
        )
        share = [answered.count(k) / len(answered) for k in range(answers)]
        least.append(
            math.fsum((share[k] - (one == k)) ** 2 for one in answered for k in range(answers))
            / len(answered)
        )
    error = 0.0
    for one_bin, inside in zip(found.bins, members, strict=True):
        assert one_bin.n == len(inside)
        if inside:
            confidence, correct = (math.fsum(column) / len(inside) for column in zip(*inside, strict=True))
            assert (one_bin.confidence, one_bin.correct) == pytest.approx((confidence, correct), abs=1e-9)
            error += len(inside) / 50 * abs(confidence - correct)
        else:
            assert one_bin.to_row()["confidence"] is None
    assert found.expected_error == pytest.approx(error, abs=1e-9)
    assert found.brier == pytest.approx(math.fsum(brier) / 50, abs=1e-9)
    assert found.least_brier == pytest.approx(math.fsum(least) / 50, abs=1e-9)
    assert found.brier >= found.least_brier


def test_the_distribution_of_the_raters_themselves_has_the_least_brier_score():
    _, _, shares = drawn(1, 30, 4)
    found = figures(shares, shares)
    assert found.brier == pytest.approx(found.least_brier)
    assert (found.expected_error, found.overconfidence) == pytest.approx((0, 0))


def test_a_judge_that_is_too_sure_is_found():
    draw = np.random.default_rng(3)
    sure = np.tile([0.95, 0.05], (60, 1))
    shares = (draw.random(60) < 0.6).astype(float)
    found = figures(sure, np.column_stack([shares, 1 - shares]))
    assert found.differs
    assert found.overconfidence_interval.low > 0
    assert found.to_row()["differs"] is True


def test_probabilities_at_the_end_of_a_bin_are_in_the_lower_bin():
    """0.3 is a little more than 3/10 in binary."""
    probabilities = np.array([[0.3, 0.25, 0.25, 0.2]])
    found = figures(probabilities, np.array([[1.0, 0, 0, 0]]))
    assert [one.n for one in found.bins] == [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]


def scores(judge: FloatArray, shares: FloatArray, points: FloatArray | None):
    return {one.score: one for one in soft_label_scores(judge, shares, points, Units.of(None, len(judge)))}


@given(seed=st.integers(0, 10_000), answers=st.integers(2, 6))
@settings(max_examples=25)
def test_soft_label_scores_are_those_of_their_definitions(seed, answers):
    judge, _, shares = drawn(seed, 40, answers)
    points = np.cumsum(np.random.default_rng(seed).integers(1, 4, answers)).astype(float)
    found = scores(judge, shares, points)
    wanted: dict[str, list[float]] = {"manhattan": [], "wasserstein": [], "cross_entropy": []}
    for q, p in zip(judge, shares, strict=True):
        wanted["manhattan"].append(math.fsum(abs(one - other) for one, other in zip(q, p, strict=True)))
        wanted["wasserstein"].append(scipy.stats.wasserstein_distance(points, points, q, p))
        wanted["cross_entropy"].append(-math.fsum(p[k] * math.log(max(q[k], 1e-12)) for k in range(answers)))
    for name, values in wanted.items():
        assert found[name].estimate == pytest.approx(math.fsum(values) / 40, abs=1e-9)
        wide = scipy.stats.sem(values) * scipy.stats.t.ppf(0.975, 39)
        wanted_limits = np.mean(values) - wide, np.mean(values) + wide
        interval = found[name].interval
        assert (interval.low, interval.high) == pytest.approx(wanted_limits, abs=1e-9)
        assert interval.method == "t:items"


def test_options_have_no_order_and_so_no_wasserstein_distance():
    judge, _, shares = drawn(1, 20, 3)
    found = scores(judge, shares, None)["wasserstein"]
    assert (found.reason, found.to_row()["estimate"], found.to_row()["low"]) == ("no_order", None, None)


def test_an_answer_without_any_probability_costs_much_and_is_counted():
    judge = np.array([[1.0, 0.0], [0.5, 0.5]])
    found = scores(judge, np.array([[0.5, 0.5], [1.0, 0.0]]), None)["cross_entropy"]
    assert found.n_floored == 1
    assert found.estimate == pytest.approx((-0.5 * math.log(1e-12) + math.log(2)) / 2)


def test_without_an_item_there_is_a_reason_and_no_number():
    empty = np.zeros((0, 3))
    assert {one.to_row()["estimate"] for one in scores(empty, empty, None).values()} == {None}
    found = figures(empty, empty)
    assert (found.reason, found.to_row()["brier"]) == ("too_few_items", None)


def test_means_of_fewer_than_thirty_items_have_no_interval():
    judge, _, shares = drawn(2, 30, 3)
    units = Units.of(None, 30)
    for n, reason in ((29, "too_few_items"), (30, "")):
        found = calibration(judge[:n], shares[:n], units.take(np.arange(n)))
        assert (found.overconfidence_interval.reason, found.brier_interval.reason) == (reason, reason)
        assert {one.interval.reason for one in scores(judge[:n], shares[:n], np.arange(3.0)).values()} == {
            reason
        }


@given(seed=st.integers(0, 10_000), samples=st.integers(2, 8))
@settings(max_examples=25)
def test_the_cross_entropy_of_a_judge_that_rules_out_answers_has_no_interval(seed, samples):
    """Its mean depends on items where a rater gave such an answer, and a sample may lack them."""
    draw = np.random.default_rng(seed)
    judge = draw.multinomial(samples, [0.9, 0.1], 40) / samples
    judge[0] = [1.0, 0.0]
    judge[1] = [0.5, 0.5]
    shares = np.tile([1.0, 0.0], (40, 1))
    shares[1] = [0.5, 0.5]
    judge[:, 0] = np.maximum(judge[:, 0], 1 / samples)
    judge[:, 1] = 1 - judge[:, 0]
    found = scores(judge, shares, None)["cross_entropy"]
    assert (found.n_floored, found.interval.reason) == (0, "zero_shares")
    assert found.to_row()["low"] is None
    assert math.isfinite(found.estimate)
    # An answer that no one gave costs nothing.
    never = np.tile([1.0, 0.0], (40, 1))
    assert scores(judge, never, None)["cross_entropy"].interval.reason != "zero_shares"
