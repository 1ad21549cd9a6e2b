"""Marks of annotators: how a file is read, how two are compared, and how a sentence gets its side."""

from __future__ import annotations

import json

import pytest

from benchmarks.components.marks import agreement, read_marks
from benchmarks.components.scores import ratio
from benchmarks.components.split import on_side, side_of

SIMILE = {
    "id": "1",
    "sentence": "He ran like a deer.",
    "simile": 1,
    "pairs": [{"topic": "He", "vehicle": "a deer"}],
}
OTHER = {"id": "2", "sentence": "I like him.", "simile": 0, "pairs": []}


@pytest.fixture
def marks_of(tmp_path):
    def read(*rows):
        path = tmp_path / "marks.json"
        path.write_text(json.dumps(rows), encoding="utf-8")
        return read_marks(path)

    return read


def test_two_equal_markings_agree_in_all(marks_of):
    marks = marks_of(SIMILE, OTHER)
    found = agreement(marks, marks)
    assert (found.n_sentences, found.kappa) == (2, 1)
    assert found.vehicle.estimate == found.topic.estimate == 1


def test_words_that_one_annotator_adds_lower_the_agreement(marks_of):
    longer = SIMILE | {"pairs": [{"topic": "", "vehicle": "a deer in spring"}]}
    found = agreement(marks_of(SIMILE, OTHER), marks_of(longer, OTHER))
    assert found.vehicle_in_common.estimate == pytest.approx(2 * 1 / 4)
    assert found.topic.estimate == 0


def test_different_labels_of_half_of_the_sentences_are_no_agreement(marks_of):
    other_way = OTHER | {"simile": 1, "pairs": [{"topic": None, "vehicle": "him"}]}
    assert agreement(marks_of(SIMILE, OTHER), marks_of(SIMILE, other_way)).kappa == 0


@pytest.mark.parametrize(
    "rows",
    [
        [SIMILE, SIMILE],
        [SIMILE | {"pairs": []}],
        [OTHER | {"pairs": SIMILE["pairs"]}],
        [SIMILE | {"pairs": [{"topic": "He", "vehicle": ""}]}],
    ],
)
def test_contradictory_marks_are_refused(marks_of, rows):
    with pytest.raises(ValueError, match=r"marks\.json"):
        marks_of(*rows)


def test_equal_sentences_are_on_the_same_side_and_a_third_is_held_out():
    assert side_of("He ran like a deer.") == side_of(" he ran, like a DEER ")
    sentences = [f"sentence {n}" for n in range(900)]
    held = on_side(sentences, "held", str)
    assert 250 < len(held) < 350
    assert sorted(held + on_side(sentences, "development", str)) == sorted(sentences)


def test_the_interval_of_a_ratio_holds_it_and_is_drawn_by_sentences():
    score = ratio([1, 0, 1, 1], [1, 1, 1, 1])
    assert score.low <= score.estimate == 0.75 <= score.high
    assert str(ratio([], [])) == "nan [nan, nan]"
