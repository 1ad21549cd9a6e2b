"""A criterion whose parts are marked in the text, as the rating page shows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

from annotation.domain.questions.kinds.kind import PointLike
from annotation.domain.questions.marked_text import KNOWN
from annotation.domain.questions.suggested_tuples import offered, tuples_in_line
from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.domain.questions.tuples import marks_in, marks_text

# The rating page uses X, B and U; W selects the whole word, A accepts a suggestion.
KEYS_OF_THE_PAGE = "xbuwa"


@dataclass(frozen=True)
class MarkingPart:
    """A part of a tuple: `keyboard` is the key that marks the selected words as it."""

    value: str
    name: str
    description: str
    marked: bool
    optional: bool
    adjective_noun: bool
    ends_in_noun: bool
    has_nouns: bool
    keyboard: str

    @property
    def css(self) -> str:
        """A word for a class of its own."""
        return self.value if self.value in KNOWN else "other"


@dataclass(frozen=True)
class Marking:
    """What the page needs for marking tuples; `initial` has the marks when it opens.

    `offered` are tuples that others found, as JSON; empty where there are none. Enter adds a tuple.
    """

    settings: TupleSettings
    parts: tuple[MarkingPart, ...]
    initial: str
    offered: str = ""
    legend: str = ""
    enter_adds: bool = True

    @property
    def marked(self) -> list[MarkingPart]:
        return [part for part in self.parts if part.marked]

    def with_offered(self, line: str, text: str, stored: Iterable[str]) -> Self:
        """Return a marking that also has the tuples that others found before.

        Parameters
        ----------
        line : str
            Tuples of the item in one line, as `tuples_in_line` reads them; empty without any.
        text : str
            The text that is marked.
        stored : iterable of str
            Earlier raters' answers, as ratings keep them.
        """
        parts = [part.value for part in self.parts]
        in_line = tuples_in_line(line, parts, self.settings, text)
        return replace(self, offered=offered([*stored, in_line], parts))


class TextMarking(Protocol):
    """How a text is marked, with tuples or with errors."""

    def with_offered(self, line: str, text: str, stored: Iterable[str], /) -> Self: ...


def marking_of(points: Sequence[PointLike], settings: TupleSettings, given: Sequence[str]) -> Marking | None:
    """Return how tuples are marked in the text; None where all parts are plain fields.

    Parameters
    ----------
    points : sequence of PointLike
        The parts.
    settings : TupleSettings
        Of the criterion.
    given : sequence of str
        The answer that the page shows at first: stored, or suggested, or sent and refused.
    """
    if not settings.marked:
        return None
    parts = tuple(_part(point, settings) for point in points)
    return Marking(settings, parts, _readable(next(iter(given), "")))


def marking_in(criteria: Sequence[Mapping[str, Any]]) -> TextMarking | None:
    """The criterion of a page for which its text is marked."""
    return next((one["marking"] for one in criteria if one.get("marking")), None)


def _part(point: PointLike, settings: TupleSettings) -> MarkingPart:
    return MarkingPart(
        value=point.value,
        name=point.label or point.value,
        description=point.description,
        marked=point.value in settings.marked,
        optional=point.value in settings.optional,
        adjective_noun=point.value in settings.adjective_noun,
        ends_in_noun=point.value in settings.noun_parts,
        has_nouns=point.value in settings.noun_parts and bool(settings.nouns),
        keyboard="" if point.keyboard.lower() in KEYS_OF_THE_PAGE else point.keyboard.lower(),
    )


def _readable(text: str) -> str:
    """The tuples of a text; empty if it has none, as a refused page may have sent anything."""
    try:
        return marks_text(marks_in(text))
    except ValueError:
        return ""
