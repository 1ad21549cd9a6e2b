"""Marked errors: what is stored of what a page, a file or the API sends, and what is refused."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.questions.answers import Submission, check
from annotation.domain.questions.error_spans.settings import ErrorSettings
from annotation.domain.questions.kinds.kind import Answer, Question
from annotation.domain.questions.kinds.marking.errors import ERRORS
from annotation.domain.questions.kinds.text import TEXT

SENTENCE = "The cat sat on the cat."
POINTS = ("meaning", "wording", "minor", "major")
WEIGHTS: dict[str, float] = {"minor": 1, "major": 5}
TEXTS = {"text": SENTENCE}


def question(**own: object) -> Question:
    settings = {"errors": {"weights": WEIGHTS, **own}}
    return Question("errors", "Errors", ERRORS, options=POINTS, settings=settings, field="text")


def error(start: int, end: int, category: str = "meaning", severity: str = "minor") -> dict[str, object]:
    return {"start": start, "end": end, "category": category, "severity": severity}


def checked(raw: str | list[str], **own: object) -> Answer:
    answer = ERRORS.checked(question(**own), raw, TEXTS)
    assert answer is not None
    return answer


def stored(raw: list[str], **own: object) -> list[dict[str, Any]]:
    content = checked(raw, **own).content
    assert content is not None
    return list(content)


def as_json(*marks: dict[str, object]) -> list[str]:
    return [json.dumps(list(marks))]


def refusal(raw: list[str], **own: object) -> str:
    with pytest.raises(ValueError, match=r".") as refused:
        ERRORS.checked(question(**own), raw, TEXTS)
    return str(refused.value.args[0])


@pytest.mark.parametrize("name", ["category", "severity", "text", "more"])
def test_half_a_character_is_refused_wherever_it_is(name):
    assert refusal(as_json({**error(4, 7), name: "\ud800"})).startswith("Errors must be a JSON list")


def test_far_too_many_objects_are_refused_before_they_are_compared():
    assert refusal(as_json(*[error(4, 7)] * 1001)).startswith("Errors must be a JSON list")
    assert refusal(as_json(*[error(4, 7)] * 1000)).startswith("Mark at most 100 errors")


def test_errors_are_stored_in_the_order_of_the_text_with_their_words():
    marks = stored(as_json(error(8, 11, "wording", "major"), error(4, 7)))
    assert marks == [
        {**error(4, 7), "text": "cat"},
        {**error(8, 11, "wording", "major"), "text": "sat"},
    ]


def test_no_error_is_an_answer_of_its_own():
    assert stored(["[]"]) == []
    assert stored(["none:1"]) == []
    assert ERRORS.checked(question(), "", TEXTS) is None
    assert ERRORS.cell(ERRORS.of_cell("[]")) == "[]"


def test_a_required_question_is_not_answered_by_an_empty_answer():
    sent = Submission(page_key=uuid4(), answers={})
    with pytest.raises(Exception, match="Not saved"):
        check([question()], sent, TEXTS)


@pytest.mark.parametrize(
    ("marks", "words"),
    [
        ([error(4, 7, "nothing")], "no category of this form"),
        ([error(4, 7, severity="meaning")], "no severity of this form"),
        ([error(20, 99)], "beyond the text of 23 characters"),
        ([error(3, 4)], "white space"),
        ([{**error(4, 7), "text": "dog"}], "says “dog”, but the text has “cat”"),
    ],
)
def test_an_error_that_cannot_be_in_the_text_is_refused(marks, words):
    assert words in refusal(as_json(*marks))


@pytest.mark.parametrize("raw", ["[1]", "[{}]", '{"start": 1}', "words", '[{"start": 4, "end": 2}]'])
def test_what_is_no_list_of_errors_is_refused(raw):
    assert "JSON list" in refusal([raw])


def test_errors_share_words_only_where_the_study_allows_it():
    marks = as_json(error(4, 11), error(8, 11, "wording"))
    assert len(stored(marks)) == 2
    assert "share words" in refusal(marks, overlap=False)
    assert len(stored(as_json(error(4, 7), error(7, 11)), overlap=False)) == 2


def fields(**row: str) -> list[str]:
    return [f"1.{name}:{value}" for name, value in row.items()]


def test_a_page_without_scripts_sends_the_wrong_words():
    assert stored(fields(words="sat  on", category="meaning", severity="major")) == [
        {**error(8, 14, severity="major"), "text": "sat on"}
    ]


def test_words_that_occur_twice_need_their_place():
    row = {"words": "cat", "category": "meaning", "severity": "minor"}
    assert "2 times" in refusal(fields(**row))
    assert stored(fields(**row, place="2"))[0]["start"] == 19
    assert stored(fields(**row, at="19-22"))[0]["start"] == 19
    assert "2 times" in refusal(fields(**row, place="3"))


def test_a_row_needs_words_category_and_severity():
    assert "incomplete" in refusal(fields(words="sat", severity="minor"))
    assert "not in the text" in refusal(fields(words="dog", category="meaning", severity="minor"))
    row = fields(words="sat", category="meaning", severity="minor")
    assert "Clear one" in refusal([*row, "none:1"])


def test_later_questions_see_the_categories_and_severities():
    earlier = question()
    reason = Question("why", "Why", TEXT, required=False, asked_after="errors", asked_when="major")
    for marks, is_asked in (([error(4, 7)], False), ([error(4, 7, severity="major")], True)):
        sent = Submission(page_key=uuid4(), answers={"errors": as_json(*marks), "why": "so"})
        assert ("why" in check([earlier, reason], sent, TEXTS)) is is_asked


def test_a_criterion_needs_a_severity_and_a_category():
    def problems(weights: dict[str, float]) -> dict[str, str]:
        return ErrorSettings(weights=weights).problems(POINTS)

    assert problems(WEIGHTS) == {}
    assert "1 to 9" in problems({})["weights"]
    assert "category" in problems(dict.fromkeys(POINTS, 1))["weights"]
    assert "above 0" in problems({"minor": 0})["weights"]
    assert "no point" in problems({"other": 1})["weights"]


def test_what_the_form_editor_posts_is_what_a_definition_holds():
    points = [
        {"value": "meaning", "weights": ""},
        {"value": "minor", "weights": "1"},
        {"value": "major", "weights": "2.5"},
    ]
    posted = ERRORS.posted_settings(
        {"score_per": "100 words", "score_cap": "25", "units": "", "least_f1": "0.7"}, points
    )
    assert posted == {
        "errors": {
            "weights": {"minor": 1, "major": 2.5},
            "overlap": False,
            "score_per": "100 words",
            "score_cap": 25,
            "units": "",
            "least_f1": 0.7,
        }
    }
    assert ERRORS.complete_settings(ERRORS.stored_settings(posted)) == posted


spans = st.lists(
    st.tuples(
        st.integers(0, 22), st.integers(1, 23), st.sampled_from(POINTS[:2]), st.sampled_from(POINTS[2:])
    ).filter(lambda one: one[0] < one[1] and SENTENCE[one[0] : one[1]].strip()),
    max_size=6,
)


@given(spans)
def test_an_answer_comes_back_from_its_cell_whatever_the_order_it_was_sent_in(found):
    marks = [error(*one) for one in found]
    answer = checked(as_json(*marks))
    assert ERRORS.of_cell(ERRORS.cell(answer)) == answer
    assert checked(str(ERRORS.cell(answer))) == answer
    assert checked(as_json(*reversed(marks))) == answer
    assert all(SENTENCE[one["start"] : one["end"]] == one["text"] for one in stored(as_json(*marks)))
