"""Pairs that a metric orders against the raters are counted by candidates, items and answers."""

from __future__ import annotations

import pandas as pd
import pytest

from scoring.stats.choices.orders.coded_orders import Orders
from scoring.stats.choices.orders.inversions import inversion_rows

pytestmark = pytest.mark.pure


def test_inversions_by_hand():
    answers = pd.DataFrame(
        [
            ("I1", "P", "a>b>c"),
            ("I1", "Q", "a>b=c"),
            ("I1", "R", "b>a>c"),
            ("I2", "P", "c>a>b"),
            ("I2", "Q", "a>c>b"),
        ],
        columns=["item", "rater", "value"],
    )
    orders = Orders.of(answers, "order", ("a", "b", "c"))
    candidates = [["heron", "owl", "wren"]] * 3 + [["owl", "heron", "wren"]] * 2
    scores = {"I1": {"a": 1.0, "b": 2.0, "c": 2.0}, "I2": {"a": 5.0, "b": 4.0}}
    found = {(row.pop("first"), row.pop("second")): row for row in inversion_rows(orders, candidates, scores)}
    # I1: two of three put a above b, the metric b above a. I2: both put a above b, as the metric does.
    assert found["heron", "owl"] == {"n": 2, "inverted": 1, "tied": 0, "answers": 5, "against": 2}
    assert found["heron", "wren"] == {"n": 1, "inverted": 1, "tied": 0, "answers": 3, "against": 3}
    assert found["owl", "wren"] == {"n": 1, "inverted": 0, "tied": 1, "answers": 2, "against": 0}


def test_candidates_that_as_many_raters_put_above_as_below_are_left_out():
    answers = pd.DataFrame([("I", "P", "a>b"), ("I", "Q", "b>a")], columns=["item", "rater", "value"])
    orders = Orders.of(answers, "order", ("a", "b"))
    assert inversion_rows(orders, [["x", "y"]] * 2, {"I": {"a": 1.0, "b": 2.0}}) == []
