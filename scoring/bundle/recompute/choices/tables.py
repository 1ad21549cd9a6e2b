"""Tables of accuracy and preferences."""

from __future__ import annotations

from ..arrays import Row
from ..drawing import Drawing
from .accuracy import compute_accuracy
from .preferences import compute_preferences
from .questions import Choices


def make_choice_tables(choices: Choices, drawing: Drawing) -> dict[str, list[Row]]:
    """Make the tables of accuracy and preferences; empty tables are left out."""
    found: dict[str, list[Row]] = {}
    for question, answers in choices.by_question():
        prefers = question.kind == "preference"
        parts = (
            compute_preferences(question, answers, drawing)
            if prefers
            else compute_accuracy(question, answers)
        )
        for name, rows in parts.items():
            found.setdefault(name, []).extend(rows)
    return {name: rows for name, rows in found.items() if rows}
