"""A slider takes numbers between its ends in its steps; a question left open has no answer."""

from __future__ import annotations

import uuid

import pytest

from annotation.domain.questions.answers import Submission, check, first_values
from annotation.domain.questions.kinds.kind import Question
from annotation.domain.questions.kinds.slider import SLIDER
from annotation.protocols.definition_forms import completed_form, form_problems


def asked(low: float, high: float, step: float = 1) -> Question:
    return Question("apt", "Apt", SLIDER, low, high, settings={"slider": {"step": step}})


@pytest.mark.parametrize(
    ("question", "raw", "value", "cell"),
    [
        (asked(0, 100), "72", 72, "72"),
        (asked(0, 100), " 72.0 ", 72, "72"),
        (asked(0, 100), "0", 0, "0"),
        (asked(-1, 1, 0.1), "0.3", 0.3, "0.3"),
        (asked(-1, 1, 0.1), "-0.7", -0.7, "-0.7"),
        (asked(0.5, 3, 0.5), "3", 3, "3"),
    ],
)
def test_a_number_in_the_steps_of_the_slider_is_stored_as_it_was_given(question, raw, value, cell):
    answer = SLIDER.checked(question, raw)
    assert answer is not None
    assert answer.value == value
    assert str(SLIDER.cell(answer)) == cell


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ("101", "101 is outside the scale from 0 to 100."),
        ("-1", "-1 is outside the scale from 0 to 100."),
        ("4.5", "Enter a number from 0 to 100 in steps of 1."),
        ("1e2", "Enter a number from 0 to 100."),
        ("nan", "Enter a number from 0 to 100."),
        ("٤", "Enter a number from 0 to 100."),
    ],
)
def test_any_other_number_is_refused_in_a_sentence(raw, sentence):
    with pytest.raises(ValueError, match=rf"^{sentence}$"):
        SLIDER.checked(asked(0, 100), raw)


def test_a_slider_that_was_not_touched_is_missing():
    assert SLIDER.checked(asked(0, 100), "") is None


def test_every_answer_that_it_lists_can_be_given():
    question = asked(-1, 1, 0.1)
    possible = SLIDER.possible(question)
    assert (possible[0], possible[13], possible[-1], len(possible)) == ("-1", "0.3", "1", 21)
    assert [SLIDER.checked(question, one) is not None for one in possible] == [True] * 21


def problems(*values: str, step: float = 1, **ends: float) -> dict[str, str]:
    points = [{"value": value, "label": "", "description": "", "keyboard": ""} for value in values]
    words = dict.fromkeys(("key", "name", "asked_after", "asked_when"), "")
    settings = {"shuffled": False, "unsure": "", "answer_key": "", "slider": {"step": step}}
    nothing = {"minimum": None, "maximum": None}
    one = {**words, "kind": "slider", **nothing, **ends, "points": points, "settings": settings}
    found = form_problems(
        completed_form({"criteria": [one], "blocks": [], "examples": [], "practice": [], "translations": {}})
    )
    return {path.removeprefix("criteria[0]."): sentence for path, sentence in found}


@pytest.mark.parametrize(
    ("given", "field", "sentence"),
    [
        (
            problems("0", "much"),
            "points[1].value",
            "An end of a slider must be a number, such as 100 or 0.5.",
        ),
        (
            problems("0", "25", "50", "100"),
            "points",
            "A slider has two ends and at most one point between them. Remove the others.",
        ),
        (
            problems("0", "40", "100"),
            "points[1].value",
            "The middle of a slider is halfway between its ends.",
        ),
        (problems("100", "0"), "minimum", "Enter the ends of the slider, the lower one first."),
        (
            problems("0", "1", step=0.3),
            "settings.slider.step",
            "Steps of 0.3 do not lead from 0 to 1. Change the step or the ends.",
        ),
        (
            problems("0", "100", step=0.001),
            "settings.slider.step",
            "A slider has at most 5000 steps. Use a larger step.",
        ),
        *(
            (
                problems("0", "100", step=step),
                "settings.slider.step",
                "A slider has at most 5000 steps. Use a larger step.",
            )
            for step in (0.0003, 1e-27, 5e-324)
        ),
        (
            problems("0", "1", step=1 / 2048),
            "settings.slider.step",
            "A step has at most 6 decimals, such as 0.000125.",
        ),
        (
            problems("0", "100", maximum=90),
            "minimum",
            "The ends of a slider are its first and last points. Remove minimum and maximum.",
        ),
    ],
)
def test_a_slider_that_cannot_be_set_is_refused_where_it_is_written(given, field, sentence):
    assert given[field] == sentence


def test_a_slider_with_steps_of_a_tenth_can_be_asked():
    assert problems("-1", "1", step=0.1) == {}


def test_the_middle_of_a_slider_can_have_a_label():
    assert problems("0", "50", "100") == problems("-1", "0", "1") == problems("0", "0.5", "1", step=0.1) == {}


@pytest.mark.parametrize(
    ("fields", "points", "written"),
    [
        ({}, ["0", "100"], ["0", "100"]),
        ({"middle": "neither"}, ["0", "100"], ["0", "50", "100"]),
        ({"middle": "neither"}, ["0", "1"], ["0", "0.5", "1"]),
        ({}, ["0", "50 neither", "10"], ["0", "5", "10"]),
        ({}, ["0", "50", "100"], ["0", "100"]),
        ({"middle": "neither"}, ["0", "much"], ["0", "", "much"]),
    ],
)
def test_the_form_editor_computes_the_middle_and_drops_one_without_words(fields, points, written):
    given = [
        {"value": value, "label": label, "description": "", "keyboard": ""}
        for value, _, label in (point.partition(" ") for point in points)
    ]
    assert [point["value"] for point in SLIDER.posted_points(fields, given)] == written


def first(sent: str, before: dict[str, float] | None = None, *, given: str = "72") -> dict[str, float]:
    question, page = asked(0, 100), uuid.uuid4()
    submission = Submission(page, answers={"apt": given}, first_values={"apt": sent})
    return first_values([question], submission, check([question], submission), before or {})


def test_the_first_position_is_stored_in_addition_to_the_last_one():
    assert first("18") == {"apt": 18}
    assert first("18", {"apt": 40}) == {"apt": 40}


@pytest.mark.parametrize("sent", ["", "101", "0.5", "much"])
def test_a_first_position_that_the_slider_does_not_have_is_not_stored(sent):
    assert first(sent) == {}
