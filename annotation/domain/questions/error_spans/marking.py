"""A criterion whose errors are marked in the text, as the rating page shows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from annotation.domain.questions.error_spans.marks import NONE, marks_in, marks_text
from annotation.domain.questions.error_spans.settings import ErrorSettings
from annotation.domain.questions.kinds.kind import PointLike

EMPTY_ROWS = 4
IN_A_ROW = ("words", "category", "severity")
# The rating page uses X, B and U; N is for “no error”.
KEYS_OF_THE_PAGE = "xbun"


@dataclass(frozen=True)
class MarkingPoint:
    """A category or a severity: `keyboard` is the key that gives it to the selected words.

    `level` is how a severity is drawn, 0 for the lightest.
    """

    value: str
    name: str
    description: str
    keyboard: str
    level: int = 0


@dataclass(frozen=True)
class ErrorMarking:
    """What the page needs for marking errors.

    Attributes
    ----------
    initial : str
        The marks when the page opens, as in files; empty without an answer.
    rows : sequence of mapping
        The fields of a page without scripts: those given, and some that are empty.
    legend : str
        Template of the keys, which the page shows at its foot.
    enter_adds : bool
        Whether Enter adds to the answer; otherwise it saves.
    """

    settings: ErrorSettings
    categories: tuple[MarkingPoint, ...]
    severities: tuple[MarkingPoint, ...]
    initial: str
    none: bool
    rows: tuple[dict[str, str], ...]
    offered: str = ""
    legend: str = "annotation/questions/errors/keys.html"
    enter_adds: bool = False

    def with_offered(self, _line: str, _text: str, _stored: Iterable[str]) -> Self:
        """Return the same marking, because earlier marks are part of `initial`."""
        return self


def error_marking(points: Sequence[PointLike], settings: ErrorSettings, given: Sequence[str]) -> ErrorMarking:
    """Return how the errors of a criterion are marked.

    Parameters
    ----------
    points : sequence of PointLike
        Categories and severities.
    settings : ErrorSettings
        Of the criterion.
    given : sequence of str
        The answer that the page shows at first: stored, suggested, or sent and refused.
    """
    rows, none = _shown(given)
    return ErrorMarking(
        settings=settings,
        categories=tuple(_point(one) for one in points if one.value not in settings.weights),
        severities=tuple(
            _point(one, settings.level(one.value)) for one in points if one.value in settings.weights
        ),
        initial=_initial(given),
        none=none,
        rows=(*rows, *({} for _ in range(EMPTY_ROWS))),
    )


def _point(point: PointLike, level: int = 0) -> MarkingPoint:
    key = point.keyboard.lower()
    return MarkingPoint(
        value=point.value,
        name=point.label or point.value,
        description=point.description,
        keyboard="" if key in KEYS_OF_THE_PAGE else key,
        level=level,
    )


def _initial(given: Sequence[str]) -> str:
    """The marks of an answer; empty if it has none, as a refused page may have sent anything."""
    try:
        return marks_text(marks_in(given[0])) if len(given) == 1 else ""
    except ValueError:
        return ""


def _shown(given: Sequence[str]) -> tuple[list[dict[str, str]], bool]:
    """The rows of a stored answer or of a page that was refused, and whether there is no error."""
    initial = _initial(given)
    if initial:
        rows = [
            {**one, "words": " ".join(one["text"].split()), "at": f"{one['start']}-{one['end']}"}
            for one in marks_in(initial)
            if one.get("text")
        ]
        return rows, not rows
    fields = dict(value.partition(":")[::2] for value in given)
    sent: dict[str, dict[str, str]] = {}
    for name, value in fields.items():
        row, dot, part = name.partition(".")
        if dot:
            sent.setdefault(row, {})[part] = value
    filled = [row for row in sent.values() if any(row.get(name) for name in IN_A_ROW)]
    return filled, bool(fields.get(NONE))
