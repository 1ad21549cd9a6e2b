"""Tuples of two annotators: one-to-one, exact and by characters."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given

from scoring.stats.spans.marked_tuples import Mark
from scoring.stats.spans.matched_spans import MATCHINGS, Matching
from tests.stats.marked import marked_items, span_agreement, tuples

BOTH = ("tenor", "vehicle")
TENOR = ("tenor",)


def span(start: int, end: int) -> list[Mark]:
    return [Mark.span(start, end)]


def test_the_same_tuples_in_another_order_agree_wholly():
    one, other = {"tenor": span(0, 2), "vehicle": span(4, 6)}, {"tenor": span(7, 9), "vehicle": span(9, 11)}
    for matching in MATCHINGS:
        found = span_agreement({"i": [one, other]}, {"i": [other, one]}, BOTH, matching)
        assert (found.precision, found.recall, found.f1) == (1, 1, 1)


def test_half_a_span_is_half_an_agreement_by_characters_and_none_exactly():
    first, second = {"i": [{"tenor": span(0, 4)}]}, {"i": [{"tenor": span(0, 2)}]}
    by_characters = span_agreement(first, second, TENOR, "overlap")
    assert (by_characters.precision, by_characters.recall) == (1, 0.5)
    assert span_agreement(first, second, TENOR, "exact").f1 == 0


def test_discontinuous_spans_are_one_mark_that_agrees_by_its_characters():
    two_pieces, one_piece = [Mark("a…b", frozenset({0, 1, 5, 6}))], span(0, 2)
    found = span_agreement({"i": [{"tenor": two_pieces}]}, {"i": [{"tenor": one_piece}]}, TENOR, "overlap")
    assert (found.precision, found.recall) == (1, 0.5)
    assert found.f1 == pytest.approx(2 / 3)


def test_a_wording_that_is_not_in_the_text_agrees_with_itself_only():
    def agree(one: Mark, other: Mark, matching: Matching) -> float:
        return span_agreement({"i": [{"g": [one]}]}, {"i": [{"g": [other]}]}, ("g",), matching).f1

    assert agree(Mark("quiet"), Mark("quiet"), "exact") == 1
    assert agree(Mark("quiet"), Mark("loud"), "overlap") == 0
    assert agree(Mark("quiet"), Mark.span(3, 8, "quiet"), "overlap") == 1
    assert agree(Mark("quiet"), Mark.span(3, 8, "quiet"), "exact") == 0


def test_one_of_two_grounds_is_half_of_the_tuple_by_characters():
    both, one = [Mark("calm air"), Mark("wide sea")], [Mark("wide sea")]
    found = span_agreement({"i": [{"g": both}]}, {"i": [{"g": one}]}, ("g",), "overlap")
    assert (found.precision, found.recall) == (1, 0.5)


def test_items_only_one_has_seen_do_not_count_and_those_with_nothing_found_do():
    marked = {"tenor": span(0, 2)}
    found = span_agreement(
        {"i": [marked], "j": [marked], "k": [marked]}, {"i": [marked], "k": []}, TENOR, "exact"
    )
    assert (found.n_items, found.n_first, found.n_second) == (2, 2, 1)
    assert found.recall == 0.5


@given(marked_items, marked_items)
def test_f1_is_symmetric_and_precision_is_recall_the_other_way(first, second):
    for matching in MATCHINGS:
        there, back = (span_agreement(*pair, BOTH, matching) for pair in ((first, second), (second, first)))
        assert there.f1 == pytest.approx(back.f1, nan_ok=True)
        assert there.precision == pytest.approx(back.recall, nan_ok=True)


@given(marked_items)
def test_a_rater_compared_with_themselves_agrees_exactly(marked):
    for matching in MATCHINGS:
        found = span_agreement(marked, marked, BOTH, matching)
        assert found.f1 == 1 or (found.n_first == 0 and found.f1 != found.f1)


@given(tuples, tuples)
def test_the_matching_shares_as_many_characters_as_any_one_to_one_matching_can(ones, others):
    def length(many):
        return sum(mark.length for one in many for marks in one.values() for mark in marks)

    def between(one, other):
        return sum(_best(one[part], other[part]) for part in BOTH)

    found = span_agreement({"i": ones}, {"i": others}, BOTH, "overlap")
    few, many = sorted((ones, others), key=len)
    best = max(
        sum(between(one, other) for one, other in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )
    total = length(ones) + length(others)
    assert found.f1 == pytest.approx(2 * best / total if total else float("nan"), nan_ok=True)


def _best(ones, others):
    few, many = sorted((ones, others), key=len)
    return max(
        sum(one.overlap(other) for one, other in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )
