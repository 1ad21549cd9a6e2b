"""Tuples as columns of BIO tags next to the characters of their text, as in CoNLL files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

OUTSIDE = "O"

Span = tuple[int, int]


def bio_lines(text: str, marks: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a comment that names the columns, then one line a character: offset, character, tags.

    Parameters
    ----------
    text : str
        The text in which the offsets count.
    marks : iterable of mapping
        Objects `{"tuple", "part", "start", "end", "text"}`; those that are not located have no column.

    Yields
    ------
    str
        White space has no line, but counts in the offsets. Every part of every tuple has a column, and
        one more for each span that shares a place with others of the same part, so that overlapping and
        nested spans stay separate; the first character of a span that has a line begins with B.
    """
    spans: dict[tuple[int, str], set[Span]] = {}
    for mark in marks:
        if mark["start"] is not None:
            spans.setdefault((mark["tuple"], mark["part"]), set()).add((mark["start"], mark["end"]))
    columns = [
        (number, part, disjoint)
        for number, part in sorted(spans, key=lambda column: column[0])
        for disjoint in _disjoint_lists(spans[number, part])
    ]
    yield "\t".join(["# offset", "character", *(f"{number}:{part}" for number, part, _ in columns)])
    tags = [_tags(text, disjoint, part) for _, part, disjoint in columns]
    for place, character in enumerate(text):
        if not character.isspace():
            yield "\t".join([str(place), character, *(of_column[place] for of_column in tags)])


def _disjoint_lists(spans: Iterable[Span]) -> list[list[Span]]:
    """Divide spans into as few lists as possible, without overlaps within a list."""
    found: list[list[Span]] = []
    for span in sorted(spans):
        free = next((one for one in found if one[-1][1] <= span[0]), None)
        if free is None:
            found.append([span])
        else:
            free.append(span)
    return found


def _tags(text: str, spans: Sequence[Span], part: str) -> list[str]:
    tags = [OUTSIDE] * len(text)
    for start, end in spans:
        shown = [place for place in range(start, min(end, len(text))) if not text[place].isspace()]
        for place in shown:
            tags[place] = f"{'B' if place == shown[0] else 'I'}-{part}"
    return tags
