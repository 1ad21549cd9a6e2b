"""BERTScore against its definition."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.textmetrics.bertscore import TokenVectors, bertscore


def _tokens(vectors: list[list[float]], counted: list[bool] | None = None) -> TokenVectors:
    marks = counted if counted is not None else [True] * len(vectors)
    return TokenVectors(np.array(vectors, np.float32), np.array(marks, np.bool_))


def test_bertscore_counted_by_hand():
    """Cosines of the rows: 1 and 0; .8 and .6. P = (1 + .8) / 2; R = (1 + .6) / 2."""
    found = bertscore(_tokens([[2, 0], [4, 3]]), _tokens([[1, 0], [0, 5]]))
    assert found is not None
    assert found.precision == pytest.approx(0.9)
    assert found.recall == pytest.approx(0.8)
    assert found.f1 == pytest.approx(2 * 0.9 * 0.8 / 1.7)


def test_a_text_matches_itself_fully_and_swapping_swaps_precision_and_recall():
    first = _tokens([[1, 2], [3, -1], [0, 1]])
    second = _tokens([[1, 1], [-2, 1]])
    same = bertscore(first, first)
    there, back = bertscore(first, second), bertscore(second, first)
    assert same is not None
    assert there is not None
    assert back is not None
    assert same.f1 == pytest.approx(1)
    assert (there.precision, there.recall) == pytest.approx((back.recall, back.precision))


def test_a_token_that_the_model_adds_can_be_matched_and_does_not_count():
    found = bertscore(_tokens([[1, 0], [0, 1]], [False, True]), _tokens([[0, 1], [1, 0]], [True, False]))
    assert found is not None
    assert found.f1 == pytest.approx(1)


def test_a_text_without_tokens_has_no_score():
    assert bertscore(_tokens([[1, 0]], [False]), _tokens([[1, 0]])) is None


def test_precision_and_recall_of_different_signs_have_no_harmonic_mean():
    opposite = bertscore(_tokens([[1, 0], [-0.9, -0.5]]), _tokens([[0.1, 1]]))
    assert opposite is not None
    assert opposite.precision < 0 < opposite.recall
    assert opposite.f1 is None
