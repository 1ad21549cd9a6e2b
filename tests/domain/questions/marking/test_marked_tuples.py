"""Spans of tuples count code points of the text, are checked against it, and come out as they went in."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given

from annotation.domain.base.errors import WrongPart
from annotation.domain.questions.bio_tags import bio_lines
from annotation.domain.questions.marked_text import marked_text, summarize_tuples
from annotation.domain.questions.tuple_fields import from_plain
from annotation.domain.questions.tuple_settings import TupleSettings, ends_in
from annotation.domain.questions.tuples import (
    PARTS,
    checked_tuples,
    in_a_field,
    in_one_line,
    marks_text,
    rows_of,
)
from tests.support.studies.marked_texts import mark, marked

MARKING = TupleSettings(marked=("tenor", "vehicle"), optional=("tenor",))
SENTENCE = "我的脸颊是溶了的雪，我的心是热了的酒😀。"


@given(marked())
def test_any_spans_in_any_text_come_out_as_they_went_in(given_marks):
    text, marks = given_marks
    stored = checked_tuples(marks_text(marks), PARTS, within=text)
    assert json.loads(stored) == marks
    assert checked_tuples(stored, PARTS, within=text) == stored


@given(marked())
def test_every_span_comes_out_of_its_tags_again(given_marks):
    """Overlapping and nested spans too; of a span, what is no white space."""
    text, marks = given_marks
    head, *rows = (line.split("\t") for line in bio_lines(text, marks))
    places = [int(row[0]) for row in rows]
    assert [(place, row[1]) for place, row in zip(places, rows, strict=True)] == [
        (place, one) for place, one in enumerate(text) if not one.isspace()
    ]
    found = set()
    for column, name in enumerate(head[2:], start=2):
        tags = "".join(row[column][0] for row in rows)
        found |= {(name, tuple(places[slice(*one.span())])) for one in re.finditer("BI*", tags)}
    assert found == {
        (f"{one['tuple']}:{one['part']}", covered)
        for one in marks
        if one["start"] is not None
        for covered in [tuple(at for at in range(one["start"], one["end"]) if not text[at].isspace())]
        if covered
    }


@given(marked())
def test_the_pieces_of_a_marked_text_are_the_text_and_each_has_a_line_for_every_span(given_marks):
    text, marks = given_marks
    shown = marked_text(text, marks_text(marks))
    assert "".join(piece.text for piece in shown.pieces) == text
    spans = {(one["part"], one["start"], one["end"]) for one in marks if one["start"] is not None}
    place = 0
    for piece in shown.pieces:
        assert len(piece.marks) == sum(start <= place < end for _, start, end in spans)
        place += len(piece.text)
    assert sum(bool(one.label) for piece in shown.pieces for one in piece.marks) == len(spans)


@given(marked())
def test_plain_fields_that_are_sent_back_unchanged_keep_every_span(given_marks):
    """Without scripts an answer is corrected in plain fields."""
    text, marks = given_marks
    stored = checked_tuples(marks_text(marks), PARTS, within=text)
    rows = dict(enumerate(rows_of(stored), start=1))
    assert from_plain(rows, before=stored, settings=MARKING, within=text).count("{") >= 1
    for settings in (MARKING, TupleSettings()):
        again = from_plain(rows, before=stored, settings=settings, within=text)
        if not any({";", "；"} & set("".join(row.values())) for row in rows.values()):
            assert json.loads(again) == marks


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (0, len(SENTENCE) + 1, "beyond the text"),
        (3, 3, "start before end"),
        (4, 2, "start before end"),
        (-1, 2, "start before end"),
        (0, None, "start before end"),
        (False, True, "start before end"),
        (0.0, 2.0, "start before end"),
        ("0", "2", "start before end"),
    ],
)
def test_a_span_that_does_not_lie_in_the_text_is_refused(start, end, message):
    one = {"tuple": 1, "part": "tenor", "start": start, "end": end, "text": "我"}
    with pytest.raises(ValueError, match=message):
        checked_tuples(json.dumps([one]), ("tenor",), within=SENTENCE)


def test_offsets_count_code_points_not_utf_16_units():
    end = len(SENTENCE)
    assert checked_tuples(
        marks_text([mark(1, "tenor", (end - 3, end), "酒😀。")]), ("tenor",), within=SENTENCE
    )
    with pytest.raises(ValueError, match="code points"):
        checked_tuples(
            marks_text([mark(1, "tenor", (end - 1, end + 1), "酒。")]), ("tenor",), within=SENTENCE
        )


@pytest.mark.parametrize(
    ("marks", "code"),
    [
        ([mark(1, "vehicle", (5, 9), ".")], "tuple_part_without_words"),
        ([mark(1, "vehicle", None, "……“”")], "tuple_part_without_words"),
        ([mark(1, "vehicle", None, "雪"), mark(1, "vehicle", None, " ")], "tuple_part_empty"),
        ([mark(1, "tenor", None, "雪")], "tuple_incomplete"),
    ],
)
def test_each_part_holds_a_letter_or_digit_and_what_is_wrong_has_a_code(marks, code):
    with pytest.raises(WrongPart, match="uple 1") as refused:
        checked_tuples(marks_text(marks), PARTS[:2], MARKING, SENTENCE)
    assert refused.value.code == code


def test_nothing_is_located_where_there_is_no_text():
    with pytest.raises(ValueError, match="Leave start and end empty"):
        checked_tuples(marks_text([mark(1, "tenor", (0, 1), "我")]), ("tenor",))


def test_a_wording_is_located_or_not_but_not_both():
    both = [mark(1, "tenor", (0, 1), "我"), mark(1, "tenor", None, "我")]
    with pytest.raises(ValueError, match="of tuple 1 has offsets in one object but not in another"):
        checked_tuples(marks_text(both), ("tenor",), within=SENTENCE)


def test_an_optional_part_may_be_lacking_and_no_other():
    marks = [mark(1, "vehicle", (5, 9), "溶了的雪"), mark(1, "ground", None, "柔软的触感")]
    assert json.loads(checked_tuples(marks_text(marks), PARTS, MARKING, SENTENCE)) == marks
    with pytest.raises(ValueError, match="has no ground"):
        checked_tuples(marks_text(marks[:1]), PARTS, MARKING, SENTENCE)


def test_parallel_parts_are_aligned_by_position_and_located():
    row = {"tenor": "我的脸颊;我的心", "vehicle": "溶了的雪；热了的酒", "ground": "柔软的触感 | 冰凉"}
    marks = json.loads(from_plain({1: row}, settings=MARKING, within=SENTENCE))
    assert [(one["tuple"], one["part"], one["start"], one["text"]) for one in marks] == [
        (1, "tenor", 0, "我的脸颊"),
        (1, "vehicle", 5, "溶了的雪"),
        (1, "ground", None, "柔软的触感"),
        (1, "ground", None, "冰凉"),
        (2, "tenor", 10, "我的心"),
        (2, "vehicle", 14, "热了的酒"),
        (2, "ground", None, "柔软的触感"),
        (2, "ground", None, "冰凉"),
    ]


def test_plain_fields_of_a_form_that_marks_nothing_stay_as_they_were_typed():
    row = {"tenor": "a; b | c", "ground": "d"}
    assert in_one_line(from_plain({1: row}, within="a; b")) == "a; b | c – d"


@pytest.mark.parametrize("before", ["no tuples", "{}", '[{"tuple": 1}]', "[" * 100_000])
def test_what_a_page_says_it_showed_may_be_anything(before):
    assert (
        in_one_line(from_plain({3: {"tenor": "我"}}, before=before, settings=MARKING, within=SENTENCE))
        == "我"
    )


@pytest.mark.parametrize(
    ("words", "noun", "found"),
    [
        ("steady Feeling", "feeling", True),
        ("unfeeling", "feeling", False),
        ("feeling", "feeling", True),
        ("柔软的感觉", "感觉", True),
        ("感觉柔软", "感觉", False),
        ("anything", "", False),
    ],
)
def test_a_noun_is_a_word_of_its_own_where_the_script_has_spaces(words, noun, found):
    assert ends_in(words, noun) is found


def test_a_noun_that_says_too_little_is_refused_where_the_study_says_so():
    text = marks_text([mark(1, "ground", None, "柔软的感觉")])
    pointed = TupleSettings(general_nouns=("感觉",))
    assert checked_tuples(text, ("ground",), pointed) == text
    with pytest.raises(ValueError, match="“感觉” in tuple 1 is too general"):
        checked_tuples(text, ("ground",), TupleSettings(general_nouns=("感觉",), refuse_general=True))


def test_the_wider_span_has_the_lower_line_and_labels_do_not_touch():
    marks = [
        mark(1, "vehicle", (5, 9), "溶了的雪"),
        mark(2, "tenor", (5, 7), "溶了"),
        mark(1, "tenor", (0, 4), "a"),
    ]
    pieces = marked_text(SENTENCE, marks_text(marks)).pieces
    assert [(one.part, one.line, one.under, one.row, one.label) for one in pieces[2].marks] == [
        ("vehicle", 1, 1, 0, "vehicle 1"),
        ("tenor", 0, 1, 1, "tenor 2"),
    ]


def test_tuples_are_described_in_words_with_what_is_located():
    summaries = summarize_tuples(
        marks_text([mark(7, "tenor", (0, 4), "我的脸颊"), mark(7, "ground", None, "柔软")]),
        {"tenor": "Tenor"},
    )
    assert [
        (one.number, [(part.name, part.wordings, part.located) for part in one.parts]) for one in summaries
    ] == [(1, [("Tenor", ("我的脸颊",), True), ("ground", ("柔软",), False)])]


@pytest.mark.parametrize("within", ["a lamp:\r\n\r\n   it hung", "a  lamp:\tit hung", "a lamp: it hung"])
def test_words_written_in_one_line_are_found_over_line_breaks(within):
    (mark,) = json.loads(from_plain({1: {"tenor": "lamp: it"}}, settings=MARKING, within=within))
    assert (mark["text"], within[mark["start"] : mark["end"]].split()) == ("lamp: it", ["lamp:", "it"])


def test_a_field_cannot_show_the_line_break_of_a_mark_which_keeps_its_place():
    text = "bright,\r\nlike"
    stored = marks_text([mark(1, "tenor", (0, len(text)), text), mark(1, "vehicle", (9, 13), "like")])
    shown = {part: in_a_field(words) for part, words in rows_of(stored)[0].items()}
    assert shown == {"tenor": "bright, like", "vehicle": "like"}
    again = from_plain({1: shown}, before=stored, settings=MARKING, within="")
    assert json.loads(again) == json.loads(stored)
