"""Tables of accuracy and preferences."""

from __future__ import annotations

from ..arrays import Row
from ..drawing import Drawing
from .accuracy import accuracy
from .preferences import preferences
from .questions import Choices


def choice_tables(choices: Choices, drawing: Drawing) -> dict[str, list[Row]]:
    """Accuracy against the key, and preferences; a table without rows is left out."""
    found: dict[str, list[Row]] = {}
    for question, answers in choices.by_question():
        prefers = question.kind == "preference"
        parts = preferences(question, answers, drawing) if prefers else accuracy(question, answers)
        for name, rows in parts.items():
            found.setdefault(name, []).extend(rows)
    return {name: rows for name, rows in found.items() if rows}
