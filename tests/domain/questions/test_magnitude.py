"""A magnitude estimation takes any number above zero and is compared by ratios."""

from __future__ import annotations

import math

import pytest

from annotation.domain.quality.calibration import is_within_tolerance
from annotation.domain.quality.checks import Gold, Repeat, verdict
from annotation.domain.questions.kinds.kind import Answer, Question
from annotation.domain.questions.kinds.magnitudes.magnitude import LEAST, MAGNITUDE, MOST
from annotation.domain.questions.kinds.measuring import Measure

ASKED = Question("apt", "Apt", MAGNITUDE, LEAST, MOST)


@pytest.mark.parametrize(
    ("raw", "value"),
    [("50", 50), (" 12.5 ", 12.5), ("12,5", 12.5), ("0,125", 0.125), ("0.0001", 0.0001), ("999999", 999_999)],
)
def test_any_number_above_zero_is_stored_as_its_number(raw, value):
    assert MAGNITUDE.checked(ASKED, raw) == Answer(value=value)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ("0", "0 is not above zero."),
        ("-5", "-5 is not above zero."),
        ("0.00001", "Use at most 6 digits before and 4 digits after"),
        ("1000000", "Use at most 6 digits before and 4 digits after"),
        ("1,234", "1,234 can be read in two ways. Enter 1234 or 1.234."),
        ("much", "Enter a number above zero"),
        ("1e3", "Enter a number above zero"),
        ("٤", "Enter a number above zero"),
    ],
)
def test_anything_else_is_refused_in_a_sentence(raw, sentence):
    with pytest.raises(ValueError, match="^" + sentence.replace(".", r"\.")):
        MAGNITUDE.checked(ASKED, raw)


@pytest.mark.parametrize(("given", "passed"), [(80, True), (125, True), (79, False), (126, False)])
def test_a_tolerance_is_a_ratio_in_checks_and_calibration(given, passed):
    answers = {"apt": Answer(value=given)}
    gold = Gold({"apt": 100}, {"apt": 0.25})
    assert verdict(gold, answers, None, [ASKED]).passed is passed
    repeated = verdict(Repeat(("apt",), 0.25), answers, {"apt": Answer(value=100)}, [ASKED])
    assert repeated.passed is passed
    assert is_within_tolerance(100, 0.25, given, "magnitude", {}) is passed


def test_statistics_take_logarithms_and_a_setting_subtracts_the_raters_mean():
    assert MAGNITUDE.measured(100) == math.log(100)
    assert MAGNITUDE.measure({}) is Measure.LOGARITHMS
    assert MAGNITUDE.measure({"magnitude": {"standardised": True}}) is Measure.OWN_LOGARITHMS
