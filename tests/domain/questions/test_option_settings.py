"""Options in an order of the rater's own: nothing is lost, and the order comes from the seeds alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.questions.kinds.preference import PREFERENCE
from annotation.domain.questions.option_settings import OptionSettings

seeds = st.integers(0, 2**31 - 1)
values = st.lists(st.text(min_size=1, max_size=8), unique=True, min_size=1, max_size=9)


@given(values, st.text(), seeds, seeds, st.data())
def test_shuffled_options_are_all_there_with_not_sure_last(options, place, seed, rater_seed, data):
    unsure = data.draw(st.sampled_from(options))
    settings = OptionSettings(shuffled=True, unsure=unsure)
    asked = {"place": place, "seed": seed, "rater_seed": rater_seed}
    order = CHOICE.shown_order(options, settings, **asked)
    assert sorted(order) == sorted(options)
    assert order[-1] == unsure
    assert order == CHOICE.shown_order(options, settings, **asked)


@given(values, st.text(), seeds, seeds)
def test_options_that_are_not_shuffled_stay_as_the_form_has_them(options, place, seed, rater_seed):
    order = CHOICE.shown_order(options, OptionSettings(), place=place, seed=seed, rater_seed=rater_seed)
    assert order == tuple(options)


def test_each_side_of_a_pair_comes_first_about_half_of_the_time_and_a_tie_always_last():
    orders = [
        PREFERENCE.shown_order(
            ("a", "b", "tie"),
            OptionSettings(),
            place=f"pair {number}/preference",
            seed=7,
            rater_seed=11,
        )
        for number in range(1000)
    ]
    assert {order[-1] for order in orders} == {"tie"}
    # Beyond five standard deviations of a fair coin.
    assert 420 < sum(order[0] == "a" for order in orders) < 580


@pytest.mark.parametrize("seed", range(8))
def test_answers_about_how_much_go_from_the_first_side_to_the_second(seed):
    order = PREFERENCE.shown_order(
        *(("a+", "a", "tie", "b", "b+", "unsure"), OptionSettings()), place="p/q", seed=seed, rater_seed=1
    )
    assert order in {("a+", "a", "tie", "b", "b+", "unsure"), ("b+", "b", "tie", "a", "a+", "unsure")}


def test_an_answer_says_in_words_which_text_and_how_much():
    labels = {side: text for text, *sides in (("heron", "a", "a+"), ("crow", "b", "b+")) for side in sides}
    words = [str(PREFERENCE.in_words([value], {**labels, "tie": "Equal"})) for value in ("a+", "b", "tie")]
    assert words == ["much better: heron", "slightly better: crow", "Equal"]


@pytest.mark.parametrize("values", [("a+", "a", "b"), ("a+", "b+", "tie"), ("a+", "a", "b+", "tie")])
def test_how_much_is_asked_of_both_sides_or_of_none(values):
    points = [{"value": value, "label": "", "description": "", "keyboard": ""} for value in values]
    criterion: dict[str, Any] = {"points": points, "settings": {}, "minimum": None, "maximum": None}
    problems = [str(sentence) for field, sentence in PREFERENCE.problems(criterion) if field == "points"]
    assert any("a+" in sentence for sentence in problems)


@given(st.booleans(), st.text(max_size=5), st.text(max_size=5))
def test_settings_come_back_as_they_were_stored(shuffled, unsure, answer_key):
    settings = OptionSettings(shuffled, unsure, answer_key)
    assert OptionSettings.of(settings.stored()) == settings
