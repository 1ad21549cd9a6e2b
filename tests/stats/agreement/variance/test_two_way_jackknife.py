"""Limits of skewed ICCs: every item and every rater is really left out, and limits have their direction."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy

from scoring.stats.agreement.variance.anova import coefficient, mean_squares
from scoring.stats.agreement.variance.two_way_jackknife import LeftOut
from tests.stats.samples import likert, long_form, ratings_of

pytestmark = pytest.mark.pure
TAILS = (0.025, 0.975)


def on_scale(values: np.ndarray, key: str, k: int) -> float:
    """−log(1 − ρ) of an average of k ratings, from the components of the ratings that are left."""
    ms = mean_squares(ratings_of(long_form(values)))
    between, severity = (ms.rows - ms.error) / ms.k, (ms.columns - ms.error) / ms.n
    noise = ms.error / k if key == "icc3k" else (severity + ms.error) / k
    return math.log((between + noise) / noise)


@pytest.mark.parametrize("key", ["icc2k", "icc3k"])
@pytest.mark.parametrize("groups_of", [1, 3])
def test_the_limits_are_those_of_ratings_really_left_out(key: str, groups_of: int) -> None:
    values = np.minimum(likert(2, 18, 4) + 1, 5)
    n, k = 18 // groups_of, 4
    frame = long_form(values)
    if groups_of > 1:
        frame["group"] = [f"g{int(item.split()[1]) // groups_of}" for item in frame["item"]]
    units = [np.delete(values, range(groups_of * i, groups_of * (i + 1)), 0) for i in range(n)]
    estimate = on_scale(values, key, k)
    of_units = np.array([[on_scale(left, key, k)] for left in units])
    of_raters = np.array([[on_scale(np.delete(values, j, 1), key, k) for j in range(k)]])
    of_both = np.array([[on_scale(np.delete(left, j, 1), key, k) for j in range(k)] for left in units])
    items, raters = (n - 1) * of_units.var(), (k - 1) * of_raters.var()
    shared = ((of_both - of_units - of_raters + estimate) ** 2).sum() * (n - 1) * (k - 1) / (n * k)
    df = (items + raters) ** 2 / (items**2 / (n - 1) + raters**2 / (k - 1))
    half = scipy.stats.t.ppf(0.975, df) * math.sqrt(items + max(raters - shared, 0))
    left_out = LeftOut.of(ratings_of(frame))
    assert left_out is not None
    found = left_out.interval(key, TAILS)
    assert found is not None
    expected = [1 - math.exp(-estimate - side * half) for side in (-1, 1)]
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)
    single = left_out.interval(key[:-1], TAILS)
    assert single is not None
    assert (single.low, single.high) == pytest.approx([x / (k - (k - 1) * x) for x in expected], abs=1e-9)


def test_the_estimate_lies_between_its_limits() -> None:
    for seed in range(20):
        ratings = ratings_of(long_form(likert(seed, 12, 4)))
        left_out, ms = LeftOut.of(ratings), mean_squares(ratings)
        assert left_out is not None
        for key in ("icc2", "icc2k", "icc3", "icc3k"):
            found = left_out.interval(key, TAILS)
            assert found is None or found.low < coefficient(key, ms) < found.high, (seed, key)


@pytest.mark.parametrize(("items", "raters"), [(4, 5), (9, 2)])
def test_too_few_to_leave_out(items: int, raters: int) -> None:
    assert LeftOut.of(ratings_of(long_form(likert(1, items, raters)))) is None


@pytest.mark.parametrize("key", ["icc2", "icc2k", "icc3", "icc3k"])
@pytest.mark.parametrize("items", [7, 12, 13])
def test_raters_who_agree_fully_without_one_of_them_have_no_limits(key: str, items: int) -> None:
    """Their noise is 0, which differences of sums miss by an error of rounding of either sign."""
    values = np.zeros((items, 4))
    values[: items // 3] = 1
    values[items // 3, 3] = 1
    left_out = LeftOut.of(ratings_of(long_form(values)))
    assert left_out is not None
    assert left_out.interval(key, TAILS) is None
