"""Marked errors for display: in words, and as marks in the text."""

from __future__ import annotations

from typing import Any

from annotation.domain.questions.error_spans.marks import marks_in
from annotation.domain.questions.error_spans.settings import ErrorSettings
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.marked_text import marked_field, with_labels
from annotation.models import Criterion, FormVersion, Item


def errors_in_words(criterion: Criterion, version: FormVersion, item: Item, stored: str) -> dict[str, Any]:
    """Return what `annotation/questions/errors/in_words.html` shows of an answer.

    Parameters
    ----------
    criterion, version, item
        What was asked on which page.
    stored : str
        The answer as files hold it.

    Returns
    -------
    dict
        `errors`, each with words, category, severity, and `marked`, the text with its marks; empty for other
        kinds of questions.
    """
    if criterion.question_kind.yields is not Yields.ERRORS:
        return {}
    names = {point.value: point.label or point.value for point in criterion.points.all()}
    marks = marks_in(stored)
    text = item.fields.get(marked_field(version.blocks), "")
    within = [(number, one) for number, one in enumerate(marks, start=1) if one["end"] <= len(text)]
    labels = {
        (str(number), one["start"], one["end"]): f"{number} {names.get(one['category'], one['category'])}"
        for number, one in within
    }
    settings = ErrorSettings.of(criterion.settings)
    drawn_as = {
        str(number): f"severity-{settings.level(one['severity'])}"
        for number, one in within
        if one["severity"] in settings.weights
    }
    return {
        "errors": [
            {
                "words": " ".join(one.get("text", "").split()),
                "category": names.get(one["category"], one["category"]),
                "severity": names.get(one["severity"], one["severity"]),
            }
            for one in marks
        ],
        "marked": with_labels(text, labels, drawn_as),
    }
