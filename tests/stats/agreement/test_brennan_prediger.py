"""Brennan and Prediger's κ with weights: by its definition, by libraries, and by a published figure."""

from __future__ import annotations

import math
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from scoring.stats.agreement.brennan_prediger import brennan_prediger, kappa_n
from scoring.stats.base.resampling import Resampling
from tests.stats.samples import likert, long_form, ratings_of

QUICK = Resampling(replicates=50)
designs = st.lists(
    st.lists(st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0, np.nan]), min_size=4, max_size=4),
    min_size=1,
    max_size=10,
).filter(lambda rows: any(np.isfinite(row).sum() >= 2 for row in rows))


def by_definition(rows: list[list[float]], points: list[float]) -> float:
    """One less the observed squared difference over that of two points at random, pair by pair."""
    rated = [[value for value in row if not math.isnan(value)] for row in rows]
    observed = [
        np.mean([(one - other) ** 2 for one, other in permutations(row, 2)]) for row in rated if len(row) > 1
    ]
    by_chance = [(one - other) ** 2 for one, other in product(points, repeat=2)]
    return float(1 - np.mean(observed) / np.mean(by_chance))


@given(designs)
def test_it_is_the_definition_on_incomplete_ratings(rows):
    figure = kappa_n(ratings_of(long_form(rows), scale=(1, 5)), QUICK)
    assert figure.estimate == pytest.approx(by_definition(rows, [1, 2, 3, 4, 5]), abs=1e-12)
    assert (figure.coefficient, figure.variant) == ("kappa_n", "quadratic, q=5")


def test_it_weighs_the_values_of_the_points():
    rows = [[1.0, 2.0, 1.0], [5.0, 5.0, 2.0], [2.0, 2.0, 2.0], [1.0, 5.0, 1.0]]
    figure = kappa_n(ratings_of(long_form(rows)), QUICK)
    assert figure.estimate == pytest.approx(by_definition(rows, [1.0, 2.0, 5.0]), abs=1e-12)


def test_with_uniform_marginals_it_is_the_weighted_kappa_of_statsmodels():
    table = np.array([[3, 1, 0, 1], [1, 2, 2, 0], [1, 1, 2, 1], [0, 1, 1, 3]])
    assert set(table.sum(axis=0)) == set(table.sum(axis=1)) == {5}
    rows = [[one + 1, other + 1] for one, other in np.ndindex(4, 4) for _ in range(table[one, other])]
    expected = cohens_kappa(table, wt="quadratic", return_results=False)
    assert kappa_n(ratings_of(long_form(rows), scale=(1, 4)), QUICK).estimate == pytest.approx(expected)


def test_without_weights_it_is_the_free_marginal_kappa_of_statsmodels():
    values = likert(1, 40, 3)
    counts = (values[:, :, None] == np.arange(1, 6)).sum(axis=1)
    ratings = ratings_of(long_form(values), scale=(1, 5))
    found = kappa_n(ratings, QUICK, "identity").estimate
    assert found == pytest.approx(fleiss_kappa(counts, method="randolph"))
    assert found == pytest.approx(brennan_prediger(ratings, QUICK).estimate)


def test_it_is_the_published_figure_of_irrcac():
    """Two abstractors and 100 records of the package's documentation: 0.835."""
    table = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
    rows = [[one, other] for one in range(3) for other in range(3) for _ in range(table[one][other])]
    found = kappa_n(ratings_of(long_form(rows), scale=(0, 2)), QUICK, "identity")
    assert found.estimate == pytest.approx(0.835)


def test_its_bootstrap_is_that_of_the_items_drawn():
    values = likert(4, 25, 3, missing=0.2)
    rng = np.random.default_rng(1)
    rows = [row for row in values.tolist() if np.isfinite(row).sum() > 1]
    drawn = [
        by_definition([rows[place] for place in rng.integers(0, len(rows), len(rows))], [1, 2, 3, 4, 5])
        for _ in range(4000)
    ]
    figure = kappa_n(ratings_of(long_form(values), scale=(1, 5)), Resampling(20_000, seed=1))
    assert (figure.low, figure.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.02)
    assert figure.interval_method == "percentile-bootstrap:items"
    assert figure.n_items == len(rows)


def test_exact_agreement_is_one_also_of_a_single_value():
    same: list[list[float]] = [[3, 3, 3], [3, 3, np.nan]]
    different: list[list[float]] = [[1, 1], [5, 5]]
    assert kappa_n(ratings_of(long_form(same), scale=(1, 5)), QUICK).estimate == 1.0
    assert kappa_n(ratings_of(long_form(different), scale=(1, 5)), QUICK).estimate == 1.0


@pytest.mark.parametrize(
    ("rows", "scale", "reason"),
    [
        ([[1, np.nan], [np.nan, 2]], (1, 5), "no_overlap"),
        ([[1], [2]], (1, 5), "too_few_raters"),
        ([[2, 2], [2, 2]], None, "constant_ratings"),
        ([[20, 40], [60, 60]], (0, 100), "continuous_scale"),
        ([[1.5, 2], [3, 3]], None, "continuous_scale"),
    ],
)
def test_what_cannot_be_computed_has_a_reason(rows, scale, reason):
    figure = kappa_n(ratings_of(long_form(rows), scale=scale), QUICK)
    assert (figure.reason, math.isnan(figure.estimate)) == (reason, True)


def test_one_item_has_an_estimate_without_an_interval():
    figure = kappa_n(ratings_of(long_form([[1, 2, 4]]), scale=(1, 5)), QUICK)
    disagreement = np.mean([(one - other) ** 2 for one, other in combinations([1, 2, 4], 2)])
    assert figure.estimate == pytest.approx(1 - disagreement / 4)
    assert figure.interval_method == "none:too_few_items"
