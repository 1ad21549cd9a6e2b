"""Agreement of all annotators on their tuples, and of the marked characters."""

from __future__ import annotations

from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings

from scoring.stats.base.resampling import Resampling
from scoring.stats.spans.character_alpha import character_alpha
from scoring.stats.spans.marked_tuples import MarksError, MarksTable
from scoring.stats.spans.tuple_agreement import TupleAgreement, tuple_agreement
from tests.stats.marked import ITEMS, LENGTH, RATERS, frame_of, frames, span_agreement

FEW = Resampling(replicates=40, seed=1)
LENGTHS = dict.fromkeys(ITEMS, LENGTH)


def agreement(frame, **more) -> TupleAgreement:
    return tuple_agreement(MarksTable.from_frame(frame), name="tuples", resampling=FEW, **more)


def estimate(found: TupleAgreement, criterion: str, variant: str) -> float:
    return next(one.estimate for one in found.figures if (one.criterion, one.variant) == (criterion, variant))


@given(frames)
@settings(max_examples=40)
def test_alpha_of_characters_is_that_of_the_package_on_the_matrix_of_characters(frame):
    table = MarksTable.from_frame(frame, lengths=LENGTHS)
    matrix = np.full((len(RATERS), len(ITEMS) * LENGTH), np.nan)
    for row in frame.itertuples():
        at = ITEMS.index(row.item) * LENGTH
        of_item = matrix[RATERS.index(row.rater), at : at + LENGTH]
        of_item[np.isnan(of_item)] = 0
        if row.part == "tenor":
            of_item[row.start : row.end] = 1
    figure = character_alpha(table, LENGTHS, "tenor", "tenor", FEW)
    if figure.reason:
        met = (~np.isnan(matrix)).sum(axis=0) > 1
        assert not met.any() or len(np.unique(matrix[:, met][~np.isnan(matrix[:, met])])) < 2
    else:
        expected = krippendorff.alpha(reliability_data=matrix, level_of_measurement="nominal")
        assert figure.estimate == pytest.approx(expected)


def test_characters_of_a_wording_that_is_not_located_are_not_taken_as_unmarked():
    rows = [
        (item, rater, 1, "tenor", start, start + 3, "x")
        for start, item in enumerate(ITEMS)
        for rater in ("A", "B")
    ]
    located = MarksTable.from_frame(frame_of(*rows))
    with_third = MarksTable.from_frame(
        frame_of(*rows, *((item, "C", 1, "tenor", None, None, "the day") for item in ITEMS))
    )
    alone, together = (character_alpha(one, LENGTHS, "tenor", "tenor", FEW) for one in (located, with_third))
    assert (alone.estimate, together.estimate) == (1.0, 1.0)
    assert together.n_ratings == alone.n_ratings


def test_alpha_of_characters_needs_two_who_located_what_they_marked():
    located = [(item, "A", 1, "tenor", 0, 3, "x") for item in ITEMS]
    elsewhere = [(item, "B", 1, "tenor", None, None, "the day") for item in ITEMS]
    table = MarksTable.from_frame(frame_of(*located, *elsewhere))
    assert character_alpha(table, LENGTHS, "tenor", "tenor", FEW).reason == "not_located"


@given(frames)
@settings(max_examples=40)
def test_the_mean_is_that_of_the_pairs_and_the_pooled_figure_of_their_sums(frame):
    found, table = agreement(frame), MarksTable.from_frame(frame)
    by_pair = [
        span_agreement(table.raters[one], table.raters[other], ("tenor",), "exact")
        for one, other in combinations(sorted(table.raters), 2)
    ]
    if "tenor" in table.parts:
        f1 = [one.f1 for one in by_pair if one.f1 == one.f1]
        mean = estimate(found, "tuples:tenor", "exact, mean of pairs")
        assert mean == pytest.approx(np.mean(f1) if f1 else np.nan, nan_ok=True)
        hits = sum(one.recall * one.n_first for one in by_pair if one.n_first)
        both = sum(one.n_first + one.n_second for one in by_pair)
        pooled = estimate(found, "tuples:tenor", "exact, pooled")
        assert pooled == pytest.approx(2 * hits / both if both else np.nan, nan_ok=True)


@given(frames)
@settings(max_examples=25)
def test_names_of_raters_items_and_numbers_of_tuples_change_no_figure(frame):
    renamed = frame.assign(
        rater=frame["rater"].map({"A": "Z", "B": "M", "C": "D"}),
        item="x" + frame["item"],
        tuple=10 - frame["tuple"],
    ).sample(frac=1, random_state=1)
    before, after = agreement(frame), agreement(renamed)
    assert [one.estimate for one in after.figures] == pytest.approx(
        [one.estimate for one in before.figures], nan_ok=True
    )


@given(frames)
@settings(max_examples=25)
def test_annotators_who_mark_the_same_agree_exactly(frame):
    one = frame[frame["rater"] == frame["rater"].iloc[0]]
    both = frame_of(*one.assign(rater="P").to_numpy(), *one.assign(rater="Q").to_numpy())
    found = agreement(both, lengths=LENGTHS)
    # α of characters that are all marked is not defined.
    assert {figure.estimate for figure in found.figures if not figure.reason} == {1.0}
    assert {figure.reason for figure in found.figures} <= {"", "constant_ratings"}


def test_intervals_hold_the_estimate_and_each_pair_has_its_own():
    rows = [
        (f"i{number}", rater, 1, "tenor", 0, 2 + (number % 3 == 0 and rater == "B"), "x")
        for number in range(20)
        for rater in ("A", "B")
    ]
    found = agreement(frame_of(*rows))
    pooled = next(one for one in found.figures if one.variant == "exact, pooled")
    assert pooled.estimate == pytest.approx(13 / 20)
    assert pooled.low < pooled.estimate < pooled.high
    assert (pooled.n_items, pooled.n_raters, pooled.n_ratings) == (20, 2, 40)
    pairs = {(one.coefficient, one.variant): one.estimate for one in found.pairs if "tenor" in one.criterion}
    assert pairs["precision", "overlap, A|B"] == pytest.approx(40 / 47)
    assert pairs["recall", "overlap, A|B"] == 1


def drawn_in_groups(groups: dict[str, str] | None) -> dict[tuple[str, str, str], tuple[float, float, str]]:
    """Twenty items of five kinds; those of a kind are marked alike."""
    rows = [
        (f"i{number}", rater, 1, "tenor", 0, 3 + (number % 5 in {0, 3} and rater == "B"), "x")
        for number in range(20)
        for rater in ("A", "B")
    ]
    lengths = {f"i{number}": LENGTH for number in range(20)}
    found = tuple_agreement(
        MarksTable.from_frame(frame_of(*rows)),
        name="tuples",
        resampling=Resampling(replicates=1000, seed=3),
        lengths=lengths,
        groups=groups,
    )
    every = [*found.figures, *found.pairs]
    return {
        (one.criterion, one.coefficient, one.variant): (one.estimate, one.high - one.low, one.interval_method)
        for one in every
    }


def test_items_of_a_group_are_drawn_together_and_widen_every_interval():
    separate = drawn_in_groups(None)
    together = drawn_in_groups({f"i{number}": f"g{number % 5}" for number in range(20)})
    assert separate.keys() == together.keys()
    assert {method for _, _, method in separate.values()} == {"percentile-bootstrap:items"}
    assert {method for _, _, method in together.values()} == {"percentile-bootstrap:groups"}
    for figure, (estimate, width, _) in separate.items():
        assert together[figure][0] == estimate
        # Four alike in a group: twice as wide, in the mean. Precision and F1 of a sure pair have no width.
        assert together[figure][1] > 1.4 * width or together[figure][1] == width == 0


def test_groups_of_one_item_change_nothing():
    assert drawn_in_groups({f"i{number}": f"g{number}" for number in range(20)}) == drawn_in_groups(None)


def test_fewer_than_five_groups_bound_nothing():
    found = drawn_in_groups({f"i{number}": f"g{number % 4}" for number in range(20)})
    assert {method for _, _, method in found.values()} == {"none:too_few_groups"}


def test_nothing_to_compare_has_a_reason():
    seen = frame_of(("i", "A", None, None, None, None, None), ("i", "B", 1, "tenor", 0, 1, "x"))
    assert estimate(agreement(seen), "tuples:tenor", "exact, pooled") == 0
    alone = frame_of(("i", "A", 1, "tenor", 0, 1, "x"))
    assert {one.reason for one in agreement(alone).figures} == {"too_few_raters"}
    disjoint = frame_of(("i", "A", 1, "tenor", 0, 1, "x"), ("j", "B", 1, "tenor", 0, 1, "x"))
    assert {one.reason for one in agreement(disjoint).figures} == {"no_overlap"}
    other = frame_of(("i", "A", 1, "tenor", 0, 1, "x"), ("i", "B", 1, "tenor", 0, 1, "x"))
    slots = tuple_agreement(MarksTable.from_frame(other, identified=False), name="t", resampling=FEW)
    assert {one.reason for one in slots.figures if "mean" in one.variant} == {"anonymous_raters"}


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([("i", "A", 1, "tenor", 3, 3, "x")], "bad_span"),
        ([("i", "A", 1, "tenor", None, 3, "x")], "bad_span"),
        ([("i", "A", 1, "tenor", 0.5, 3, "x")], "bad_span"),
        ([("i", "A", 1, "tenor", None, None, "")], "bad_span"),
        ([("i", "A", None, "tenor", 0, 1, "x")], "missing_tuple"),
        ([("", "A", 1, "tenor", 0, 1, "x")], "missing_label"),
        ([("i1", "A", 1, "tenor", 0, LENGTH + 1, "x")], "outside_text"),
        ([("i", "A", 1, "tenor", 0, 1, "x")] * 2, "duplicate_mark"),
        (
            [("i1", "A", 1, "tenor", 0, 1, "x"), ("i1", "A", 1, "tenor", None, None, "x")],
            "contradicting_marks",
        ),
    ],
)
def test_what_cannot_be_counted_is_refused_with_its_rows(rows, code):
    with pytest.raises(MarksError) as caught:
        MarksTable.from_frame(frame_of(*rows), lengths=LENGTHS if code == "outside_text" else None)
    assert caught.value.code == code
    assert "row" in str(caught.value)


def test_alpha_says_how_many_items_and_characters_it_rests_on():
    rows = [(f"i{number}", rater, 1, "tenor", 0, 2, "x") for number in range(6) for rater in RATERS]
    frame = frame_of(*rows, ("alone", "A", 1, "tenor", 0, 1, "x"))
    lengths = {**{f"i{number}": 4 for number in range(6)}, "alone": 9}
    figure = character_alpha(MarksTable.from_frame(frame), lengths, "tenor", "tuples:tenor", FEW)
    assert (figure.n_items, figure.n_raters, figure.n_ratings) == (6, 3, 72)
    assert "|items:6|characters:24|" in figure.signature


def test_a_rater_without_shared_items_is_not_counted_and_four_items_bound_nothing():
    rows = [(f"i{n}", rater, 1, "tenor", n % 2, 3, "x") for n in range(4) for rater in ("A", "B")]
    found = agreement(frame_of(*rows, ("alone", "C", 1, "tenor", 0, 3, "x")))
    pooled = next(one for one in found.figures if one.variant == "exact, pooled")
    assert (pooled.n_items, pooled.n_raters) == (4, 2)
    assert pooled.interval_method == "none:too_few_items"
    assert {one.interval_method for one in found.pairs} == {"none:too_few_items", "none:no_overlap"}
