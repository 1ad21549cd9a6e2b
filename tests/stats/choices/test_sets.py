"""Sets of options: MASI by its definition; α against a loop over pairs."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.sets import SetAnswers, masi_alpha, masi_distance, option_alphas

QUICK = Resampling(replicates=30)
sets = st.frozensets(st.sampled_from("abc"))
designs = st.lists(st.lists(sets, min_size=1, max_size=4), min_size=2, max_size=8)


def answers_of(rows: list[list[frozenset[str]]]) -> SetAnswers:
    places = [(f"i{item}", f"r{rater}") for item, row in enumerate(rows) for rater in range(len(row))]
    return SetAnswers(
        "category",
        [item for item, _ in places],
        [rater for _, rater in places],
        [one for row in rows for one in row],
    )


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("ab", "ab", 0),
        ("", "", 0),
        ("ab", "c", 1),
        ("a", "ab", 1 - 1 / 2 * 2 / 3),
        ("ab", "bc", 1 - 1 / 3 * 1 / 3),
    ],
)
def test_masi_is_jaccard_times_monotonicity(one, other, distance):
    assert masi_distance(frozenset(one), frozenset(other)) == pytest.approx(distance)


@given(sets, sets)
def test_masi_is_a_symmetric_distance_between_0_and_1(one, other):
    assert masi_distance(one, other) == masi_distance(other, one)
    assert 0 <= masi_distance(one, other) <= 1
    assert (masi_distance(one, other) == 0) == (one == other)


@given(designs)
def test_alpha_is_one_less_observed_over_expected_disagreement(rows):
    figure = masi_alpha(answers_of(rows), QUICK)
    paired = [row for row in rows if len(row) >= 2]
    values = [one for row in paired for one in row]
    if len(set(values)) < 2 or len(paired) < 2:
        assert np.isnan(figure.estimate)
        return
    observed = sum(
        masi_distance(one, other) / (len(row) - 1) for row in paired for one, other in permutations(row, 2)
    )
    expected = sum(masi_distance(one, other) for one, other in permutations(values, 2)) / (len(values) - 1)
    assert figure.estimate == pytest.approx(1 - observed / expected, abs=1e-12)


def test_every_option_has_its_own_alpha():
    figures = option_alphas(
        answers_of([[frozenset("a"), frozenset("ab")], [frozenset("b"), frozenset("b")]]), QUICK
    )
    assert [figure.criterion for figure in figures] == ["category:a", "category:b"]
    assert figures[0].estimate == 1


def test_a_rater_who_answers_twice_is_refused():
    with pytest.raises(ValueError, match="once"):
        SetAnswers("category", ["i", "i"], ["r", "r"], [frozenset("a"), frozenset("b")])


def test_sets_of_grouped_items_are_drawn_by_group_and_need_five():
    rng = np.random.default_rng(6)
    rows = [[frozenset(rng.choice(list("abc"), 2)) for _ in range(2)] for _ in range(6)]
    plain = answers_of([row for row in rows for _ in range(3)])
    number = {item: int(item[1:]) // 3 for item in plain.items}
    grouped = replace(plain, groups=[f"g{number[item]}" for item in plain.items])
    few = replace(plain, groups=[f"g{number[item] % 4}" for item in plain.items])
    alone, together, none = (masi_alpha(one, QUICK) for one in (plain, grouped, few))
    assert alone.estimate == pytest.approx(together.estimate)
    assert together.interval_method == "percentile-bootstrap:groups"
    assert together.high - together.low > 1.2 * (alone.high - alone.low)
    assert none.interval_method == "none:too_few_groups"
    assert masi_alpha(answers_of(rows[:4]), QUICK).interval_method == "none:too_few_items"
