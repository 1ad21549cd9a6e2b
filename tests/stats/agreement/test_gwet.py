"""Gwet's AC1 and AC2 and raw agreement: by their definitions, item by item."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.agreement.gwet import agreement_weights, gwet, raw_agreement
from scoring.stats.base.resampling import Resampling
from tests.stats.samples import long_form, ratings_of

QUICK = Resampling(replicates=20)
POINTS = np.arange(1.0, 6.0)
WEIGHTINGS = ("identity", "linear", "quadratic", "ordinal")
designs = st.lists(
    st.lists(st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0, np.nan]), min_size=4, max_size=4),
    min_size=2,
    max_size=12,
).filter(lambda rows: sum(np.isfinite(row).sum() >= 2 for row in rows) >= 2)


def by_definition(rows: list[list[float]], weights: np.ndarray) -> float:
    """Gwet (2008), eq. 21, with a loop over items and pairs of ratings."""
    rated = [[int(value) - 1 for value in row if np.isfinite(value)] for row in rows]
    rated = [values for values in rated if values]
    shares = np.mean([np.bincount(values, minlength=5) / len(values) for values in rated], axis=0)
    agreements = []
    for values in rated:
        if len(values) >= 2:
            pairs = [weights[a, b] for i, a in enumerate(values) for j, b in enumerate(values) if i != j]
            agreements.append(np.mean(pairs))
    expected = weights.sum() * (shares * (1 - shares)).sum() / (5 * 4)
    return float((np.mean(agreements) - expected) / (1 - expected))


@given(designs, st.sampled_from(WEIGHTINGS))
def test_it_is_the_definition_on_incomplete_ratings(rows, weighting):
    ratings = ratings_of(long_form(rows), scale=(1, 5))
    figure = gwet(ratings, weighting, QUICK)
    expected = by_definition(rows, agreement_weights(weighting, POINTS))
    assert figure.estimate == pytest.approx(expected, abs=1e-12)


@given(designs, st.sampled_from([0, 1]))
def test_raw_agreement_is_the_mean_share_of_agreeing_pairs(rows, within):
    ratings = ratings_of(long_form(rows), scale=(1, 5))
    shares = []
    for row in rows:
        values = [value for value in row if np.isfinite(value)]
        pairs = [abs(a - b) <= within for i, a in enumerate(values) for b in values[i + 1 :]]
        shares += [np.mean(pairs)] if pairs else []
    assert raw_agreement(ratings, within, QUICK).estimate == pytest.approx(np.mean(shares), abs=1e-12)


def test_one_category_in_use_is_perfect_agreement():
    ratings = ratings_of(long_form([[3, 3, 3], [3, 3, np.nan]]), scale=(1, 5))
    assert gwet(ratings, "identity", QUICK).estimate == 1
    assert raw_agreement(ratings, 0, QUICK).estimate == 1


def test_unused_categories_count_in_the_length_of_the_scale():
    rows = [[1, 2, 1], [2, 2, 1], [1, 1, 1]]
    declared = gwet(ratings_of(long_form(rows), scale=(1, 5)), "identity", QUICK)
    occurring = gwet(ratings_of(long_form(rows)), "identity", QUICK)
    assert (declared.variant, occurring.variant) == ("q=5", "q=2")
    assert declared.estimate > occurring.estimate


def test_without_two_ratings_of_an_item_there_is_a_reason():
    figure = gwet(ratings_of(long_form([[1, np.nan], [np.nan, 2]])), "identity", QUICK)
    assert (figure.reason, np.isnan(figure.estimate)) == ("no_overlap", True)


def test_the_bootstrap_agrees_with_gwets_analytic_interval_on_many_items():
    generator = np.random.default_rng(5)
    item = generator.normal(size=(600, 1))
    rows = np.clip(np.round(3 + item + generator.normal(size=(600, 3))), 1, 5)
    figure = gwet(ratings_of(long_form(rows.tolist()), scale=(1, 5)), "quadratic", Resampling(2000, seed=1))
    counts = (rows[:, :, None] == np.arange(1, 6)).sum(axis=1)
    half = 1.96 * jackknife_error(counts, agreement_weights("quadratic", POINTS))
    assert figure.low == pytest.approx(figure.estimate - half, abs=0.006)
    assert figure.high == pytest.approx(figure.estimate + half, abs=0.006)


def jackknife_error(counts: np.ndarray, weights: np.ndarray) -> float:
    def ac2(chosen: np.ndarray) -> float:
        sizes = chosen.sum(axis=1)
        observed = ((chosen * (chosen @ weights - 1)).sum(axis=1) / (sizes * (sizes - 1))).mean()
        shares = (chosen / sizes[:, None]).mean(axis=0)
        expected = weights.sum() * (shares * (1 - shares)).sum() / 20
        return float((observed - expected) / (1 - expected))

    n = len(counts)
    left_out = np.array([ac2(np.delete(counts, item, axis=0)) for item in range(n)])
    return float(np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum()))
