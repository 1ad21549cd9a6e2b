"""An answer is taken only where it lies on the scale that was shown."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidAnswer
from annotation.domain.questions.answers import Submission, check
from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.questions.kinds.kind import Answer, Question
from annotation.domain.questions.kinds.likert import LIKERT
from annotation.domain.questions.kinds.multiple import MULTIPLE

QUALITY = Question(key="quality", name="Quality", kind=LIKERT, minimum=1, maximum=5)
KIND = Question(key="kind", name="Kind", kind=CHOICE, options=("simile", "none"))


def sent(**fields) -> Submission:
    return Submission(page_key=uuid.uuid4(), **fields)


@given(st.integers(-99_999, 99_999))
def test_a_likert_value_is_taken_exactly_when_it_is_on_the_scale(value):
    submission = sent(answers={"quality": str(value)})
    if 1 <= value <= 5:
        assert check([QUALITY], submission) == {"quality": Answer(value=value)}
    else:
        with pytest.raises(InvalidAnswer) as refusal:
            check([QUALITY], submission)
        assert set(refusal.value.fields) == {"quality"}


@given(st.text(max_size=8).filter(lambda text: text.strip() and text.strip() not in "12345"))
def test_no_other_text_is_taken_for_a_likert_value(text):
    with pytest.raises(InvalidAnswer):
        check([QUALITY], sent(answers={"quality": text}))


def test_a_missing_answer_is_named():
    with pytest.raises(InvalidAnswer) as refusal:
        check([QUALITY, KIND], sent(answers={"quality": "3"}))
    assert set(refusal.value.fields) == {"kind"}


def test_nothing_is_missing_where_the_item_cannot_be_rated():
    assert check([QUALITY, KIND], sent(cannot_rate="lacks_context", remark="who?")) == {}


def test_ratings_may_be_given_together_with_cannot_rate():
    submission = sent(answers={"quality": "2"}, cannot_rate="lacks_context")
    assert check([QUALITY], submission) == {"quality": Answer(value=2)}


def test_an_unknown_reason_or_criterion_is_refused():
    with pytest.raises(InvalidAnswer) as refusal:
        check([QUALITY], sent(answers={"quality": "2", "novelty": "3"}, cannot_rate="bored"))
    assert set(refusal.value.fields) == {"novelty", "cannot_rate"}


def test_two_answers_to_one_question_are_refused():
    with pytest.raises(InvalidAnswer):
        check([QUALITY], sent(answers={"quality": ["2", "3"]}))


def test_several_options_are_stored_in_the_order_of_the_form():
    colours = Question(key="c", name="C", kind=MULTIPLE, options=("red", "blue", "green"))
    assert check([colours], sent(answers={"c": ["green", "red"]})) == {"c": Answer(content=["red", "green"])}
