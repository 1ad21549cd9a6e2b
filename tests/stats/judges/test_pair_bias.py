"""Biases of judges of pairs: shares against those of people, and both orders, from their definitions."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
import scipy
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.judges.pair_bias import both_orders, paired_shares
from scoring.stats.judges.unit_sums import Units, interval_of_mean

HITS = [0.0, 0.5, 1.0]


def alone(n: int) -> Units:
    return Units.of(None, n)


@given(seed=st.integers(0, 10_000), n=st.integers(6, 60))
@settings(max_examples=30)
def test_shares_and_the_interval_of_their_difference_are_those_of_a_paired_t_test(seed, n):
    draw = np.random.default_rng(seed)
    judge, people = draw.choice(HITS, n), draw.random(n)
    judge[0], people[1] = np.nan, np.nan
    found = paired_shares(judge, people, alone(n))
    known = [(one, other) for one, other in zip(judge, people, strict=True) if not math.isnan(one + other)]
    assert found.n_items == len(known) == n - 2
    assert found.judge.hits / found.judge.n == pytest.approx(
        statistics.fmean(one for one, _ in known), abs=1e-9
    )
    assert found.people.hits / found.people.n == pytest.approx(
        statistics.fmean(two for _, two in known), abs=1e-9
    )
    differences = [one - other for one, other in known]
    assert found.difference == pytest.approx(statistics.fmean(differences), abs=1e-9)
    if n - 2 >= 5:
        limits = scipy.stats.ttest_1samp(differences, 0).confidence_interval(0.95)
        assert [found.interval.low, found.interval.high] == pytest.approx(list(limits), abs=1e-9)
        assert found.differs == (limits[0] > 0 or limits[1] < 0)


def test_items_of_a_group_are_not_independent():
    draw = np.random.default_rng(1)
    groups = draw.integers(0, 20, 120)
    values = draw.normal(0.2, 1, 120) + draw.normal(0, 1, 20)[groups]
    found = interval_of_mean(values, Units.of(groups, 120), 0.95)
    fit = sm.OLS(values, np.ones(120)).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": True}, use_t=True
    )
    assert [found.low, found.high] == pytest.approx(list(fit.conf_int()[0]), abs=1e-9)
    assert found.method == "t:groups"


@pytest.mark.parametrize(("n", "reason"), [(0, "too_few_items"), (4, "too_few_items")])
def test_few_items_have_no_interval_and_raise_no_caution(n, reason):
    found = paired_shares(np.ones(n), np.zeros(n), alone(n))
    assert (found.interval.reason, found.differs) == (reason, False)
    assert found.to_row()["reason"] == ("" if n else "too_few_items")
    assert (found.to_row()["difference"] is None) == (n == 0)


def test_equal_differences_have_no_interval():
    assert paired_shares(np.ones(30), np.zeros(30), alone(30)).interval.reason == "no_item_variance"


@given(pairs=st.lists(st.tuples(st.sampled_from(HITS), st.sampled_from(HITS)), min_size=0, max_size=40))
@settings(max_examples=40)
def test_both_orders_count_what_they_say(pairs):
    one, other = (np.array([pair[place] for pair in pairs], dtype=float) for place in (0, 1))
    found = both_orders(one, other, alone(len(pairs)))
    row = found.to_row()
    assert found.consistent.hits == sum(first + second == 1 for first, second in pairs)
    assert found.first == pairs.count((1.0, 1.0))
    assert found.second == pairs.count((0.0, 0.0))
    assert row["n_pairs"] == len(pairs)
    if pairs:
        wanted = statistics.fmean(first + second - 1 for first, second in pairs)
        assert found.preference == pytest.approx(wanted, abs=1e-12)
    else:
        assert (row["preference"], row["reason"]) == (None, "too_few_items")
    assert math.isnan(found.preference) == (not pairs)


def test_a_judge_that_takes_the_first_text_in_both_orders_is_found():
    draw = np.random.default_rng(2)
    biased = both_orders(np.ones(40), (draw.random(40) < 0.6).astype(float), alone(40))
    assert biased.differs
    assert biased.interval.low > 0
    fair = (draw.random(40) < 0.5).astype(float)
    assert not both_orders(fair, 1 - fair, alone(40)).differs
