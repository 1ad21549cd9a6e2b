"""Agreement on marked errors equals what plain counting and independent packages compute."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.agreement.alpha import alpha
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.bootstrap.units import item_units
from scoring.stats.data.table import RatingsTable
from scoring.stats.spans.character_alpha import alpha_of_characters
from scoring.stats.spans.errors.agreement import MARKED, WEIGHTED, MarkedErrors, error_agreement
from scoring.stats.spans.errors.scores import CHARACTERS, PER, WORDS, ScoreFormula
from scoring.stats.spans.errors.spans import MATCHINGS, ErrorSpan, OfErrors, heaviest

LENGTH = 24
spans = st.builds(
    lambda start, length, category, weight: ErrorSpan(start, min(start + length, LENGTH), category, weight),
    st.integers(0, LENGTH - 1),
    st.integers(1, 8),
    st.sampled_from("ab"),
    st.sampled_from([1.0, 5.0, 25.0]),
)
answers = st.lists(spans, max_size=3, unique=True)
few = Resampling(replicates=50, seed=1)


def naive(one: list[ErrorSpan], other: list[ErrorSpan], matching: str) -> tuple[float, float, float]:
    """The best of all one-to-one matchings, tried one after the other."""
    weighted = matching.endswith("weighted")

    def size(span: ErrorSpan) -> float:
        characters = 1 if matching.startswith("exact") else span.end - span.start
        return characters * (span.weight if weighted else 1)

    def gain(a: ErrorSpan, b: ErrorSpan) -> float:
        weight = min(a.weight, b.weight) if weighted else 1
        if matching.startswith("exact"):
            return weight * ((a.start, a.end, a.category) == (b.start, b.end, b.category))
        return weight * len(set(range(a.start, a.end)) & set(range(b.start, b.end)))

    short, long = sorted((one, other), key=len)
    pairings = [zip(short, chosen, strict=True) for chosen in permutations(long, len(short))]
    hits = max(sum(gain(a, b) for a, b in pairing) for pairing in pairings)
    return hits, sum(map(size, one)), sum(map(size, other))


@pytest.mark.parametrize("matching", MATCHINGS)
@given(one=answers, other=answers)
def test_what_two_raters_share_is_the_best_matching(matching, one, other):
    found = OfErrors(matching).shared(one, other)
    assert (found.hits, found.first, found.second) == pytest.approx(naive(one, other, matching), abs=1e-9)


@settings(max_examples=40)
@given(st.lists(st.tuples(answers, answers, answers), min_size=2, max_size=4))
def test_f1_and_alpha_equal_counting_by_hand_and_the_krippendorff_package(texts):
    raters = {
        f"R{rater}": {f"I{item}": errors[rater] for item, errors in enumerate(texts)} for rater in range(3)
    }
    marked = MarkedErrors(raters, {f"I{item}": LENGTH for item in range(len(texts))}, {}, identified=True)
    found = error_agreement(marked, "errors", few)
    figures = {(one.coefficient, one.variant): one.estimate for one in found.figures}
    for matching in MATCHINGS:
        counted = [
            naive(errors[a], errors[b], matching) for errors in texts for a, b in combinations(range(3), 2)
        ]
        hits, first, second = map(sum, zip(*counted, strict=True))
        expected = 2 * hits / (first + second) if first + second else math.nan
        assert figures["f1", f"{matching}, pooled"] == pytest.approx(expected, abs=1e-9, nan_ok=True)
    weights = np.zeros((3, LENGTH * len(texts)))
    for item, errors in enumerate(texts):
        for rater in range(3):
            for span in errors[rater]:
                for at in range(span.start, span.end):
                    place = item * LENGTH + at
                    weights[rater, place] = max(weights[rater, place], span.weight)
    if len(np.unique(weights > 0)) > 1:
        covered = krippendorff.alpha((weights > 0).astype(float), level_of_measurement="nominal")
        assert figures["alpha", MARKED] == pytest.approx(covered, abs=1e-9)
        weighted = krippendorff.alpha(weights, level_of_measurement="interval")
        assert figures["alpha", WEIGHTED] == pytest.approx(weighted, abs=1e-9)


def test_precision_and_recall_of_a_pair_are_of_the_second_rater_against_the_first():
    one, other = [ErrorSpan(0, 4, "a", 1.0), ErrorSpan(6, 9, "a", 5.0)], [ErrorSpan(0, 4, "a", 1.0)]
    raters = {"R1": {"I": one}, "R2": {"I": other}}
    found = error_agreement(MarkedErrors(raters, {"I": 12}, {}, identified=True), "errors", few)
    pairs = {(row.coefficient, row.variant): row.estimate for row in found.pairs}
    assert pairs["precision", "exact, R1|R2"] == 1.0
    assert pairs["recall", "exact, R1|R2"] == 0.5
    assert pairs["recall", "exact, weighted, R1|R2"] == pytest.approx(1 / 6)
    assert pairs["recall", "overlap, R1|R2"] == pytest.approx(4 / 7)


def test_without_any_marked_span_there_is_no_agreement_but_a_reason():
    raters: dict[str, dict[str, list[ErrorSpan]]] = {"R1": {"I": []}, "R2": {"I": []}}
    found = error_agreement(MarkedErrors(raters, {"I": 12}, {}, identified=True), "errors", few)
    f1 = next(row for row in found.figures if row.coefficient == "f1")
    assert math.isnan(f1.estimate)
    assert f1.reason == "nothing_marked"


@given(st.lists(st.floats(0.1, 50)), st.sampled_from(PER), st.none() | st.floats(0.5, 60))
def test_a_score_is_the_sum_of_weights_by_length_and_at_most_the_cap(weights, per, cap):
    text = "one two three 四"
    by = {CHARACTERS: 100 / 15, WORDS: 100 / 4}.get(per, 1.0)
    score = ScoreFormula(per, cap).score(weights, text)
    assert score == pytest.approx(min(sum(weights) * by, math.inf if cap is None else cap), abs=1e-9)
    assert ScoreFormula(per, cap).score([], text) == 0.0


def test_texts_without_characters_say_nothing_of_their_characters():
    marked = MarkedErrors({"a": {"I1": []}, "b": {"I1": []}}, {"I1": 0}, {}, True)
    found = error_agreement(marked, "errors", few)
    assert "alpha" not in {one.coefficient for one in found.figures}


@settings(max_examples=20)
@given(
    st.lists(st.tuples(answers, answers, answers), min_size=6, max_size=8),
    st.sampled_from([{}, {"I0": "g", "I1": "g"}]),
)
def test_stretches_give_the_figures_and_intervals_that_one_row_a_character_gives(texts, groups):
    marked = [
        (f"I{item}", f"R{rater}", heaviest(errors[rater], LENGTH))
        for item, errors in enumerate(texts)
        for rater in range(3)
    ]
    found = alpha_of_characters(
        marked, "errors", "interval", WEIGHTED, identified=True, resampling=few, groups=groups
    )
    items = [f"I{item}" for item in range(len(texts))]
    units = dict(zip(items, item_units(items, groups)[0], strict=True))
    rows = [
        (f"{item}\x1f{at}", rater, str(units[item]), "errors", value)
        for item, rater, values in marked
        for at, value in enumerate(values)
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "group", "criterion", "value"])
    expected = alpha(RatingsTable.from_frame(frame).criteria["errors"], "interval", few)
    for name in ("estimate", "low", "high", "n_ratings", "n_raters"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), abs=1e-12, nan_ok=True)
    assert found.reason == expected.reason
    assert f"|characters:{expected.n_items}|" in found.signature
