"""A judge's text is read as it states answers; nothing is guessed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.judging.answers import REASONS, MalformedAnswer, read_answers
from tests.judging.instruments import EFFORT, FIGURE, QUALITY

CRITERIA = (QUALITY, FIGURE, EFFORT)
whole = st.fixed_dictionaries(
    {
        "quality": st.sampled_from(QUALITY.values),
        "figure": st.sampled_from(FIGURE.values),
        "effort": st.integers(0, 100).map(str),
    }
)


def as_json(answers):
    return json.dumps({key: int(value) if value.isdigit() else value for key, value in answers.items()})


def fenced(answers):
    return f"Here it is.\n```json\n{as_json(answers)}\n```"


def as_lines(answers):
    return "\n\n".join(f"{one.name}: {answers[one.key]} " for one in CRITERIA)


@pytest.mark.parametrize("written", [json.dumps, as_json, fenced, as_lines])
@given(answers=whole)
def test_every_valid_answer_is_read_as_it_was_written(written, answers):
    parsed = read_answers(written(answers), CRITERIA)
    assert parsed.values == answers
    assert parsed.reasons == {}


pieces = st.text('{}[]":,0123456789e.-\n quality')
cut_off = whole.map(as_json).map(lambda text: text[:-3])


def reason_of(text):
    with pytest.raises(MalformedAnswer) as caught:
        read_answers(text, CRITERIA)
    return caught.value.code


def read_or_none(text):
    try:
        return read_answers(text, CRITERIA)
    except MalformedAnswer:
        return None


@given(text=st.text() | pieces | cut_off)
def test_any_text_gives_values_on_the_scale_or_a_reason(text):
    parsed = read_or_none(text)
    if parsed is None:
        assert reason_of(text) in REASONS
        return
    assert parsed.values.keys() | parsed.reasons.keys() == {one.key for one in CRITERIA}
    assert not parsed.values.keys() & parsed.reasons.keys()
    assert set(parsed.reasons.values()) <= set(REASONS)
    assert parsed.values.get("quality", "1") in QUALITY.values
    assert 0 <= float(parsed.values.get("effort", "0")) <= 100


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty_answer"),
        (" \n", "empty_answer"),
        ("It is good, a 4.", "malformed"),
        ("quality: 4\nIt is good.", "malformed"),
        ('{"quality": 4', "malformed"),
        ("[4]", "malformed"),
        ('{"quality": NaN}', "malformed"),
        ("[" * 5000, "malformed"),
        ('{"a":' * 3000, "malformed"),
        ('{"a":' + "[" * 15_000, "malformed"),
        ('{"quality": ' + "9" * 5000 + "}", "malformed"),
        ("x" * 16_001, "malformed"),
        ('{"quality": 4, "quality": 5}', "answered_twice"),
        ("quality: 4\nOverall quality: 4", "answered_twice"),
    ],
)
def test_a_text_without_readable_answers_has_a_code(text, code):
    assert reason_of(text) == code


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("6", "out_of_scale"),
        ("3.5", "out_of_scale"),
        ('"4 of 5"', "out_of_scale"),
        ('"good"', "out_of_scale"),
        ("true", "not_a_value"),
        ("null", "not_a_value"),
        ("[4]", "not_a_value"),
        ('{"value": 4}', "not_a_value"),
        ("1e999", "not_a_value"),
        ('" "', "not_a_value"),
    ],
)
def test_a_value_that_the_form_does_not_have_is_no_answer(value, reason):
    parsed = read_answers(f'{{"quality": {value}, "figure": "simile"}}', CRITERIA)
    assert parsed.values == {"figure": "simile"}
    assert parsed.reasons == {"quality": reason, "effort": "criterion_missing"}


def test_a_number_is_the_point_of_the_scale_that_it_equals():
    parsed = read_answers('{"quality": 4.0, "effort": "12.50", "why": "long", "figure": "none"}', CRITERIA)
    assert parsed.values == {"quality": "4", "effort": "12.5", "figure": "none"}
