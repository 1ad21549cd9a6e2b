"""Williams's test: its symmetry, its error rate, its reasons, and the Borda count."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from scoring.stats.metrics.comparing.williams import williams
from scoring.stats.metrics.ranking import borda

R = st.floats(-0.95, 0.95)


def correlated(r12, r13, r23):
    """A correlation matrix that can occur."""
    return np.linalg.eigvalsh([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]]).min() > 1e-6


@given(R, R, R, st.integers(4, 300))
def test_swapping_the_metrics_changes_the_sign_alone(r12, r13, r23, n):
    assume(correlated(r12, r13, r23))
    one, other = williams(r12, r13, r23, n), williams(r13, r12, r23, n)
    assert one.t == pytest.approx(-other.t)
    assert one.p == pytest.approx(other.p)


@given(R, R, R, st.integers(4, 300))
def test_the_paper_takes_the_larger_first_and_half_the_error(r12, r13, r23, n):
    assume(correlated(r12, r13, r23))
    paper = williams(r12, r13, r23, n, "paper")
    sign = math.copysign(1, r12) * math.copysign(1, r13)
    oriented = williams(abs(r12), abs(r13), r23 * sign, n)
    assert paper.t == pytest.approx(abs(oriented.t))
    assert paper.p == pytest.approx(oriented.p / 2)


def test_the_statistic_is_that_of_the_formula():
    r12, r13, r23, n = 0.6, 0.4, 0.5, 50
    determinant = np.linalg.det([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    below = 2 * determinant * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    found = williams(r12, r13, r23, n)
    assert found.t == pytest.approx((r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below))
    assert found.p == pytest.approx(2 * stats.t.sf(found.t, 47))
    assert found.df == 47


def test_equal_metrics_are_rejected_five_times_in_a_hundred():
    rng = np.random.default_rng(11)
    latent = rng.normal(size=(2000, 40, 1))
    human, first, second = np.moveaxis(latent + rng.normal(size=(2000, 40, 3)), -1, 0)

    def pearson(x, y):
        x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
        return (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))

    columns = (pearson(human, first), pearson(human, second), pearson(first, second))
    rejected = np.mean([williams(*row, 40).p < 0.05 for row in zip(*columns, strict=True)])
    assert rejected == pytest.approx(0.05, abs=0.015)


@pytest.mark.parametrize(
    ("correlations", "n", "reason"),
    [
        ((math.nan, 0.2, 0.3), 9, "undefined_correlation"),
        ((0.5, 0.2, 0.3), 3, "too_few_pairs"),
        ((0.9, -0.9, 0.99), 10, "negative_radicand"),
    ],
)
def test_without_a_statistic_there_is_a_reason(correlations, n, reason):
    r12, r13, r23 = correlations
    found = williams(r12, r13, r23, n)
    assert (math.isnan(found.t), math.isnan(found.p), found.reason) == (True, True, reason)


@given(st.integers(0, 1000))
def test_borda_adds_mid_ranks_whatever_the_order(seed):
    rng = np.random.default_rng(seed)
    strength = rng.integers(-3, 4, (6, 4)) / 10
    order = rng.permutation(6)
    count = borda(strength)
    np.testing.assert_allclose(borda(strength[order]), count[order])
    expected = sum(stats.rankdata(column) - 1 for column in strength.T)
    np.testing.assert_allclose(count, expected)


def test_borda_puts_an_undefined_correlation_last():
    assert borda(np.array([[np.nan], [0.5], [-0.5]])).tolist() == [0, 2, 1]
