"""A text with its marked tuples, for reading: pieces between the ends of spans, with lines and labels."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.domain.questions.tuples import marks_in, wordings_of

# Part, start and end.
LabelledSpan = tuple[str, int, int]
KNOWN = ("tenor", "vehicle", "ground", "comparator", "event")
MOST_LINES = 4
# Characters as wide as they are high; others have about half of that width.
WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\U00020000-\U0003fffd]"
)
NARROW = 0.45
LABEL_CHARACTER = 0.3


@dataclass(frozen=True)
class MarkLine:
    """One span of a part on a piece: a line under it, with a label where the span begins.

    `line` counts lines from the text down, the wider spans lower; `under` is the lowest line above the label,
    `row` counts rows of labels. `label` is empty but on the first piece of the span. `part` is a word for a
    class of its own, `other` where it is none of the usual ones.
    """

    part: str
    line: int
    under: int
    row: int
    label: str


@dataclass(frozen=True)
class MarkedPiece:
    """A piece of the text with the lines under it, the widest first; together the pieces are the text."""

    text: str
    marks: tuple[MarkLine, ...] = ()


@dataclass(frozen=True)
class MarkedText:
    """A text cut into pieces; `rows` of labels need room between its lines."""

    pieces: tuple[MarkedPiece, ...]
    rows: int


@dataclass(frozen=True)
class TuplePartSummary:
    """The wordings of one part of a tuple, and whether all of them occur in the text."""

    part: str
    name: str
    wordings: tuple[str, ...]
    located: bool


@dataclass(frozen=True)
class TupleSummary:
    """A tuple in words."""

    number: int
    parts: tuple[TuplePartSummary, ...]


def marked_field(blocks: Sequence[Mapping[str, Any]]) -> str:
    """The field of an item in which offsets count: the figure that the form shows, else its first text.

    Parameters
    ----------
    blocks : sequence of mapping
        Of a form version.
    """
    figure = next((block["field"] for block in blocks if block.get("role") == "figure"), "")
    return str(figure or next((block["field"] for block in blocks), "sentence"))


def marked_text(text: str, stored: str, names: Mapping[str, str] | None = None) -> MarkedText:
    """A text with the spans of stored tuples.

    Parameters
    ----------
    text : str
        What the offsets count in.
    stored : str
        Tuples as a rating keeps them; spans beyond the text are left out.
    names : mapping of str to str or None
        What parts are called in labels; by themselves otherwise.

    Returns
    -------
    MarkedText
        For `annotation/questions/marked_text.html`.
    """
    spans: dict[LabelledSpan, dict[int, None]] = {}
    for mark in marks_in(stored):
        if mark.get("start") is not None and mark["end"] <= len(text):
            spans.setdefault((mark["part"], mark["start"], mark["end"]), {})[mark["tuple"]] = None
    labels = {span: _label(span[0], numbers, names or {}) for span, numbers in spans.items()}
    return with_labels(text, labels, {part: part for part in KNOWN})


def with_labels(text: str, labels: Mapping[LabelledSpan, str], drawn_as: Mapping[str, str]) -> MarkedText:
    """Cut a text into pieces between the ends of spans.

    Parameters
    ----------
    text : str
        What the offsets count in; spans lie in it.
    labels : mapping
        Part, start and end of each span, with its label.
    drawn_as : mapping of str to str
        The word for a class of its own, by part; `other` for parts that it lacks.

    Returns
    -------
    MarkedText
        For `annotation/questions/marked_text.html`.
    """
    lines, rows = _lines(labels), _rows(text, labels)
    cuts = sorted({0, len(text), *itertools.chain.from_iterable(span[1:] for span in labels)})
    pieces = []
    for start, end in itertools.pairwise(cuts):
        covering = sorted(
            (span for span in labels if span[1] <= start < span[2]), key=lambda span: -lines[span]
        )
        pieces.append(
            MarkedPiece(
                text[start:end],
                tuple(
                    MarkLine(
                        part=drawn_as.get(span[0], "other"),
                        line=lines[span],
                        under=lines[covering[0]],
                        row=rows[span],
                        label=labels[span] if span[1] == start else "",
                    )
                    for span in covering
                ),
            )
        )
    return MarkedText(tuple(pieces), max(rows.values(), default=-1) + 1)


def summarize_tuples(stored: str, names: Mapping[str, str] | None = None) -> list[TupleSummary]:
    """Stored tuples in words, for `annotation/questions/tuple_summary.html`.

    Parameters
    ----------
    stored : str
        As a rating keeps them.
    names : mapping of str to str or None
        What parts are called; by themselves otherwise.
    """
    called = names or {}
    return [
        TupleSummary(
            number,
            tuple(
                TuplePartSummary(part, called.get(part, part), tuple(wordings), all(wordings.values()))
                for part, wordings in one.items()
            ),
        )
        for number, one in enumerate(wordings_of(stored).values(), start=1)
    ]


def _label(part: str, numbers: Iterable[int], names: Mapping[str, str]) -> str:
    return f"{names.get(part, part)} {', '.join(map(str, sorted(numbers)))}"


def _lines(spans: Iterable[LabelledSpan]) -> dict[LabelledSpan, int]:
    """The wider of two spans that share a place has the lower line."""
    found: dict[LabelledSpan, int] = {}
    for span in sorted(spans, key=lambda span: (span[2] - span[1], span[1], span[0])):
        above = [line for other, line in found.items() if other[1] < span[2] and span[1] < other[2]]
        found[span] = min(max(above, default=-1) + 1, MOST_LINES - 1)
    return found


def _rows(text: str, labels: Mapping[LabelledSpan, str]) -> dict[LabelledSpan, int]:
    """Labels that would touch are in rows below one another."""
    places = [0.0, *itertools.accumulate(1.0 if WIDE.match(one) else NARROW for one in text)]
    ends: list[float] = []
    found = {}
    for span in sorted(labels, key=lambda span: (span[1], -span[2], span[0])):
        begin = places[span[1]]
        row = next((row for row, end in enumerate(ends) if end <= begin), len(ends))
        ends[row : row + 1] = [begin + LABEL_CHARACTER * (len(labels[span]) + 1)]
        found[span] = min(row, MOST_LINES - 1)
    return found
