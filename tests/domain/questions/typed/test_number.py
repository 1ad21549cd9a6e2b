"""A number is taken between the ends that were set, and is whole unless decimals are allowed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.questions.kinds.kind import Answer, Question
from annotation.domain.questions.kinds.typed.number import HIGHEST, LOWEST, NUMBER_WITH_UNIT
from tests.domain.questions.any_kind import criterion, problems

KIND = NUMBER_WITH_UNIT
DECIMALS = {"number": {"decimals": True}}
ENDS = st.none() | st.integers(-2_000, 2_000)


def asked(low: float | None = None, high: float | None = None, *, decimals: bool = False) -> Question:
    ends = KIND.ends(low, high, [])
    return Question("age", "Age", KIND, *ends, settings=DECIMALS if decimals else {})


@pytest.mark.parametrize(
    ("question", "typed", "value"),
    [
        (asked(), "12", 12),
        (asked(), " -3 ", -3),
        (asked(0, 120), "0", 0),
        (asked(0, 120), "120", 120),
        (asked(decimals=True), "2.5", 2.5),
        (asked(decimals=True), "2,5", 2.5),
        (asked(-1, 1, decimals=True), "-0.25", -0.25),
        (asked(decimals=True), "1.2340", 1.234),
    ],
)
def test_a_number_between_the_ends_is_stored(question, typed, value):
    assert KIND.checked(question, typed) == Answer(value=value)


@pytest.mark.parametrize(
    ("question", "typed", "sentence"),
    [
        (asked(), "twelve", "Enter a whole number, such as 12."),
        (asked(), "2.5", "Enter a whole number, such as 12."),
        (asked(), "1,000", "Enter a whole number, such as 12."),
        (asked(), "٤", "Enter a whole number, such as 12."),
        (asked(low=0), "-1", "Enter a whole number of at least 0."),
        (asked(high=100), "101", "Enter a whole number of at most 100."),
        (asked(0, 100), "101", "Enter a whole number from 0 to 100."),
        (asked(decimals=True), "much", "Enter a number, such as 12 or 2.5."),
        (asked(low=0.5, decimals=True), "0.4", "Enter a number of at least 0.5."),
        (asked(high=1.5, decimals=True), "1.6", "Enter a number of at most 1.5."),
        (asked(0, 1, decimals=True), "1.1", "Enter a number from 0 to 1."),
        (asked(decimals=True), "-1.234", "-1.234 can be read in two ways. Enter -1234 or -1.2340."),
        (asked(), "1000000", "Use at most 6 digits before and 4 digits after the decimal point."),
    ],
)
def test_another_answer_is_refused_with_the_numbers_that_there_are(question, typed, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        KIND.checked(question, typed)


@given(low=ENDS, high=ENDS, decimals=st.booleans())
def test_what_is_typed_without_reading_lies_between_the_ends_and_can_be_answered(low, high, decimals):
    if low is not None and high is not None and low >= high:
        return
    question = asked(low, high, decimals=decimals)
    possible = KIND.possible(question)
    answers = [KIND.checked(question, one) for one in possible]
    values = [answer.value for answer in answers if answer and answer.value is not None]
    assert len(values) == len(possible) > 1
    assert values == sorted(values)


@pytest.mark.parametrize(
    ("low", "high", "signs", "words"),
    [
        (None, None, "", "open number"),
        (0, None, "≥ 0", "number of at least 0"),
        (None, 9, "≤ 9", "number of at most 9"),
        (0, 9, "0–9", "number, 0 to 9"),
    ],
)
def test_an_end_that_was_not_set_is_not_shown(low, high, signs, words):
    ends = KIND.ends(low, high, [])
    assert ends == (LOWEST if low is None else low, HIGHEST if high is None else high)
    assert KIND.ends_to_edit(*ends, []) == (low, high)
    assert KIND.is_bounded(*ends) == (None not in (low, high))
    assert (KIND.ends_in_signs(*ends), KIND.scale_in_words(*ends)) == (signs, words)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"minimum": 5, "maximum": 5}, "minimum"),
        ({"minimum": 0.5}, "minimum"),
        ({"maximum": 9.5}, "maximum"),
        ({"points": [{"value": "1", "label": "", "description": "", "keyboard": ""}]}, "points"),
    ],
)
def test_ends_that_cannot_be_asked_are_refused(changed, field):
    assert f"criteria[0].{field}" in problems(criterion(KIND, **changed))


def test_ends_with_decimals_are_allowed_where_answers_may_have_them_and_long_units_are_refused():
    settings = criterion(KIND)["settings"]
    decimals = {"number": {"unit": {}, "decimals": True}}
    assert problems(criterion(KIND, minimum=0.5, settings=settings | decimals)) == {}
    long = {"number": {"unit": {"en": "x" * 41}, "decimals": False}}
    assert "criteria[0].settings.number.unit" in problems(criterion(KIND, settings=settings | long))


def test_a_reference_is_a_number_that_can_be_answered():
    question = asked(0, 18)
    assert [KIND.reference(question, text) for text in ("6", "19", "six", "6.5")] == [6, None, None, None]
    assert KIND.reference(asked(decimals=True), "1.234") == 1.234


def test_the_editor_stores_a_unit_for_each_language():
    sent = {"unit_en": " years ", "unit_zh_hans": "岁", "unit_ja": " ", "decimals": "on"}
    stored = {"number": {"unit": {"en": "years", "zh-hans": "岁"}, "decimals": True}}
    assert KIND.posted_settings(sent, []) == stored
    assert KIND.stored_settings(stored) == stored
