"""A calibration answer of marked errors agrees with its reference by the F1 of characters."""

from __future__ import annotations

import math
import time
from typing import Any

import pytest

from annotation.domain.questions.error_spans.agreement import f1_of_characters
from annotation.domain.questions.error_spans.marks import fields_in_words
from annotation.domain.questions.kinds.kind import Question
from annotation.domain.questions.kinds.marking.errors import ERRORS

SENTENCE = "The guest came too came early."
POINTS = ("meaning", "grammar", "minor", "major")
SETTINGS = {"errors": {"weights": {"minor": 1, "major": 5}, "least_f1": 0.6}}
ASKED = Question("asked", "Asked", ERRORS, options=POINTS, settings=SETTINGS, field="text")


def mark(start: int, end: int, category: str = "meaning", severity: str = "major") -> dict[str, Any]:
    return {"start": start, "end": end, "category": category, "severity": severity}


@pytest.mark.parametrize(
    ("key", "given", "f1"),
    [
        ([], [], 1),
        ([mark(0, 4)], [], 0),
        ([], [mark(0, 4)], 0),
        ([mark(0, 4)], [mark(0, 4)], 1),
        ([mark(0, 4)], [mark(2, 8)], 2 * 2 / (4 + 6)),
        ([mark(0, 4)], [mark(0, 4, severity="minor")], 0.5),
        ([mark(0, 4)], [mark(0, 4, category="grammar")], 0.5),
        ([mark(0, 4)], [mark(0, 2), mark(2, 4)], 1),
        ([mark(0, 4), mark(2, 6, "grammar")], [mark(0, 4)], 2 * 4 / (8 + 4)),
        ([mark(0, 4), mark(2, 6, "grammar")], [mark(2, 6, "grammar"), mark(0, 4)], 1),
        ([mark(0, 9)], [mark(20, 29)], 0),
    ],
)
def test_f1_counts_characters_once_for_each_error_and_half_with_other_labels(key, given, f1):
    assert math.isclose(f1_of_characters(key, given), f1)
    assert math.isclose(f1_of_characters(given, key), f1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("guest (major, meaning)", "guest (major, meaning)"),
        (" too (minor , grammar);guest (major, meaning); ", "guest (major, meaning); too (minor, grammar)"),
        ("guest（major，meaning）； too (minor、grammar)", "guest (major, meaning); too (minor, grammar)"),
        ("No error", "no error"),
        ("[]", "no error"),
        (
            '[{"start": 19, "end": 23, "category": "grammar", "severity": "minor"}]',
            "came (minor, grammar)",
        ),
    ],
)
def test_a_reference_is_written_in_words_or_as_files_hold_it(text, words):
    reference = ERRORS.reference_in(ASKED, text, {"text": SENTENCE})
    assert reference is not None
    assert ERRORS.reference_in_words(reference) == words
    # A definition holds the stored form.
    assert ERRORS.reference_in(ASKED, reference, {"text": SENTENCE}) == reference


def test_words_of_an_error_may_have_brackets_and_its_labels_full_width_ones():
    words = ("a (b) c", "minor", "meaning（light）")
    written = f"{words[0]} ({words[1]}, {words[2]})"
    assert fields_in_words(written) == dict(zip(("1.words", "1.severity", "1.category"), words, strict=True))


def test_a_long_run_of_spaces_or_brackets_is_read_at_once():
    began = time.process_time()
    for text in ("x" + " " * 4000 + "(", "(" * 4000, "(a," * 1300, "x (a" + " " * 4000 + ",b"):
        assert fields_in_words(text) is None
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    "text",
    [
        "guest",
        "guest (major)",
        "guest (major, meaning) and more",
        "; guest (major, meaning)",
    ],
)
def test_a_reference_that_does_not_name_errors_is_refused(text):
    assert ERRORS.reference_in(ASKED, text, {"text": SENTENCE}) is None


@pytest.mark.parametrize(
    "text",
    [
        "guest (meaning, major)",
        "host (major, meaning)",
        "came (major, meaning)",
        '[{"start": 25, "end": 99, "category": "grammar", "severity": "minor"}]',
    ],
)
def test_a_reference_that_no_rater_can_give_is_refused(text):
    with pytest.raises(ValueError, match=r"rror 1|is in the text 2 times"):
        ERRORS.reference_in(ASKED, text, {"text": SENTENCE})


def test_an_answer_is_right_from_the_f1_that_the_form_asks_for():
    key = ERRORS.reference_in(ASKED, "guest came (major, meaning)", {"text": SENTENCE})
    near = ERRORS.reference_in(ASKED, "guest (major, meaning)", {"text": SENTENCE})
    assert key is not None
    assert near is not None
    assert ERRORS.distance(key, near, SETTINGS) == 0  # F1 .67
    stricter = {"errors": SETTINGS["errors"] | {"least_f1": 0.7}}
    assert ERRORS.distance(key, near, stricter) > 1000
