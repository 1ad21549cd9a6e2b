"""Tuples of two annotators: one-to-one, exact and by characters."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.resampling import Resampling
from scoring.stats.spans import Span, character_alpha, span_agreement

LENGTH = 12


def span(start: int, end: int) -> Span:
    return Span("x" * (end - start), start, end)


spans = st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 4)).map(
    lambda pair: span(pair[0], min(LENGTH, pair[0] + pair[1]))
)
tuples = st.lists(st.fixed_dictionaries({"tenor": spans, "vehicle": spans}), max_size=4)
marks = st.dictionaries(st.sampled_from(["i1", "i2", "i3"]), tuples, min_size=1)


def test_the_same_tuples_in_another_order_agree_wholly():
    one, other = {"tenor": span(0, 2), "vehicle": span(4, 6)}, {"tenor": span(7, 9), "vehicle": span(9, 11)}
    for matching in ("exact", "overlap"):
        found = span_agreement({"i": [one, other]}, {"i": [other, one]}, "tuple", matching)
        assert (found.precision, found.recall, found.f1) == (1, 1, 1)


def test_half_a_span_is_half_an_agreement_by_characters_and_none_exactly():
    first, second = {"i": [{"tenor": span(0, 4)}]}, {"i": [{"tenor": span(0, 2)}]}
    by_characters = span_agreement(first, second, "tenor", "overlap")
    assert (by_characters.precision, by_characters.recall) == (1, 0.5)
    assert span_agreement(first, second, "tenor", "exact").f1 == 0


def test_a_wording_that_is_not_in_the_text_agrees_with_itself_only():
    free, same, other = Span("quiet"), Span("quiet"), Span("loud")
    assert span_agreement({"i": [{"ground": free}]}, {"i": [{"ground": same}]}, "ground", "exact").f1 == 1
    assert span_agreement({"i": [{"ground": free}]}, {"i": [{"ground": other}]}, "ground", "overlap").f1 == 0


def test_items_only_one_has_seen_do_not_count():
    marked = {"tenor": span(0, 2)}
    found = span_agreement({"i": [marked], "j": [marked]}, {"i": [marked]}, "tenor", "exact")
    assert (found.n_items, found.n_first, found.f1) == (1, 1, 1)


@given(marks, marks)
def test_f1_is_symmetric_and_precision_is_recall_the_other_way(first, second):
    for matching in ("exact", "overlap"):
        there, back = (
            span_agreement(*pair, "tuple", matching) for pair in ((first, second), (second, first))
        )
        assert there.f1 == pytest.approx(back.f1, nan_ok=True)
        assert there.precision == pytest.approx(back.recall, nan_ok=True)


@given(tuples.filter(len), tuples.filter(len))
def test_the_matching_shares_as_many_characters_as_any_one_to_one_matching_can(ones, others):
    found = span_agreement({"i": ones}, {"i": others}, "tuple", "overlap")
    few, many = sorted((ones, others), key=len)
    best = max(
        sum(one[part].overlap(other[part]) for one, other in zip(few, chosen, strict=True) for part in one)
        for chosen in permutations(many, len(few))
    )
    total = sum(one[part].length for one in (*ones, *others) for part in one)
    assert found.f1 == pytest.approx(2 * best / total)


def test_alpha_of_characters_is_one_for_the_same_marks_and_groups_them_by_item():
    same = {"i": [{"tenor": span(0, 3)}], "j": []}
    figure = character_alpha({"A": same, "B": same}, {"i": 5, "j": 4}, "tenor", Resampling(replicates=50))
    assert figure.estimate == 1
    assert figure.n_items == 9
    assert "groups" in figure.interval_method or np.isnan(figure.low)
