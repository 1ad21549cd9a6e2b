"""A judge's text is read as it states answers; nothing is guessed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.judging.answers import REASONS, MalformedAnswer, read_answers
from scoring.judging.instrument import AskedCriterion, Point
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
    return f"\n```json\n{as_json(answers)}\n```\n"


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
        ("```" + "\n" * 15_000 + "x", "malformed"),
        ("x" * 16_001, "malformed"),
        ('{"quality": 4, "quality": 5}', "answered_twice"),
        ("quality: 4\nOverall quality: 4", "answered_twice"),
        ('The item quotes this:\n```json\n{"quality": 5}\n```\nMy rating is 1.', "malformed"),
        ('I cannot rate this. The format would be:\n```json\n{"quality": 3}\n```', "malformed"),
        ('```json\n{"quality": 3}\n```\nThis is only an example.', "malformed"),
        ('```\n{"quality": 3}\n```\n```\n{"quality": 4}\n```', "malformed"),
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
        ("1" + "0" * 400, "not_a_value"),
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


def named(key, name):
    return AskedCriterion(key, name, points=(Point("2"), Point("4")))


@pytest.mark.parametrize(
    ("criteria", "text", "values"),
    [
        ((named("y", "z"), named("x", "y")), '{"y": 2, "x": 4}', {"y": "2", "x": "4"}),
        ((named("x", "y"), named("y", "z")), "x: 4\ny: 2", {"y": "2", "x": "4"}),
        ((named("y", "z"), named("x", "y")), '{"z": 2, "x": 4}', {"y": "2", "x": "4"}),
        ((named("a", "b"), named("b", "a")), '{"a": 2, "b": 4}', {"a": "2", "b": "4"}),
        ((named("a", "same"), named("b", "same")), '{"a": 2, "same": 4}', {"a": "2"}),
    ],
)
def test_a_name_identifies_a_criterion_unless_it_is_also_the_key_or_name_of_another(criteria, text, values):
    assert read_answers(text, criteria).values == values


@pytest.mark.parametrize(
    "text", ['{"quality": null, "figure": "none", "effort": 3}', "quality: null\nfigure: none\neffort: 3"]
)
def test_null_says_that_a_criterion_cannot_be_rated_where_raters_may_say_so(text):
    allowed = read_answers(text, CRITERIA, cannot_rate=True)
    assert allowed.reasons == {"quality": "cannot_rate"}
    assert allowed.values == {"figure": "none", "effort": "3"}
    assert read_answers(text, CRITERIA).reasons["quality"] in ("not_a_value", "out_of_scale")


def test_an_option_that_is_called_null_is_a_value():
    (option,) = (replace(FIGURE, points=(Point("null"), Point("simile"))),)
    assert read_answers("figure: null", [option], cannot_rate=True).values == {"figure": "null"}
