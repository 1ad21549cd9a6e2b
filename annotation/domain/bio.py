"""Tuples as columns of BIO tags beside the characters of their text, in the manner of CoNLL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

OUTSIDE = "O"


def bio_lines(text: str, marks: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a comment that names the columns, then one line a character: offset, character, tags.

    Parameters
    ----------
    text : str
        What the offsets count in.
    marks : iterable of mapping
        Objects `{"tuple", "part", "start", "end", "text"}`; those that are not located have no column.

    Yields
    ------
    str
        White space is no line of its own, offsets go on over it. Every part of every tuple has a column, so
        that overlapping and nested spans keep apart; a span begins with B.
    """
    columns: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for mark in marks:
        if mark["start"] is not None:
            columns.setdefault((mark["tuple"], mark["part"]), []).append((mark["start"], mark["end"]))
    ordered = sorted(columns, key=lambda column: column[0])
    yield "\t".join(["# offset", "character", *(f"{number}:{part}" for number, part in ordered)])
    tags = [_tags(len(text), columns[column], column[1]) for column in ordered]
    for place, character in enumerate(text):
        if not character.isspace():
            yield "\t".join([str(place), character, *(of_column[place] for of_column in tags)])


def _tags(length: int, spans: Iterable[tuple[int, int]], part: str) -> list[str]:
    tags = [OUTSIDE] * length
    for start, end in sorted(spans):
        for place in range(start, min(end, length)):
            tags[place] = f"{'B' if place == start else 'I'}-{part}"
    return tags
