"""W, τ and equal pairs follow their definitions, with ties, of any number of raters and options."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scipy

from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.orders.coded_orders import Orders
from scoring.stats.choices.orders.concordance import equal_pairs, kendall_w, mean_tau, order_agreement

pytestmark = pytest.mark.pure
QUICK = Resampling(replicates=200, seed=3)


def random_places(seed: int, *, ties: bool) -> np.ndarray:
    rng = np.random.default_rng(seed)
    raters, options = int(rng.integers(2, 8)), int(rng.integers(2, 11))
    if ties:
        found = rng.integers(0, max(2, options // 2), size=(raters, options))
        return np.array([np.unique(row, return_inverse=True)[1] for row in found])
    return np.array([rng.permutation(options) for _ in range(raters)])


def orders_of(rows: list[tuple[str, str, str]], options: str = "abcd", **groups: str) -> Orders:
    frame = pd.DataFrame(rows, columns=["item", "rater", "value"])
    frame["group"] = [groups.get(item, "") for item in frame["item"]]
    return Orders.of(frame, "order", tuple(options))


@pytest.mark.parametrize("seed", range(40))
def test_without_ties_w_is_friedmans_statistic_over_its_maximum(seed):
    places = random_places(seed, ties=False)
    raters, options = places.shape
    if options < 3 or raters < 3:
        return
    statistic = scipy.stats.friedmanchisquare(*places.T).statistic
    assert kendall_w(places) == pytest.approx(statistic / (raters * (options - 1)), abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_with_ties_w_is_the_mean_spearman_correlation_in_disguise(seed):
    """With m raters (m W − 1) / (m − 1) is the mean ρ, where all rank variances are equal: weighted else."""
    places = random_places(seed, ties=True)
    ranks = scipy.stats.rankdata(places, axis=1)
    variances = ranks.var(axis=1)
    if not variances.any():
        assert math.isnan(kendall_w(places))
        return
    # Variance of the rank sums over the greatest they could have with the raters' own variances.
    expected = ranks.sum(axis=0).var() / (len(ranks) * variances.sum())
    assert kendall_w(places) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_tau_is_the_mean_over_pairs_of_raters_of_scipys(seed):
    places = random_places(seed, ties=bool(seed % 2))
    taus = [
        scipy.stats.kendalltau(one, other).statistic
        for one, other in combinations(places, 2)
        if len(set(one)) > 1 and len(set(other)) > 1
    ]
    assert mean_tau(places) == pytest.approx(np.mean(taus) if taus else math.nan, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("seed", range(20))
def test_equal_pairs_are_counted_one_by_one(seed):
    places = random_places(seed, ties=bool(seed % 2))
    same = [
        np.sign(one[i] - one[j]) == np.sign(other[i] - other[j])
        for one, other in combinations(places, 2)
        for i, j in combinations(range(places.shape[1]), 2)
    ]
    assert equal_pairs(places) == pytest.approx(np.mean(same), abs=1e-12)


def test_equal_orders_agree_fully_and_opposite_ones_not_at_all():
    alike = np.array([[0, 1, 2, 3]] * 3)
    assert (kendall_w(alike), mean_tau(alike), equal_pairs(alike)) == (1, 1, 1)
    opposite = np.array([[0, 1, 2, 3], [3, 2, 1, 0]])
    assert (kendall_w(opposite), mean_tau(opposite), equal_pairs(opposite)) == (0, -1, 0)


def test_a_figure_is_the_mean_over_items_with_several_raters():
    rows = [("I-1", "R-1", "a>b>c>d"), ("I-1", "R-2", "a>b>c>d"), ("I-2", "R-1", "a>b>c>d")]
    rows += [("I-3", "R-1", "a>b>c>d"), ("I-3", "R-2", "d>c>b>a")]
    figures = {one.coefficient: one for one in order_agreement(orders_of(rows), QUICK)}
    assert {key: one.estimate for key, one in figures.items()} == {
        "kendall_w": 0.5,
        "kendall_tau": 0,
        "pair_order": 0.5,
    }
    assert {(one.n_items, one.n_raters, one.n_ratings) for one in figures.values()} == {(2, 2, 4)}
    assert figures["kendall_w"].interval_method == "none:too_few_items"


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("I-1", "R-1", "a>b>c>d"), ("I-2", "R-1", "a>b>c>d")], "too_few_raters"),
        ([("I-1", "R-1", "a>b>c>d"), ("I-2", "R-2", "a>b>c>d")], "no_overlap"),
        ([("I-1", "R-1", "a=b=c=d"), ("I-1", "R-2", "a=b=c=d")], "constant_ratings"),
    ],
)
def test_without_two_orders_to_compare_there_is_a_reason_and_no_number(rows, reason):
    w = order_agreement(orders_of(rows), QUICK)[0]
    assert math.isnan(w.estimate)
    assert w.reason == reason


def test_intervals_hold_the_estimate_and_are_resampled_over_groups_where_there_are_any():
    rng = np.random.default_rng(7)
    rows = [
        (
            f"I-{item:02d}",
            f"R-{rater}",
            ">".join(np.array(list("abcd"))[np.argsort(rng.normal(range(4), 1.5))]),
        )
        for item in range(40)
        for rater in range(4)
    ]
    (w, tau, pairs), grouped = (
        order_agreement(orders_of(rows, **groups), QUICK)
        for groups in ({}, {f"I-{item:02d}": f"G-{item // 4}" for item in range(40)})
    )
    for one in (w, tau, pairs):
        assert one.low < one.estimate < one.high
        assert one.interval_method == "percentile-bootstrap:items"
    assert grouped[0].interval_method == "percentile-bootstrap:groups"
    assert grouped[0].estimate == w.estimate


def test_items_of_two_form_versions_are_compared_on_the_options_that_both_have():
    rows = [("I-1", "R-1", "a>b>c"), ("I-1", "R-2", "d>a>b>c")]
    assert order_agreement(orders_of(rows), QUICK)[0].estimate == 1
