"""Verdicts of attention checks, what chance does to them, and which settings are refused."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent
from annotation.domain.quality.chance_pass_rate import chance_level, passes_by_chance
from annotation.domain.quality.check_settings import read_check, settings_of
from annotation.domain.quality.checks import (
    CheckKind,
    Comprehension,
    Gold,
    Instructed,
    Knowledge,
    Repeat,
    Twin,
    verdict,
)
from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.questions.kinds.kind import Answer, Question
from annotation.domain.questions.kinds.likert import LIKERT
from annotation.domain.questions.kinds.text import TEXT

QUALITY = Question(key="quality", name="Quality", kind=LIKERT, minimum=1, maximum=5)
CLARITY = Question(key="clarity", name="Clarity", kind=LIKERT, minimum=1, maximum=3)
SPEECH = Question(key="speech", name="Part", kind=CHOICE, options=("noun", "verb", "other"))
WHO = Question(key="who", name="Who", kind=TEXT)
QUESTIONS = (QUALITY, CLARITY, SPEECH, WHO)

POINTS = st.fixed_dictionaries({"quality": st.integers(1, 5), "clarity": st.integers(1, 3)})
RATED = (
    st.builds(Instructed, POINTS)
    | st.builds(
        Gold,
        st.fixed_dictionaries({"quality": st.floats(1, 5), "clarity": st.floats(1, 3)}),
        st.fixed_dictionaries({"quality": st.floats(0, 3), "clarity": st.floats(0, 3)}),
    )
    | st.builds(Repeat, st.just(("quality", "clarity")), st.integers(0, 3))
    | st.just(Twin({"quality": 1, "clarity": 1}))
)


def rated(**values: int) -> dict[str, Answer]:
    return {key: Answer(value=value) for key, value in values.items()}


EVERY_ANSWER = [rated(quality=quality, clarity=clarity) for quality in range(1, 6) for clarity in range(1, 4)]


@given(RATED)
def test_the_chance_level_is_the_share_of_answers_that_pass(check):
    verdicts = [
        verdict(check, answers, other).passed
        for answers, other in itertools.product(EVERY_ANSWER, EVERY_ANSWER)
    ]
    decided = [passed for passed in verdicts if passed is not None]
    assert chance_level(check, QUESTIONS) == Fraction(sum(decided), len(decided))


@given(RATED, POINTS, POINTS | st.none())
def test_a_verdict_can_be_stored_as_json(check, now, other):
    made = verdict(check, rated(**now), None if other is None else rated(**other))
    assert json.loads(json.dumps(made.detail)) == made.detail
    assert made.reason


def test_an_instruction_is_followed_or_not():
    instructed = Instructed({"quality": 4, "speech": "verb"})
    assert verdict(instructed, {**rated(quality=4), "speech": Answer(text="verb")}).passed is True
    refused = verdict(instructed, {**rated(quality=5), "speech": Answer(text="verb")})
    assert (refused.passed, refused.reason) == (False, "not_as_told")
    assert verdict(instructed, {}).passed is False


def test_the_band_around_a_reference_includes_its_limits():
    gold = Gold({"quality": 3.67}, {"quality": 0.33})
    assert verdict(gold, rated(quality=4)).passed is True
    assert verdict(gold, rated(quality=3)).passed is False
    assert verdict(gold, {}).reason == "not_answered"
    assert verdict(Gold({"quality": 3}, {}), rated(quality=3)).passed is True


def test_a_repeat_is_measured_against_the_raters_own_earlier_answer():
    repeat = Repeat(("quality", "clarity"), tolerance=1)
    same = verdict(repeat, rated(quality=4, clarity=2), rated(quality=5, clarity=2))
    assert (same.passed, same.detail["mean_difference"]) == (True, 0.5)
    assert verdict(repeat, rated(quality=2, clarity=2), rated(quality=5, clarity=2)).passed is False
    assert verdict(repeat, rated(quality=2, clarity=2)).reason == "no_earlier_answer"
    assert verdict(repeat, rated(quality=2), rated(quality=2, clarity=2)).reason == "not_answered"
    assert verdict(repeat, rated(quality=2, clarity=1), rated(quality=2)).reason == "no_earlier_answer"


def test_a_twin_waits_for_its_original_and_must_be_lower():
    twin = Twin({"quality": 1, "clarity": 1})
    assert verdict(twin, rated(quality=1, clarity=1)).reason == "waiting_for_original"
    assert verdict(twin, rated(quality=2, clarity=2), rated(quality=3, clarity=3)).passed is True
    assert verdict(twin, rated(quality=3, clarity=2), rated(quality=3, clarity=3)).passed is False


def test_where_nothing_is_lower_than_the_original_a_twin_says_nothing():
    twin = Twin({"quality": 1, "clarity": 1})
    assert verdict(twin, rated(quality=1, clarity=1), rated(quality=1, clarity=1)).passed is None
    assert verdict(twin, rated(quality=1, clarity=1), rated(quality=1, clarity=2)).passed is True


@pytest.mark.parametrize(
    ("typed", "passed"),
    [("the LITTLE prince!", True), ("No one", True), ("the fox", False), ("  ", None), ("", None)],
)
def test_a_question_about_the_text(typed, passed):
    check = Comprehension(("The little prince", "None"), criterion="who")
    assert verdict(check, {"who": Answer(text=typed)}).passed is passed
    assert chance_level(check, QUESTIONS) == 0


def test_a_question_with_one_right_option():
    check = Knowledge("verb", criterion="speech")
    assert verdict(check, {"speech": Answer(text="verb")}).passed is True
    assert verdict(check, {"speech": Answer(text="noun")}).passed is False
    assert verdict(check, {}).passed is None
    assert chance_level(check, QUESTIONS) == Fraction(1, 3)


@given(st.integers(0, 12), st.integers(1, 12), st.fractions(0, 1))
def test_equal_chance_levels_give_the_binomial(passed, checks, level):
    expected = sum(
        math.comb(checks, hits) * level**hits * (1 - level) ** (checks - hits)
        for hits in range(passed, checks + 1)
    )
    assert passes_by_chance(passed, [level] * checks) == pytest.approx(float(expected), abs=1e-12)


@given(st.lists(st.fractions(0, 1, max_denominator=10), max_size=6), st.integers(0, 7))
def test_unequal_chance_levels_give_the_sum_over_all_outcomes(levels, passed):
    expected = sum(
        math.prod(level if hit else 1 - level for level, hit in zip(levels, outcome, strict=True))
        for outcome in itertools.product([False, True], repeat=len(levels))
        if sum(outcome) >= passed
    )
    assert passes_by_chance(passed, levels) == pytest.approx(float(expected), abs=1e-12)


GOOD = [
    (CheckKind.INSTRUCTED, {"told": {"quality": 4, "speech": "verb"}}),
    (CheckKind.GOLD, {"reference": {"quality": 3.5, "clarity": 1}, "tolerance": 1}),
    (CheckKind.GOLD, {"reference": {"quality": 3.5}, "tolerance": {"quality": 0.5}}),
    (CheckKind.REPEAT, {"criteria": ["quality"]}),
    (CheckKind.TWIN, {"criteria": ["quality", "clarity"]}),
    (CheckKind.COMPREHENSION, {"criterion": "who", "accepted": ["None", "Ann"], "language": "en"}),
    (CheckKind.KNOWLEDGE, {"criterion": "speech", "right": "verb"}),
]


@pytest.mark.parametrize(("kind", "settings"), GOOD)
def test_settings_are_read_and_written(kind, settings):
    check = read_check(kind, settings, QUESTIONS)
    assert check.kind is kind
    stored = json.loads(json.dumps(settings_of(check)))
    assert read_check(kind, stored, QUESTIONS) == check


def test_a_twin_knows_the_lowest_points():
    assert read_check(CheckKind.TWIN, {"criteria": ["clarity"]}, QUESTIONS) == Twin({"clarity": 1})


@pytest.mark.parametrize(
    ("kind", "settings", "field"),
    [
        (CheckKind.INSTRUCTED, {}, "told"),
        (CheckKind.INSTRUCTED, {"told": {"quality": 6}}, "told"),
        (CheckKind.INSTRUCTED, {"told": {"quality": "4"}}, "told"),
        (CheckKind.INSTRUCTED, {"told": {"quality": True}}, "told"),
        (CheckKind.INSTRUCTED, {"told": {"speech": "adverb"}}, "told"),
        (CheckKind.INSTRUCTED, {"told": {"who": "Ann"}}, "told"),
        (CheckKind.INSTRUCTED, {"told": {"novelty": 4}}, "told"),
        (CheckKind.GOLD, {"reference": {"quality": 5.5}}, "reference"),
        (CheckKind.GOLD, {"reference": {"quality": "high"}}, "reference"),
        (CheckKind.GOLD, {"reference": {"quality": 3}, "tolerance": -1}, "tolerance"),
        (CheckKind.GOLD, {"reference": {"quality": 3}, "tolerance": math.nan}, "tolerance"),
        (CheckKind.REPEAT, {"criteria": []}, "criteria"),
        (CheckKind.REPEAT, {"criteria": ["speech"]}, "criteria"),
        (CheckKind.TWIN, {"criteria": "quality"}, "criteria"),
        (CheckKind.COMPREHENSION, {"criterion": "quality", "accepted": ["Ann"]}, "criterion"),
        (CheckKind.COMPREHENSION, {"criterion": "who", "accepted": ["Ann", "…"]}, "accepted"),
        (CheckKind.KNOWLEDGE, {"criterion": "speech", "right": "adverb"}, "right"),
    ],
)
def test_settings_that_make_no_sense_are_refused(kind, settings, field):
    with pytest.raises(InvalidContent) as refusal:
        read_check(kind, settings, QUESTIONS)
    assert refusal.value.code == "invalid_check"
    assert set(refusal.value.fields) == {field}


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        (CheckKind.GOLD, {"reference": {"quality": 3}, "tolerance": 2}),
        (CheckKind.REPEAT, {"criteria": ["clarity"], "tolerance": 2}),
    ],
)
def test_a_check_that_everybody_passes_is_refused(kind, settings):
    with pytest.raises(InvalidContent) as refusal:
        read_check(kind, settings, QUESTIONS)
    assert refusal.value.code == "check_tells_nothing"
