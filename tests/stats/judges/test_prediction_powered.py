"""A combined mean equals the formulas of PPI++, written again, and a judge never makes it worse by much."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.judges.prediction_powered import combined_mean


def drawn(
    seed: int, n: int = 40, more: int = 160, tie: float = 0.8
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    truth = draw.normal(3, 1, n + more)
    scores = truth * tie + draw.normal(0.5, 0.6, n + more)
    return truth[:n] + draw.normal(0, 0.4, n), scores[:n], scores[n:]


@given(seed=st.integers(0, 10_000), n=st.integers(15, 60), more=st.integers(2, 200))
def test_it_equals_the_formulas_of_the_papers(seed, n, more):
    rated, scored, unrated = drawn(seed, n, more)
    found = combined_mean(rated, scored, unrated)
    scores = [*scored, *unrated]
    middle = math.fsum(scores) / len(scores)
    spread = math.fsum((one - middle) ** 2 for one in scores) / (len(scores) - 1)
    y, f = math.fsum(rated) / n, math.fsum(scored) / n
    covariance = math.fsum((a - y) * (b - f) for a, b in zip(rated, scored, strict=True)) / (n - 1)
    weight = min(1.0, max(0.0, covariance / ((1 + n / more) * spread)))
    estimate = y + weight * (math.fsum(unrated) / more - f)
    rest = [a - weight * b for a, b in zip(rated, scored, strict=True)]
    off = math.fsum(rest) / n
    own = math.fsum((one - off) ** 2 for one in rest) / (n - 1) / n
    g = math.fsum(unrated) / more
    imputed = weight**2 * math.fsum((one - g) ** 2 for one in unrated) / more / more
    half = scipy.stats.t.ppf(0.975, n - 2) * math.sqrt(own + imputed)
    assert found.weight == pytest.approx(weight, abs=1e-9)
    assert found.combined.estimate == pytest.approx(estimate, abs=1e-9)
    assert found.combined.low == pytest.approx(estimate - half, abs=1e-9)
    assert found.combined.high == pytest.approx(estimate + half, abs=1e-9)


def test_the_score_of_one_unrated_item_does_not_show_how_much_scores_vary():
    assert combined_mean(*drawn(1, more=1)).combined.reason == "too_few_items"
    assert combined_mean(*drawn(1, more=2)).combined.reason == ""


def test_a_judge_who_knows_more_saves_ratings():
    good, poor = combined_mean(*drawn(4, tie=1.0)), combined_mean(*drawn(4, tie=0.2))
    assert good.worth > 1.5 * good.n_rated > 0
    assert good.worth > poor.worth
    assert good.combined.high - good.combined.low < good.people.high - good.people.low


def test_a_judge_without_an_opinion_changes_nothing():
    rated, scored, unrated = drawn(1)
    found = combined_mean(rated, np.ones_like(scored), np.ones_like(unrated))
    assert (found.weight, found.combined.estimate) == (0.0, found.people.estimate)
    assert found.worth == pytest.approx(found.n_rated)


@given(shift=st.floats(-100, 100), factor=st.floats(0.2, 1.0))
def test_the_scale_of_the_judge_does_not_matter(shift, factor):
    """Up to the limit of its weight: scores on a narrower scale would need more than all of it."""
    rated, scored, unrated = drawn(2, tie=0.9)
    wide = combined_mean(rated, 3 * scored, 3 * unrated)
    moved = combined_mean(rated, 3 * scored / factor + shift, 3 * unrated / factor + shift)
    assert moved.combined.estimate == pytest.approx(wide.combined.estimate, abs=1e-9)
    assert moved.combined.low == pytest.approx(wide.combined.low, abs=1e-9)


@pytest.mark.parametrize(("n", "more", "reason"), [(40, 0, "no_unrated_items"), (14, 50, "too_few_items")])
def test_nothing_is_combined_where_a_judge_adds_nothing_or_the_correction_is_not_known(n, more, reason):
    found = combined_mean(*drawn(1, n, more))
    assert found.combined.reason == reason
    assert np.isnan([found.combined.estimate, found.combined.low, found.weight, found.worth]).all()
    assert math.isfinite(found.people.estimate)


def test_means_of_nothing_have_a_reason():
    found = combined_mean(np.zeros(0), np.zeros(0), np.array([1.0, 2.0]))
    assert (found.people.reason, found.combined.reason) == ("too_few_items", "too_few_items")
    assert found.judge.estimate == 1.5


@pytest.mark.parametrize("unit", [2.0**660, 2.0**-990])
def test_the_unit_of_ratings_and_scores_changes_nothing(unit):
    rated, scored, unrated = drawn(3)
    plain, other = combined_mean(rated, scored, unrated), combined_mean(*(unit * one for one in drawn(3)))
    assert (other.weight, other.worth) == pytest.approx((plain.weight, plain.worth))
    for one, again in ((plain.people, other.people), (plain.judge, other.judge)):
        assert (again.low / unit, again.high / unit) == pytest.approx((one.low, one.high))
    limits = (plain.combined.estimate, plain.combined.low, plain.combined.high)
    found = (other.combined.estimate / unit, other.combined.low / unit, other.combined.high / unit)
    assert found == pytest.approx(limits)


def test_scores_in_a_unit_of_their_own_have_the_least_of_weights():
    rated, scored, unrated = drawn(3)
    found = combined_mean(rated, 2.0**660 * scored, 2.0**660 * unrated)
    wanted = combined_mean(rated, 2.0**10 * scored, 2.0**10 * unrated)
    assert found.combined.low == pytest.approx(wanted.combined.low)
    assert found.weight == pytest.approx(wanted.weight / 2.0**650)


@pytest.mark.parametrize("value", [5.0, 13 / 3])
def test_ratings_that_are_all_equal_have_a_mean_and_no_interval_of_no_width(value):
    _, scored, unrated = drawn(1)
    found = combined_mean(np.full(len(scored), value), scored, unrated)
    for one in (found.people, found.combined):
        assert one.estimate == pytest.approx(value)
        assert one.reason == "constant_ratings"
        assert np.isnan([one.low, one.high]).all()
    assert math.isnan(found.worth)
