"""HR@k, nDCG@k and MRR against the enumeration of every way to break the ties of both orders."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.metrics.ranking import hit_ratio, ndcg, reciprocal_rank

MEASURES = {
    "HR@1": lambda m, h, g, ties: hit_ratio(m, h, g, 1, ties),
    "HR@2": lambda m, h, g, ties: hit_ratio(m, h, g, 2, ties),
    "nDCG@2": lambda m, h, g, ties: ndcg(m, h, g, 2, ties),
    "MRR:human": lambda m, h, g, ties: reciprocal_rank(m, h, g, ties, reading="human"),
    "MRR:metric": reciprocal_rank,
}


def by_orders(name, first, second, human):
    """The measure of one metric's order and one human order."""
    kind, _, k = name.partition("@")
    if kind == "HR":
        return len(set(first[: int(k)]) & set(second[: int(k)])) / int(k)
    if kind == "nDCG":
        discount = 1 / np.log2(np.arange(2, int(k) + 2))
        return human[list(first[: int(k)])] @ discount / (human[list(second[: int(k)])] @ discount)
    if name == "MRR:human":
        return 1 / (list(second).index(first[0]) + 1)
    return 1 / (list(first).index(second[0]) + 1)


def orders(values):
    """All orders from greatest to least, one for each way to break the ties."""
    runs = [itertools.permutations(np.flatnonzero(values == value)) for value in np.unique(values)[::-1]]
    return [tuple(itertools.chain(*parts)) for parts in itertools.product(*map(list, runs))]


@pytest.mark.parametrize("name", MEASURES)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3)), min_size=3, max_size=5))
@settings(max_examples=25, deadline=None)
def test_expected_is_the_mean_over_all_tie_breakings(name, candidates):
    metric, human = np.array(candidates, dtype=float).T
    every = [by_orders(name, first, second, human) for first in orders(metric) for second in orders(human)]
    found = MEASURES[name](metric, human, np.zeros(len(metric), dtype=np.int64), "expected")
    assert found.value == pytest.approx(np.mean(every), abs=1e-12)


@pytest.mark.parametrize("name", MEASURES)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3)), min_size=3, max_size=7))
@settings(max_examples=25, deadline=None)
def test_stable_keeps_the_order_of_the_file(name, candidates):
    metric, human = np.array(candidates, dtype=float).T
    first, second = (sorted(range(len(side)), key=lambda place: -side[place]) for side in (metric, human))
    found = MEASURES[name](metric, human, np.zeros(len(metric), dtype=np.int64), "stable")
    assert found.value == pytest.approx(by_orders(name, first, second, human), abs=1e-12)


@pytest.mark.parametrize("name", MEASURES)
@given(st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_the_order_of_candidates_does_not_change_the_expected_value(name, seed):
    rng = np.random.default_rng(seed)
    metric, human = rng.integers(0, 3, 24) / 10, rng.integers(1, 4, 24) / 3
    group = np.repeat(np.arange(4), 6)
    order = rng.permutation(24)
    before = MEASURES[name](metric, human, group, "expected")
    after = MEASURES[name](metric[order] * 7 + 2, human[order], group[order], "expected")
    assert after.value == pytest.approx(before.value, abs=1e-12)


def test_small_groups_and_groups_without_gain_are_dropped_and_counted():
    metric, human = np.arange(8.0), np.array([0, 0, 0, 1, 2, 3, 4, 5.0])
    group = np.array([0, 0, 0, 1, 1, 1, 2, 2])
    found = ndcg(metric, human, group, 1)
    assert (found.n_groups, found.n_dropped, found.value) == (1, 2, 1.0)
    assert hit_ratio(metric, human, group, 1).n_groups == 2


def test_a_candidate_without_a_score_is_no_candidate():
    metric = np.array([1.0, 2.0, np.nan, 3.0])
    found = reciprocal_rank(metric, np.array([1.0, 2, 9, 3]), np.zeros(4, dtype=np.int64))
    assert found.value == 1.0


def test_a_metric_without_preference_has_no_luck():
    human = np.array([5.0, 4, 3, 2])
    group = np.zeros(4, dtype=np.int64)
    assert hit_ratio(np.ones(4), human, group, 1).value == pytest.approx(1 / 4)
    assert hit_ratio(np.ones(4), human, group, 1, "stable").value == 1.0
