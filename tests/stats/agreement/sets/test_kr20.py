"""KR-20 and item analysis are those of independent formulas; without variance there is a reason."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from scoring.bundle.recompute.binary_sets import BinarySet as ReadSet
from scoring.bundle.recompute.coefficients.kr20 import analyse_tests as analyse_again
from scoring.bundle.recompute.coefficients.kr20 import compute_kr20
from scoring.bundle.recompute.drawing import Drawing
from scoring.stats.agreement.internal_consistency import BinarySet, analyse_tests, kr20
from scoring.stats.base.resampling import Resampling
from scoring.stats.base.result import Sample

pytestmark = pytest.mark.pure
HOW = Resampling(replicates=200, seed=7)


def answers(passed: np.ndarray, *, each: int = 3, kind: str = "items") -> BinarySet:
    unit = np.arange(len(passed)) // each
    names = tuple(f"t{place}" for place in range(passed.shape[1]))
    items = int(unit.max()) + 1 if len(unit) else 0
    return BinarySet("story:sum", names, passed, unit, kind, Sample(items, each, len(passed)))


def simulated(seed: int = 1, *, responses: int = 90, tests: int = 14) -> np.ndarray:
    rng = np.random.default_rng(seed)
    ability, hardness = rng.normal(size=(responses, 1)), np.linspace(-1.5, 1.5, tests)
    return (ability - hardness + rng.normal(size=(responses, tests)) > 0).astype(int)


def alpha_by_correlation_matrix(passed: np.ndarray) -> float:
    """Cronbach's α as k·mean covariance over (mean variance + (k − 1)·mean covariance)."""
    k = passed.shape[1]
    covariance = np.cov(passed.T)
    between = covariance[~np.eye(k, dtype=bool)].mean()
    return float(k * between / (np.diag(covariance).mean() + (k - 1) * between))


@pytest.mark.parametrize("seed", range(5))
def test_kr20_is_alpha_computed_from_covariances(seed):
    passed = simulated(seed)
    found = kr20(answers(passed), HOW)
    assert found.estimate == pytest.approx(alpha_by_correlation_matrix(passed), abs=1e-12)
    assert found.low < found.estimate < found.high
    assert found.interval_method == "percentile-bootstrap:items"


def test_kr20_of_a_worked_example():
    # Four tests, five responses: Σpq = .24 + .24 + .16 + .24 = .88, variance of the sums 1.84.
    passed = np.array([[1, 1, 1, 1], [1, 1, 1, 0], [0, 1, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0]])
    sums = passed.sum(axis=1)
    share = passed.mean(axis=0)
    by_hand = 4 / 3 * (1 - (share * (1 - share)).sum() / ((sums - sums.mean()) ** 2).mean())
    assert kr20(answers(passed, each=1), HOW).estimate == pytest.approx(by_hand, abs=1e-12)


def test_item_analysis_is_that_of_numpy():
    passed = simulated()
    for place, row in enumerate(analyse_tests(answers(passed))):
        others = np.delete(passed, place, axis=1)
        assert row["share"] == passed[:, place].mean()
        rest = np.corrcoef(passed[:, place], others.sum(axis=1))[0, 1]
        assert row["item_total"] == pytest.approx(rest, abs=1e-12)
        assert row["without"] == pytest.approx(alpha_by_correlation_matrix(others), abs=1e-12)


@pytest.mark.parametrize(
    ("passed", "reason"),
    [
        (np.ones((12, 3), dtype=int), "constant_ratings"),
        (np.tile([[1, 0], [0, 1]], (6, 1)), "constant_ratings"),
        (np.ones((12, 1), dtype=int), "too_few_tests"),
        (np.ones((1, 3), dtype=int), "too_few_items"),
    ],
)
def test_kr20_without_variance_is_not_a_number_and_says_why(passed, reason):
    found = kr20(answers(passed), HOW)
    assert math.isnan(found.estimate)
    assert found.reason == reason


def test_a_test_that_everybody_passes_has_a_share_and_no_correlation():
    passed = simulated()
    passed[:, 3] = 1
    row = analyse_tests(answers(passed))[3]
    assert (row["share"], row["item_total"]) == (1, None)


def test_few_items_have_an_estimate_without_an_interval():
    found = kr20(answers(simulated(responses=12)), HOW)
    assert math.isfinite(found.estimate)
    assert found.interval_method == "none:too_few_items"


@pytest.mark.parametrize("kind", ["items", "groups"])
def test_the_recomputing_program_finds_the_same(kind):
    ours = answers(simulated(), kind=kind)
    sample = ours.sample
    read = ReadSet(ours.criterion, ours.tests, ours.passed.astype(float), ours.unit, kind, sample.items, 3)
    again, figure = compute_kr20(read, Drawing(HOW.seed, HOW.replicates)), kr20(ours, HOW).to_row()
    for name in ("estimate", "low", "high"):
        assert again[name] == pytest.approx(figure[name], abs=1e-12)
    for row, other in zip(analyse_tests(ours), analyse_again(read), strict=True):
        assert row["test"] == other["test"]
        for name in ("share", "item_total", "without"):
            assert row[name] == pytest.approx(other[name], abs=1e-12)


def test_harder_tests_have_lower_shares():
    shares = [float(row["share"] or 0) for row in analyse_tests(answers(simulated(responses=3000)))]
    assert all(one > other for one, other in pairwise(shares))
