"""Marked parts of a text: cutting it into the pieces that a page shows."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LONGEST_AT_A_GLANCE = 300
MOST_LINES_AT_A_GLANCE = 8
LONGEST_SENTENCE = 120


@dataclass(frozen=True)
class Span:
    """A part of a text; offsets count Unicode code points, `end` is past the last."""

    part: str
    start: int
    end: int


@dataclass(frozen=True)
class Segment:
    """A piece of a text that lies in one and the same part, or in none (`part` is empty)."""

    text: str
    part: str = ""


def segments(text: str, spans: Iterable[Span]) -> list[Segment]:
    """Cut a text at the ends of its spans; together the pieces are the text again.

    Parameters
    ----------
    text : str
        The whole text.
    spans : iterable of Span
        May overlap or reach beyond the text; where several cover a place, the shortest names it.
    """
    inside = [span for span in spans if 0 <= span.start < span.end <= len(text)]
    cuts = sorted({0, len(text), *(span.start for span in inside), *(span.end for span in inside)})
    pieces: list[Segment] = []
    for start, end in itertools.pairwise(cuts):
        part = _part_at(start, inside)
        if pieces and pieces[-1].part == part:
            pieces[-1] = Segment(pieces[-1].text + text[start:end], part)
        else:
            pieces.append(Segment(text[start:end], part))
    return pieces


def is_long(text: str) -> bool:
    """Return whether a text is as long as a story and cannot be read at a glance.

    Parameters
    ----------
    text : str
        Of an item; blank lines count as lines.
    """
    return len(text) > LONGEST_AT_A_GLANCE or len(text.strip().splitlines()) > MOST_LINES_AT_A_GLANCE


def is_passage(text: str) -> bool:
    """Return whether a text is more than a sentence or two, though it is read at a glance.

    Parameters
    ----------
    text : str
        Of an item.
    """
    return len(text) > LONGEST_SENTENCE and not is_long(text)


def _part_at(place: int, spans: Sequence[Span]) -> str:
    covering = [span for span in spans if span.start <= place < span.end]
    return min(covering, key=lambda span: span.end - span.start).part if covering else ""
