"""What is computed of many shuffles and selections at once is what it is one by one."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.data.answers import Answers
from scoring.stats.raters.disagreement import alpha_parts
from scoring.stats.raters.selection_effect import CodedAnswers
from tests.stats.answers import answers_of

TABLES = st.lists(
    st.lists(st.one_of(st.none(), st.integers(1, 5)), min_size=3, max_size=3), min_size=1, max_size=8
)


@settings(max_examples=200, deadline=None)
@given(cells=TABLES, seed=st.integers(0, 2**16))
def test_alpha_of_a_selection_is_the_same_to_the_last_digit(cells: list[list[int | None]], seed: int) -> None:
    answers = answers_of(cells)
    chosen = np.random.default_rng(seed).random(len(answers)) < 0.8
    dealt = answers.shuffled(np.random.default_rng(seed))
    found = CodedAnswers.of(answers).alphas(dealt.item, chosen)
    assert str(found) == str([_one_by_one(dealt.only(chosen))])


@settings(max_examples=100, deadline=None)
@given(cells=TABLES, seed=st.integers(0, 2**16))
def test_a_shuffle_is_drawn_as_the_seed_has_it(cells: list[list[int | None]], seed: int) -> None:
    """Sorting by rater, form and a random number, spelled out; the stored previews follow from it."""
    answers = answers_of(cells)
    forms = np.arange(len(answers)) % 2
    answers = Answers(**{**vars(answers), "form": forms})
    numbers = np.random.default_rng(seed).random(len(answers))
    own, dealt = np.lexsort((forms, answers.rater)), np.lexsort((numbers, forms, answers.rater))
    wanted = np.empty_like(answers.item)
    wanted[dealt] = answers.item[own]
    assert answers.shuffled(np.random.default_rng(seed)).item.tolist() == wanted.tolist()


def _one_by_one(answers: Answers) -> float:
    parts = alpha_parts(answers.ratings("quality"))
    return 1 - float(np.nansum(parts)) if np.isfinite(parts).any() else math.nan
