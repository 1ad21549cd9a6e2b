"""The condition on straight-lining catches raters who do not read, and hardly any honest one."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.domain.quality.careless_responding import Page, profile
from annotation.domain.questions.kinds.kind import Question
from annotation.domain.questions.kinds.likert import LIKERT
from scoring.stats.base.resampling import FloatArray
from scoring.stats.data.answers import Answers
from scoring.stats.data.scale import Scale
from scoring.stats.raters.exclusion import StraightLining
from scoring.stats.raters.straight_lining import count_same_values

RATERS, RESPONSES = 50, 40
LINERS = slice(0, 4)
Simulation = Callable[[np.random.Generator, int], FloatArray]


def answers_of(values: FloatArray) -> Answers:
    """Answers from an array of shape (criteria, raters, responses), NaN where there is no value."""
    _n_criteria, raters, items = values.shape
    rater, item = np.repeat(np.arange(raters), items), np.tile(np.arange(items), raters)
    nothing = np.zeros(len(rater), dtype=np.bool_)
    return Answers(
        item=item,
        rater=rater,
        form=np.zeros(len(rater), dtype=np.int64),
        cannot=nothing,
        lacks_context=nothing,
        seconds=np.full(len(rater), 9.0),
        values={f"c{number}": value.ravel() for number, value in enumerate(values)},
        scales={f"c{number}": Scale(0.0, 5.0) for number in range(len(values))},
        group=np.full(items, -1),
        item_labels=np.array([f"I{n}" for n in range(items)], dtype=object),
        rater_labels=np.array([f"R{n}" for n in range(raters)], dtype=object),
        failed_checks=np.zeros(raters, dtype=np.int64),
    )


def caught_in(values: FloatArray, percent: float = 50) -> list[int]:
    return np.flatnonzero(StraightLining(percent).caught(answers_of(values))).tolist()


def yes_or_no(rng: np.random.Generator, criteria: int, share: float | FloatArray = 0.85) -> FloatArray:
    """Independent criteria with this share of yes, of all raters or of each."""
    shares = np.broadcast_to(share, (RATERS,))[None, :, None]
    return (rng.random((criteria, RATERS, RESPONSES)) < shares).astype(np.float64)


def rated_for_quality(rng: np.random.Generator, criteria: int, severity: float = 0.0) -> FloatArray:
    """Criteria from 1 to 5 that share the quality of the item, with about two thirds of fives."""
    quality = rng.normal(5.0, 1.0, RESPONSES) + rng.normal(0, severity, (RATERS, 1))
    return np.clip(np.round(quality + rng.normal(0, 0.4, (criteria, RATERS, RESPONSES))), 1, 5)


@pytest.mark.parametrize("criteria", [2, 3, 5])
@pytest.mark.parametrize("answered", [yes_or_no, rated_for_quality])
def test_honest_raters_are_not_caught_where_most_values_are_the_same(
    answered: Simulation, criteria: int
) -> None:
    """Many of their responses have the same value on every criterion."""
    rng = np.random.default_rng(criteria)
    values = [answered(rng, criteria) for _ in range(10)]
    assert np.mean([np.ptp(value, axis=0) == 0 for value in values]) > 0.4
    assert sum(len(caught_in(value)) for value in values) <= 0.02 * 10 * RATERS


def test_few_honest_raters_are_caught_where_some_are_more_lenient_than_others() -> None:
    rng = np.random.default_rng(1)
    values = [rated_for_quality(rng, 3, severity=0.5) for _ in range(10)]
    values += [yes_or_no(rng, 3, rng.beta(8.5, 1.5, RATERS)) for _ in range(10)]
    assert sum(len(caught_in(value)) for value in values) <= 0.05 * 20 * RATERS


@pytest.mark.parametrize("line", ["one value", "a value for each item"])
@pytest.mark.parametrize("answered", [yes_or_no, rated_for_quality])
def test_straight_lining_raters_are_caught(answered: Simulation, line: str) -> None:
    """Among honest raters most of whose responses have the same value on every criterion too."""
    rng = np.random.default_rng(3)
    caught = []
    for _ in range(10):
        values = answered(rng, 3)
        low, high = values.min(), values.max()
        values[:, LINERS] = (
            low if line == "one value" else rng.choice([low, (low + high) // 2, high], RESPONSES)
        )
        caught += caught_in(values)
    assert sum(rater in range(4) for rater in caught) >= 0.9 * 10 * 4
    assert sum(rater not in range(4) for rater in caught) <= 0.02 * 10 * RATERS


@pytest.mark.parametrize(
    ("percent", "responses", "criteria", "caught"),
    [
        (50, 40, 3, [0]),
        (49, 40, 3, [0, 1]),
        (100, 40, 3, []),
        (50, 10, 3, [0]),
        (50, 9, 3, []),
        (50, 40, 2, []),
        (50, 40, 1, []),
    ],
)
def test_it_needs_more_than_its_share_of_enough_responses_with_enough_criteria(
    percent: float, responses: int, criteria: int, caught: list[int]
) -> None:
    """The first rater gives one value to all criteria, the second on every other item, the others never."""
    rng = np.random.default_rng(5)
    values = rng.integers(1, 6, (5, 30, responses)).astype(np.float64)[:criteria]
    values[-1] = np.where((np.ptp(values, axis=0) == 0) & (criteria > 1), values[-1] % 5 + 1, values[-1])
    values[:, 0] = values[0, 0]
    values[:, 1, ::2] = values[0, 1, ::2]
    assert caught_in(values, percent) == caught


def test_raters_without_values_or_criteria_are_not_caught() -> None:
    assert caught_in(np.full((3, 4, 20), math.nan)) == []
    assert caught_in(np.empty((0, 4, 20))) == []


def test_only_responses_to_the_same_criteria_are_compared() -> None:
    """A form of two criteria adds nothing, and an optional criterion makes no line of its own."""
    rng = np.random.default_rng(7)
    values = yes_or_no(rng, 4)
    values[3, :, ::2] = math.nan
    values[2:, :, -5:] = math.nan
    found = count_same_values(answers_of(values), 3)
    assert found.judged.tolist() == [RESPONSES - 5] * RATERS
    assert 0 <= found.chance.mean() - found.same.sum() / found.judged.sum() < 0.1


pages = st.lists(st.lists(st.integers(1, 4), min_size=3, max_size=3), min_size=10, max_size=30)


@settings(max_examples=50, deadline=None)
@given(pages)
def test_chance_is_that_of_the_profile_where_there_are_no_other_raters(rows: list[list[int]]) -> None:
    """The rule and the page of the rater compute the same Σ of products of the shares of values."""
    questions = [Question(key=f"c{n}", name=f"c{n}", kind=LIKERT, minimum=1, maximum=5) for n in range(3)]
    made = profile([Page({f"c{n}": float(v) for n, v in enumerate(row)}) for row in rows], questions)
    found = count_same_values(answers_of(np.array(rows, dtype=np.float64).T[:, None, :]), 3)
    assert made["flat_pages"].detail["flat"] == found.same[0]
    assert found.chance[0] == pytest.approx(made["flat_pages"].detail["expected"], abs=1e-12)
