"""A condition is one answer, or a bound for the answer to a scale."""

from __future__ import annotations

import pytest

from annotation.domain.questions.kinds.condition import Condition


@pytest.mark.parametrize(
    ("stored", "held", "not_held"),
    [
        ("4", [4, "4"], [5, "5", ""]),
        (">=4", [4, 5, 4.5, ">=4"], [3, 3.9, "5"]),
        ("<=2.5", [2, 2.5, -1], [3, "2"]),
        (">= 4", [4], [3]),
        ("yes", ["yes"], ["no", 1]),
        ("sound", ["sound", "colour|sound"], ["colour", "soundless|colour"]),
        (">=much", [">=much"], ["much", 5]),
    ],
)
def test_a_condition_holds_for_its_answer_or_for_numbers_within_its_bound(stored, held, not_held):
    condition = Condition.read(stored)
    assert [cell for cell in held if not condition.holds(cell)] == []
    assert [cell for cell in not_held if condition.holds(cell)] == []


@pytest.mark.parametrize("stored", ["4", ">=4", "<=-2", "yes", ">=much", ""])
def test_a_condition_is_stored_as_it_was_read(stored):
    assert Condition.read(stored).stored == stored
