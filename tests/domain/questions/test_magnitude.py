"""A magnitude estimation takes any number above zero and is compared by ratios."""

from __future__ import annotations

import math
import re

import pytest

from annotation.api.rating.rate_serializers import AnswerField
from annotation.domain.quality.calibration import is_within_tolerance
from annotation.domain.quality.checks import Gold, Repeat, verdict
from annotation.domain.questions.kinds.kind import Answer, Question
from annotation.domain.questions.kinds.measuring import Measure
from annotation.domain.questions.kinds.typed.magnitude import IN_PAGES, LEAST, MAGNITUDE
from annotation.domain.questions.kinds.typed.reading import MOST
from annotation.templatetags.editor_words import number_as_typed

STANDARDISED = {"magnitude": {"standardised": True}}
ASKED = Question("apt", "Apt", MAGNITUDE, LEAST, MOST)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("50", 50),
        (" 12.5 ", 12.5),
        ("12,5", 12.5),
        ("0,125", 0.125),
        ("1.2340", 1.234),
        ("1234.567", 1234.567),
        ("0.0001", 0.0001),
        ("999999", 999_999),
    ],
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
        ("1,234", "1,234 can be read in two ways. Enter 1234 or 1.2340."),
        ("1.234", "1.234 can be read in two ways. Enter 1234 or 1.2340."),
        ("1.500", "1.500 can be read in two ways. Enter 1500 or 1.5."),
        ("100.000", "100.000 can be read in two ways. Enter 100000 or 100."),
        ("much", "Enter a number above zero"),
        ("1e3", "Enter a number above zero"),
        ("٤", "Enter a number above zero"),
    ],
)
def test_anything_else_is_refused_in_a_sentence(raw, sentence):
    with pytest.raises(ValueError, match="^" + sentence.replace(".", r"\.")):
        MAGNITUDE.checked(ASKED, raw)


@pytest.mark.parametrize("raw", ["50", " 12.5 ", "12,5", "0,125", "0.0001", "999999", "100.000", "1000000"])
def test_a_page_sends_every_number_above_zero(raw):
    assert re.fullmatch(IN_PAGES, raw)


@pytest.mark.parametrize("raw", ["0", "0.0", "00", "-5", "much", "1e3", ".5"])
def test_a_page_sends_neither_zero_nor_words(raw):
    assert not re.fullmatch(IN_PAGES, raw)


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
    assert MAGNITUDE.measure({}, identified=True) is Measure.LOGARITHMS
    assert MAGNITUDE.measure(STANDARDISED, identified=True) is Measure.OWN_LOGARITHMS


def test_a_point_before_three_digits_is_taken_where_a_page_or_a_file_gives_a_stored_number_back():
    values = MAGNITUDE.values("1.234")
    assert values == ["1.2340"]
    assert MAGNITUDE.checked(ASKED, values) == Answer(value=1.234)
    assert MAGNITUDE.in_words(values, {}) == "1.234"
    assert MAGNITUDE.reference(ASKED, "1.234") == 1.234
    assert AnswerField().to_internal_value(1.234) == "1.2340"
    with pytest.raises(ValueError, match="two ways"):
        MAGNITUDE.checked(ASKED, MAGNITUDE.values("1.500"))


def test_the_reference_of_a_form_is_not_read_in_two_ways():
    (problem,) = MAGNITUDE.settings_problems({"settings": {"magnitude": {"reference": "1.500"}}})
    assert "Enter 1500 or 1.5." in str(problem[1])
    assert not [*MAGNITUDE.settings_problems({"settings": {"magnitude": {"reference": 1.234}}})]
    assert [number_as_typed(one) for one in (1.234, 100, "1.500")] == ["1.2340", "100", "1.500"]


def test_anonymous_slots_have_no_mean_of_their_own_to_subtract():
    assert MAGNITUDE.measure(STANDARDISED, identified=False) is Measure.LOGARITHMS


def test_numbers_less_the_raters_mean_lie_within_the_width_of_the_scale_on_both_sides():
    low, high = MAGNITUDE.measured_ends(LEAST, MOST, Measure.OWN_LOGARITHMS)
    assert (low, high) == (-high, math.log(MOST) - math.log(LEAST))
