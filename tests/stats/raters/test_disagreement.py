"""Figures of items, rules and shuffles hold what they say, for any ratings."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats.agreement.alpha import LEVELS, Level, alpha
from scoring.stats.agreement.held_out import held_out_figures
from scoring.stats.agreement.key_results import compute_key_results
from scoring.stats.base.resampling import Resampling
from scoring.stats.raters.disagreement import alpha_parts, item_figures, opposition_bounds
from scoring.stats.raters.exclusion import (
    ByHand,
    Condition,
    HeldOutBelow,
    LacksContext,
    Opposition,
    TooFast,
    TooFewRatings,
    find_matches,
)
from scoring.stats.raters.rater_figures import rater_figures
from scoring.stats.raters.selection_effect import selection_effects
from tests.stats.answers import answers_of

ONCE = Resampling(1, 0)


matrices = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.one_of(st.none(), st.integers(1, 5)), min_size=raters, max_size=raters),
        min_size=2,
        max_size=12,
    )
)


@settings(max_examples=60, deadline=None)
@given(matrices, st.sampled_from(LEVELS))
def test_the_parts_of_alpha_add_up_to_what_it_lacks(cells: list[list[int | None]], level: Level) -> None:
    ratings = answers_of(cells).ratings("quality")
    parts = alpha_parts(ratings, level)
    figure = alpha(ratings, level, ONCE)
    if math.isnan(figure.estimate):
        assert np.isnan(parts).all()
    else:
        assert 1 - np.nansum(parts) == pytest.approx(figure.estimate, abs=1e-9)
        assert (parts[~np.isnan(parts)] >= 0).all()


@settings(max_examples=60, deadline=None)
@given(matrices)
def test_figures_of_an_item_are_those_of_its_values(cells: list[list[int | None]]) -> None:
    found = item_figures(answers_of(cells).ratings("quality"))
    rows = {f"I{n}": [value for value in row if value is not None] for n, row in enumerate(cells)}
    assert list(found.items) == [name for name, own in rows.items() if own]
    for place, name in enumerate(found.items):
        own = rows[name]
        pairs = [abs(a - b) for at, a in enumerate(own) for b in own[at + 1 :]]
        assert found.n[place] == len(own)
        assert found.mean[place] == pytest.approx(np.mean(own))
        assert found.range[place] == max(own) - min(own)
        assert np.isnan(found.sd[place]) == (len(own) < 2)
        if pairs:
            assert found.sd[place] == pytest.approx(np.std(own, ddof=1))
            assert found.apart[place] == pytest.approx(np.mean(pairs))


@settings(max_examples=40, deadline=None)
@given(matrices, st.integers(0, 2**32 - 1))
def test_a_shuffle_keeps_what_each_rater_gave_and_which_items_they_had(
    cells: list[list[int | None]], seed: int
) -> None:
    answers = answers_of(cells)
    dealt = answers.shuffled(np.random.default_rng(seed))
    for rater in range(answers.n_raters):
        own = answers.rater == rater
        assert sorted(answers.item[own]) == sorted(dealt.item[dealt.rater == rater])
    assert np.array_equal(dealt.values["quality"], answers.values["quality"])


@settings(max_examples=40, deadline=None)
@given(matrices, st.integers(1, 4))
def test_conditions_catch_the_same_in_any_order(cells: list[list[int | None]], fewest: int) -> None:
    answers = answers_of(cells)
    rules: list[Condition] = [
        Opposition("quality", 2, 4),
        TooFewRatings(fewest),
        HeldOutBelow("quality", 0.5, fewest=3),
        ByHand(items=("I0",), responses=(1,)),
    ]
    one, other = find_matches(answers, rules), find_matches(answers, rules[::-1])
    assert np.array_equal(one.out(answers), other.out(answers))
    assert one.items[0]


def test_bounds_of_opposition_are_hausers_on_his_scale() -> None:
    assert opposition_bounds(1, 5) == (2, 4)
    assert opposition_bounds(0, 1) == (0, 1)


def test_the_interval_of_a_mean_pools_the_spread_within_items() -> None:
    found = item_figures(answers_of([[1, 3], [4, 4]]).ratings("quality"))
    half = 4.302652729911275 * 1.0 / math.sqrt(2)  # t with 2 degrees of freedom; pooled variance 2 / 2
    assert found.low == pytest.approx([2 - half, 4 - half])
    assert found.high == pytest.approx([2 + half, 4 + half])


def test_missing_context_and_speed_are_counted_by_their_limits() -> None:
    answers = answers_of([[1, 2, 3], [4, 5, 4]])
    answers.lacks_context[:2] = True
    answers.seconds[5] = 1.0
    assert list(find_matches(answers, [LacksContext(2)]).items) == [True, False]
    assert not find_matches(answers, [LacksContext(3)]).items.any()
    assert list(np.flatnonzero(find_matches(answers, [TooFast(2)]).responses)) == [5]


def test_severity_and_consistency_are_those_of_the_held_out_figures() -> None:
    rng = np.random.default_rng(0)
    worth = rng.normal(3, 1, 40)
    cells = [
        [int(np.clip(round(one + rng.normal(0, 0.6) + (rater == 2)), 1, 5)) for rater in range(4)]
        for one in worth
    ]
    answers = answers_of(cells)  # type: ignore[arg-type]
    found = rater_figures(answers)
    table = np.array(cells, dtype=float)
    others = (table.sum(axis=1, keepdims=True) - table) / 3
    assert found.severity == pytest.approx((table - others).mean(axis=0))
    assert found.low[2] > 0 > found.high[0]
    figures = held_out_figures(answers.ratings("quality"), ONCE)
    expected = [
        one.estimate for one in figures if one.coefficient == "held_out_pearson" and ":" in one.variant
    ]
    assert found.held_out == pytest.approx(expected)
    assert list(found.n_answers) == [40] * 4


def test_selecting_on_agreement_lifts_alpha_where_there_is_none() -> None:
    rng = np.random.default_rng(1)
    answers = answers_of(rng.integers(1, 6, (400, 3)).tolist())
    effect = selection_effects(answers, [Opposition("quality", 2, 4)], seed=0, shuffles=5, draws=5)[0]
    assert abs(effect.before) < 0.06
    assert effect.after > 0.4
    assert abs(effect.shuffled_before) < 0.06
    assert effect.shuffled_after == pytest.approx(effect.after, abs=0.1)
    assert abs(effect.random_after) < 0.1


def test_a_list_picked_by_hand_is_not_tried_on_shuffled_answers() -> None:
    answers = answers_of(np.random.default_rng(2).integers(1, 6, (30, 3)).tolist())
    picked = ByHand(items=("I0", "I1"))
    effect = selection_effects(answers, [picked], seed=0, shuffles=3, draws=3)[0]
    assert effect.shuffled_reason == "picked_by_hand"
    assert effect.to_json()["shuffled_after"] is None
    assert np.isfinite(effect.random_after)


def test_shuffling_answers_of_raters_of_one_item_is_not_called_chance() -> None:
    alone: list[list[int | None]] = [
        [1 + item % 5 if rater // 3 == item else None for rater in range(60)] for item in range(20)
    ]
    effect = selection_effects(answers_of(alone), [Opposition("quality", 2, 4)], seed=0, shuffles=3, draws=3)[
        0
    ]
    assert effect.shuffled_before > 0.9
    assert effect.shuffled_reason == "shuffle_keeps_agreement"
    assert np.isnan(effect.shuffled_after)


def test_undefined_shuffles_are_counted_and_not_averaged_away() -> None:
    answers = answers_of(np.random.default_rng(4).integers(1, 6, (8, 2)).tolist())
    effect = selection_effects(answers, [TooFewRatings(3)], seed=0, shuffles=4, draws=3)[0]
    assert (effect.shuffled_reason, effect.shuffled_undefined) == ("undefined_shuffles", 4)
    assert np.isnan(effect.shuffled_after)


@pytest.mark.parametrize(("draws", "limits"), [(5, "least_and_greatest"), (60, "quantiles")])
def test_few_random_drops_are_reported_by_their_least_and_greatest(draws: int, limits: str) -> None:
    answers = answers_of(np.random.default_rng(5).integers(1, 6, (25, 3)).tolist())
    effect = selection_effects(answers, [Opposition("quality", 2, 4)], seed=0, shuffles=1, draws=draws)[0]
    assert effect.random_limits == limits
    assert effect.random_low < effect.random_after < effect.random_high


def test_a_headline_counts_what_is_left() -> None:
    answers = answers_of([[1, 2, 3], [4, 5, 4], [2, 2, None]])
    headline = compute_key_results(answers, Resampling(20, 0), {"length": np.array([1.0, 3.0, np.nan])})
    assert headline.counts == {
        "items": 3,
        "groups": 0,
        "rankable": 0,
        "raters": 3,
        "answers": 8,
        "ratings": 8,
    }
    assert headline.means["quality"]["mean"] == pytest.approx(23 / 8)
    assert headline.metrics == [
        {"metric": "length", "criterion": "quality", "n": 2, "pearson": None, "spearman": None}
    ]
