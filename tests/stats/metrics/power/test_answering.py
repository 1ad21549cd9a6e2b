"""Simulated answers have the mean, the variances and the scale that were asked for."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.agreement.variance.crossed import Components
from scoring.stats.metrics.power.answering import Answering, Design, PowerError, simulate_ratings

POINTS = np.arange(1.0, 6.0)
VARIANCES = st.floats(0.05, 4)
MODEL = {
    "values": [1.0, 2.0, 4.0, 5.0],
    "thresholds": [-2.0, 0.0, 1.5],
    "effects": {"second": 0.6},
    "variances": [
        {"factor": "items", "variance": 1.5},
        {"factor": "groups", "variance": 0.5},
        {"factor": "raters", "variance": 0.8},
        {"factor": "rest", "variance": math.pi**2 / 3},
    ],
}


def typed(item: float = 0.6, rater: float = 0.2, residual: float = 0.7, mean: float = 3.0) -> Answering:
    return Answering.of_components(Components(item, rater, residual), mean, POINTS)


@settings(max_examples=40, deadline=None)
@given(VARIANCES, VARIANCES, VARIANCES, st.floats(1.5, 4.5), st.floats(-0.9, 0.9))
def test_the_shift_of_a_difference_changes_the_expected_rating_by_it(
    item: float, rater: float, residual: float, mean: float, difference: float
) -> None:
    answering = typed(item, rater, residual, mean)
    now = answering.expected(0.0)
    if not POINTS[0] < now + difference < POINTS[-1]:
        with pytest.raises(PowerError, match="would leave the scale"):
            answering.shift_for(difference)
    else:
        assert answering.expected(answering.shift_for(difference)) - now == pytest.approx(
            difference, abs=1e-9
        )


@pytest.mark.parametrize("answering", [typed(mean=3.9), Answering.of_model(MODEL)])
def test_the_mean_of_many_simulated_ratings_is_the_expected_one(answering: Answering) -> None:
    design = Design(2_000, 1, 2_000)
    drawn = [
        simulate_ratings(answering, design, np.random.default_rng(seed), shifts=(0.7,)) for seed in range(10)
    ]
    values = np.concatenate([one.values for one in drawn])
    assert values.mean() == pytest.approx(answering.expected(0.7), abs=0.04)
    assert set(np.unique(values)) == set(answering.points)


def test_items_raters_and_noise_have_their_variances() -> None:
    fine = Answering.of_components(Components(0.6, 0.3, 0.5), 50.0, np.arange(0, 100.01, 0.05))
    drawn = simulate_ratings(fine, Design(3_000, 400, 400), np.random.default_rng(2))
    by_item, by_rater = drawn.values.mean(axis=1), drawn.values.mean(axis=0)
    rest = drawn.values - by_item[:, None] - by_rater + drawn.values.mean()
    assert by_item.var() == pytest.approx(0.6, rel=0.1)
    assert by_rater.var() == pytest.approx(0.3, rel=0.2)
    assert rest.var() == pytest.approx(0.5, rel=0.02)
    assert np.corrcoef(drawn.quality, by_item)[0, 1] > 0.99


@pytest.mark.parametrize("distribution", ["normal", "logistic"])
def test_noise_has_its_variance_whatever_its_distribution(distribution: str) -> None:
    answering = Answering(POINTS, np.arange(4.0), 1.0, 0.0, 1.0, 2.5, distribution)  # type: ignore[arg-type]
    assert answering.draw_noise(np.random.default_rng(3), (200_000,)).var() == pytest.approx(2.5, rel=0.02)


def test_items_of_a_group_share_their_part_of_the_variance() -> None:
    answering = Answering.of_components(Components(1.0, 0.1, 0.5), 3.0, POINTS, shared=0.4)
    drawn = simulate_ratings(
        answering, Design(20_000, 1, 1), np.random.default_rng(4), shifts=(0.0, 0.0), crossed=True
    )
    first, second = drawn.quality.reshape(2, -1)
    assert np.cov(first, second)[0, 1] == pytest.approx(0.4, abs=0.03)
    assert first.var() == pytest.approx(1.0, abs=0.04)
    alone = simulate_ratings(answering, Design(20_000, 1, 1), np.random.default_rng(4), shifts=(0.0, 0.0))
    first, second = alone.quality.reshape(2, -1)
    assert np.cov(first, second)[0, 1] == pytest.approx(0.0, abs=0.03)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 30), st.integers(1, 6), st.integers(0, 20))
def test_each_item_is_rated_by_so_many_different_raters_of_the_pool(n: int, k: int, more: int) -> None:
    drawn = simulate_ratings(typed(), Design(n, k, k + more), np.random.default_rng(n))
    assert drawn.raters.shape == drawn.values.shape == (n, k)
    assert all(len(set(row)) == k for row in drawn.raters.tolist())
    assert 0 <= drawn.raters.min() <= drawn.raters.max() < k + more


@pytest.mark.parametrize(
    ("code", "make"),
    [
        ("no_variance", lambda: typed(item=0)),
        ("no_variance", lambda: typed(rater=-0.1)),
        ("no_variance", lambda: Answering.of_model({**MODEL, "variances": MODEL["variances"][2:]})),  # type: ignore[index]
        ("mean_off_scale", lambda: typed(mean=5.0)),
        ("design_too_small", lambda: Design(1, 3, 3)),
        ("pool_too_small", lambda: Design(10, 3, 2)),
    ],
)
def test_what_cannot_be_simulated_is_refused(code: str, make: object) -> None:
    with pytest.raises(PowerError) as refused:
        make()  # type: ignore[operator]
    assert refused.value.code == code


def test_items_of_a_group_share_its_effect_and_other_systems_only_where_groups_are_crossed() -> None:
    answering = Answering.of_components(Components(1.0, 0.1, 0.5), 3.0, POINTS, shared=0.999)
    for crossed in (True, False):
        drawn = simulate_ratings(
            answering,
            Design(12, 1, 1, in_group=4),
            np.random.default_rng(5),
            shifts=(0.0, 0.0),
            crossed=crossed,
        )
        assert drawn.group is not None
        assert np.bincount(drawn.group).tolist() == ([8] * 3 if crossed else [4] * 6)
        spread = [np.ptp(drawn.quality[drawn.group == one]) for one in range(drawn.group.max() + 1)]
        assert max(spread) < 0.5 < np.ptp(drawn.quality)
    alone = simulate_ratings(answering, Design(12, 1, 1), np.random.default_rng(5))
    assert alone.group is None


def test_items_are_divided_among_the_systems_of_a_model() -> None:
    model = {**MODEL, "effects": {"second": 6.0, "third": 12.0}}
    answering = Answering.of_model(model)
    assert answering.systems == pytest.approx((-6.0, 0.0, 6.0))
    drawn = simulate_ratings(answering, Design(3_000, 1, 1), np.random.default_rng(6))
    means = [drawn.quality[place::3].mean() for place in range(3)]
    assert means == pytest.approx([-6, 0, 6], abs=0.2)
    assert drawn.quality.var() == pytest.approx(answering.quality_variance, rel=0.05)


def test_a_difference_over_most_of_a_long_scale_can_be_planned() -> None:
    fine = Answering.of_components(Components(0.5, 0.1, 0.5), 50.0, np.arange(0, 101.0))
    assert fine.shift_for(45.0) == pytest.approx(45.0, abs=0.1)
