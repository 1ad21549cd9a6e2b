"""How much one of two was preferred: grades of competitors and their intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.base.proportions import mean_of
from scoring.stats.choices.graded import graded_wins

answers = st.lists(
    st.tuples(
        st.sampled_from("xyz"), st.sampled_from("xyz"), st.sampled_from(["a", "b", "tie"]), st.booleans()
    ),
    min_size=1,
    max_size=30,
)


def graded(rows: list[tuple[str, str, str, bool]]) -> dict[str, dict[str, Any]]:
    frame = pd.DataFrame(rows, columns=["a", "b", "outcome", "much"])
    frame = frame.assign(item=[f"P{number}" for number in range(len(rows))])
    return {row["competitor"]: row for row in graded_wins(frame, criterion="q", confidence=0.95)}


def test_grades_go_from_much_worse_to_much_better_whatever_the_side():
    found = graded(
        [("x", "y", "a", True), ("y", "x", "b", False), ("x", "y", "tie", False), ("y", "x", "a", True)]
    )
    counted = ("much_wins", "slight_wins", "ties", "slight_losses", "much_losses")
    assert [found["x"][name] for name in counted] == [1, 1, 1, 0, 1]
    assert found["x"]["grade"] == pytest.approx((1 + 0.75 + 0.5 + 0) / 4)


@given(answers)
def test_what_one_wins_the_other_loses(rows):
    found = graded(rows)
    assert sum(row["grade"] * row["n"] for row in found.values()) == pytest.approx(
        sum(a != b for a, b, _, _ in rows)
    )
    for better, worse in (("much_wins", "much_losses"), ("slight_wins", "slight_losses")):
        assert sum(row[better] for row in found.values()) == sum(row[worse] for row in found.values())


@given(st.lists(st.sampled_from([0, 0.25, 0.5, 0.75, 1]), min_size=3, max_size=40))
def test_the_interval_of_independent_answers_is_that_of_scipy(values):
    found = mean_of(np.array(values, dtype=float), np.arange(len(values)), 0.95)
    if len(set(values)) == 1:
        assert found.interval.reason == "no_item_variance"
        return
    expected = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.95)
    low, high = np.clip([expected.low, expected.high], 0, 1)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-12)


def test_answers_of_one_pair_count_as_one_unit():
    values = np.repeat([0.25, 1.0, 0.75, 0.5, 1.0, 0.0], 5)
    units = np.repeat(np.arange(6), 5)
    once = mean_of(values[::5], np.arange(6), 0.95).interval
    often = mean_of(values, units, 0.95).interval
    assert (often.low, often.high) == pytest.approx((once.low, once.high))
