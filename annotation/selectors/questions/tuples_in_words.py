"""Marked tuples for display: as words, and as marks in the text."""

from __future__ import annotations

from typing import Any

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.marked_text import marked_field, marked_text, summarize_tuples
from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.models import Criterion, FormVersion, Item


def tuples_in_words(criterion: Criterion, version: FormVersion, item: Item, stored: str) -> dict[str, Any]:
    """Return what `annotation/questions/tuples/in_words.html` shows of an answer.

    Parameters
    ----------
    criterion, version, item
        What was asked on which page.
    stored : str
        The answer as a rating keeps it.

    Returns
    -------
    dict
        `tuples`, and `marked` where the parts are marked in the text; empty for other kinds of questions.
    """
    if criterion.question_kind.yields is not Yields.SPANS:
        return {}
    names = {point.value: point.label or point.value for point in criterion.points.all()}
    shown = {"tuples": summarize_tuples(stored, names)}
    text = item.fields.get(marked_field(version.blocks), "")
    if not text or not TupleSettings.of(criterion.settings).marked:
        return shown
    return shown | {"marked": marked_text(text, stored, names)}
