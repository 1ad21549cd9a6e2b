"""Tuples are stored complete, one object a part, in the rater's own words."""

from __future__ import annotations

import json
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidAnswer
from annotation.domain.questions.answers import Submission, check
from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.questions.kinds.kind import Answer, Question
from annotation.domain.questions.kinds.likert import LIKERT
from annotation.domain.questions.kinds.marking.tuples import TUPLES
from annotation.domain.questions.tuples import (
    MOST_TUPLES,
    PARTS,
    checked_tuples,
    in_one_line,
    rows_of,
    tuples_text,
)

ASKED = Question(key="tuples", name="Tuples", kind=TUPLES, options=PARTS)
CHEEKS = {"tenor": "我的脸颊", "vehicle": "溶了的雪", "ground": "柔软的触感"}
HEART = {"tenor": "我的心", "vehicle": "热了的酒", "ground": "热烈的滋味"}
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)


def sent(text: str) -> Submission:
    return Submission(page_key=uuid.uuid4(), answers={"tuples": text})


def test_two_tuples_are_stored_one_object_a_part():
    (answer,) = check([ASKED], sent(tuples_text([CHEEKS, HEART]))).values()
    objects = list(answer.content or ())
    assert [(one["tuple"], one["part"]) for one in objects] == [(n, part) for n in (1, 2) for part in PARTS]
    assert all(set(one) == {"tuple", "part", "start", "end", "text"} for one in objects)
    assert (
        in_one_line(TUPLES.cell(answer)) == "我的脸颊 – 溶了的雪 – 柔软的触感; 我的心 – 热了的酒 – 热烈的滋味"
    )


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(PARTS, WORDS)), max_size=4))
def test_rows_come_back_as_they_were_written_but_for_empty_ones(rows):
    stripped = [{part: row[part].strip() for part in PARTS if row[part].strip()} for row in rows]
    assert rows_of(tuples_text(rows)) == [row for row in stripped if row]


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(PARTS, WORDS)), min_size=1, max_size=3))
def test_only_complete_tuples_are_taken_and_taken_unchanged(rows):
    filled = [row for row in rows if any(words.strip() for words in row.values())]
    text = tuples_text(rows)
    if all(any(map(str.isalnum, words)) for row in filled for words in row.values()):
        assert rows_of(checked_tuples(text, PARTS)) == rows_of(text)
    else:
        with pytest.raises(ValueError, match="has no"):
            checked_tuples(text, PARTS)


def test_a_gap_in_the_numbers_is_closed():
    parts = [{"tuple": number, "part": part, "text": part} for number in (3, 9) for part in PARTS]
    assert rows_of(checked_tuples(json.dumps(parts), PARTS)) == [dict(zip(PARTS, PARTS, strict=True))] * 2
    assert '"tuple": 2' in checked_tuples(json.dumps(parts), PARTS)


@pytest.mark.parametrize(
    "text",
    [
        "a – b – c",
        "{}",
        "[1]",
        '[{"tuple": true, "part": "tenor", "text": "a"}]',
        '[{"tuple": 1, "part": "tenor"}]',
        '[{"tuple": 1, "part": "tenor", "text": "\\ud800"}]',
        '[{"tuple": 1, "part": "tenor", "text": "\\u0000"}]',
        '[{"tuple": 1, "part": "\\ud800", "text": "a"}]',
        '[{"tuple": 1, "part": "\\u0000", "text": "a"}]',
        '[{"tuple": 1, "part": "tenor", "text": "a", "start": 0, "end": 1}]',
        '[{"tuple": 1, "part": "tenor", "text": "a"}, {"tuple": 1, "part": "tenor", "text": "b"}]',
        tuples_text([{**CHEEKS, "mood": "tender"}]),
        tuples_text([CHEEKS] * (MOST_TUPLES + 1)),
        "[" * 100_000,
    ],
)
def test_what_are_no_tuples_is_refused(text):
    with pytest.raises(InvalidAnswer) as refusal:
        check([ASKED], sent(text))
    assert set(refusal.value.fields) == {"tuples"}


def test_no_tuple_at_all_is_no_answer():
    with pytest.raises(InvalidAnswer):
        check([ASKED], sent("[]"))


REASONABLE = Question(key="reasonable", name="R", kind=CHOICE, options=("yes", "no"))
CLARITY = Question(
    key="clarity",
    name="Clarity",
    kind=LIKERT,
    minimum=1,
    maximum=3,
    asked_after="reasonable",
    asked_when="yes",
)


def answered(**answers: str) -> dict[str, Answer]:
    return check([REASONABLE, CLARITY], Submission(page_key=uuid.uuid4(), answers=answers))


def test_what_an_earlier_answer_does_not_lead_to_is_neither_wanted_nor_stored():
    assert answered(reasonable="no") == {"reasonable": Answer(text="no")}
    assert answered(reasonable="no", clarity="3") == {"reasonable": Answer(text="no")}


def test_what_an_earlier_answer_leads_to_is_wanted():
    assert answered(reasonable="yes", clarity="3")["clarity"] == Answer(value=3)
    with pytest.raises(InvalidAnswer) as refusal:
        answered(reasonable="yes")
    assert set(refusal.value.fields) == {"clarity"}


def test_without_the_earlier_answer_only_that_is_missing():
    with pytest.raises(InvalidAnswer) as refusal:
        answered(clarity="3")
    assert set(refusal.value.fields) == {"reasonable"}
