"""Systems that a judge puts in another order than people."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.judges.orders import difference, reversed_orders

VALUES = st.lists(st.integers(1, 5).map(float), min_size=3, max_size=12)


def placed(one: list[float], other: list[float], *, grouped: bool) -> tuple[pd.Series, pd.DataFrame]:
    names = [f"a{n}" for n in range(len(one))] + [f"b{n}" for n in range(len(other))]
    places = pd.DataFrame({"system": ["a"] * len(one) + ["b"] * len(other)}, index=names)
    if grouped:
        places["group"] = [name[1:] for name in names]
    return pd.Series([*one, *other], index=names, dtype=float), places


@given(VALUES, VALUES)
def test_items_without_groups_are_two_independent_samples(one, other):
    values, places = placed(one, other, grouped=False)
    found = difference(values, places, "a", "b")
    assert found.estimate == pytest.approx(np.mean(one) - np.mean(other))
    if np.std(one) + np.std(other) > 0:
        expected = scipy.stats.ttest_ind(one, other, equal_var=False).pvalue
        assert found.p == pytest.approx(expected, abs=1e-9)


@given(VALUES, st.data())
def test_items_of_the_same_groups_are_compared_within_groups(one, data):
    other = data.draw(st.lists(st.integers(1, 5).map(float), min_size=len(one), max_size=len(one)))
    values, places = placed(one, other, grouped=True)
    found = difference(values, places, "a", "b")
    if np.std(np.subtract(one, other)) > 0:
        assert found.p == pytest.approx(scipy.stats.ttest_rel(one, other).pvalue, abs=1e-9)
    else:
        assert found.p == float(one == other)


def test_items_of_groups_that_no_two_systems_share_count_as_one_value_a_group():
    """Items of one group are alike: taken as independent they would make chance differences certain."""
    random = np.random.default_rng(1)
    wrong = 0
    for _ in range(200):
        groups = np.repeat(random.normal(size=20), 10)
        values = pd.Series(groups + random.normal(scale=0.5, size=200), index=[f"i{n}" for n in range(200)])
        places = pd.DataFrame({"system": ["a"] * 100 + ["b"] * 100}, index=values.index)
        places["group"] = [f"g{n // 10}" for n in range(200)]
        found = difference(values, places, "a", "b")
        assert found.n == 20
        wrong += found.p < 0.05
    # 10 are expected of 200 tests at .05; 19 or more come once in two hundred.
    assert wrong < 19


def test_two_systems_that_share_one_group_are_not_compared():
    values = pd.Series([1.0, 2.0, 3.0, 4.0], index=list("wxyz"))
    places = pd.DataFrame({"system": list("aabb"), "group": ["g", "h", "g", "k"]}, index=values.index)
    assert np.isnan(difference(values, places, "a", "b").p)


def test_a_pair_is_reversed_only_where_the_judge_is_sure_and_people_say_the_opposite():
    generator = np.random.default_rng(3)
    people, places = placed(list(generator.normal(4, 1, 30)), list(generator.normal(3, 1, 30)), grouped=False)
    against, places = placed(
        list(generator.normal(3, 0.3, 30)), list(generator.normal(4, 0.3, 30)), grouped=False
    )
    (found,) = reversed_orders(people, against, places)
    assert (found.above, found.below, found.significant) == ("b", "a", True)
    assert found.judge.estimate > 0 > found.people.estimate
    assert reversed_orders(people, people, places) == []
    unsure = people.sample(frac=1, random_state=1).set_axis(people.index)
    assert reversed_orders(people, unsure, places) == []


def test_items_without_systems_have_no_order():
    values, places = placed([1, 2, 3], [4, 5, 6], grouped=False)
    assert reversed_orders(values, values, places.drop(columns="system")) == []
