"""Calibration items: references that can be met, rules that raters can pass, background texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent
from annotation.domain.quality.calibration import (
    Reference,
    RuleKind,
    is_within_tolerance,
    qualification_of,
    rankable,
    read_reference,
    why_incomplete,
)
from annotation.domain.quality.qualification import ByHand, NearReference, RankedAlike
from annotation.domain.questions.background_text import blocks
from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.questions.kinds.kind import Question
from annotation.domain.questions.kinds.likert import LIKERT
from annotation.domain.questions.kinds.text import TEXT

QUALITY = Question("quality", "Quality", LIKERT, 1, 5)
PROPERTY = Question("property", "Property", CHOICE, options=("cold", "bright"))
REMARK = Question("remark", "Remark", TEXT)
ASKED = (QUALITY, PROPERTY, REMARK)


def rule(kind: RuleKind, **rest: float | None):
    settings = {"tolerance": None, "share": None, "least": None, **rest}
    return qualification_of(kind, attempts=2, **settings).rule


def test_each_rule_reads_its_own_settings():
    assert rule(RuleKind.NEAR, tolerance=1, share=0.7) == NearReference(1, 0.7)
    assert rule(RuleKind.RANK, least=0.5, share=7) == RankedAlike(0.5)
    assert rule(RuleKind.HAND) == ByHand()


@pytest.mark.parametrize(
    ("kind", "rest", "named"),
    [
        (RuleKind.NEAR, {"share": 0.5}, {"tolerance"}),
        (RuleKind.NEAR, {"tolerance": float("nan"), "share": None}, {"tolerance", "share"}),
        (RuleKind.RANK, {}, {"least"}),
        (RuleKind.NEAR, {"tolerance": 1, "share": 1.5}, {"share"}),
    ],
)
def test_a_rule_that_lacks_a_number_is_refused_by_its_name(kind, rest, named):
    with pytest.raises(InvalidContent) as refused:
        rule(kind, **rest)
    assert refused.value.fields.keys() == named


def test_references_are_numbers_on_the_scale_or_options():
    assert read_reference({"quality": "3.5", "property": "cold", "remark": ""}, ASKED, {}) == {
        "quality": 3.5,
        "property": "cold",
    }


@pytest.mark.parametrize(
    ("given_values", "named"),
    [
        ({"quality": "6"}, {"quality"}),
        ({"quality": "nan"}, {"quality"}),
        ({"quality": "much"}, {"quality"}),
        ({"property": "warm"}, {"property"}),
        ({"remark": "fine"}, {"remark"}),
        ({"wit": 3}, {"wit"}),
        ({"quality": None}, {"reference"}),
    ],
)
def test_a_reference_that_no_rater_can_give_is_refused(given_values, named):
    with pytest.raises(InvalidContent) as refused:
        read_reference(given_values, ASKED, {})
    assert (refused.value.code, refused.value.fields.keys()) == ("invalid_reference", named)


@pytest.mark.parametrize(
    ("reference", "tolerance", "cell", "kind", "near"),
    [
        (3.5, 0.5, 4, "likert", True),
        (3.5, 0.4, 4, "likert", False),
        (4.0, None, 4, "likert", True),
        ("cold", 4, "cold", "choice", True),
        ("cold", 4, "bright", "choice", False),
        ("cold", 4, None, "", False),
        (4.0, 4, None, "", False),
        ("a>b>c>d", None, "a>b>c>d", "ranking", True),
        ("a>b>c>d", None, "b>a>c>d", "ranking", False),
        ("a>b>c>d", 1, "b>a>c>d", "ranking", True),
        ("a>b>c>d", 1, "b>a>d>c", "ranking", False),
        ("a>b>c>d", 1, "a=b>c>d", "ranking", True),
        ("a>b=c>d", 2, "a>b=d>c", "best_worst", False),
        ("a>b=c>d", 3, "a>b=d>c", "best_worst", True),
    ],
)
def test_nearness_is_within_the_tolerance_an_option_right_or_wrong_and_an_order_has_pairs(
    reference, tolerance, cell, kind, near
):
    assert is_within_tolerance(reference, tolerance, cell, kind, {}) is near


def test_a_correlation_needs_three_items_whose_references_differ():
    same: Reference = {"quality": 3.0}
    other: Reference = {"quality": 4.0, "property": "cold"}
    assert rankable([same, other]) == frozenset()
    assert rankable([same, same, same]) == frozenset()
    assert rankable([same, same, other]) == {"quality"}
    assert why_incomplete(RuleKind.RANK, [same, same, same])
    assert not why_incomplete(RuleKind.NEAR, [same])
    assert why_incomplete(RuleKind.HAND, [])


def test_a_background_text_has_headings_lists_marked_parts_and_paragraphs_with_their_line_breaks():
    text = "## Parts\nA {vehicle:bell} is\nheard.\n\n- one\n- {topic:two}\n\n- other"
    found = [
        (block.kind, [[(piece.text, piece.part) for piece in line] for line in block.lines])
        for block in blocks(text)
    ]
    assert found == [
        ("heading", [[("Parts", "")]]),
        ("paragraph", [[("A ", ""), ("bell", "vehicle"), (" is", ""), ("\n", ""), ("heard.", "")]]),
        ("list", [[("one", "")], [("two", "topic")]]),
        ("list", [[("other", "")]]),
    ]


@given(st.text(alphabet="#- a{}:\n", max_size=40))
def test_no_text_breaks_the_page_and_no_word_is_lost(text):
    shown = "".join(piece.text for block in blocks(text) for line in block.lines for piece in line)
    assert shown.count("a") == text.count("a")
