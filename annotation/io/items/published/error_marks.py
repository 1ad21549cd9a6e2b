"""Marked errors in one row of a published file: by `<v>…</v>`, by start and end, or as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from annotation.domain.base.messages import message
from annotation.domain.questions.error_spans.marks import marks_in
from annotation.io.items.rating_cells import BadRow

OPEN, CLOSE = "<v>", "</v>"
MARK = re.compile(f"({OPEN}|{CLOSE})")
NO_ERROR = {"", "none", "noerror"}
OFFSET = re.compile(r"[0-9]{1,6}(\.0)?", re.ASCII)
SPACING = re.compile(r"[\s_-]+")
Mark = dict[str, Any]


def plain_name(text: str) -> str:
    """A category, a severity or a column without case, spaces, hyphens and underscores."""
    return SPACING.sub("", text).lower()


def unmarked(text: str) -> tuple[str, tuple[int, int] | None]:
    """Return a text without `<v>` and `</v>`, and where they were; None where there are none.

    Raises
    ------
    BadRow
        There is more than one pair, or a half of one (`bad_marks`).
    """
    pieces = MARK.split(text)
    if len(pieces) == 1:
        return text, None
    if pieces[1::2] != [OPEN, CLOSE]:
        sentence = message("enclose the words of one error in <v> and </v>; write each error in its own row")
        raise BadRow("target", "bad_marks", sentence)
    before, words, after = pieces[0::2]
    return before + words + after, (len(before), len(before) + len(words))


def marks_of_row(row: Mapping[str, Any], span: tuple[int, int] | None) -> list[Mark]:
    """Return the errors of a row, none if it states that there is no error.

    Parameters
    ----------
    row : mapping
        Cells by the names of `COLUMNS`.
    span : (int, int) or None
        Between `<v>` and `</v>`.

    Raises
    ------
    BadRow
        An error has no place, no category or no severity, or says that there is none and marks words.
    """
    if str(row.get("spans", "")).strip():
        return _of_json(str(row["spans"]))
    cells = {name: str(row.get(name, "")).strip() for name in ("category", "severity", "start", "end")}
    span = span or _offsets(cells)
    named = ("category", "severity")
    none = [name for name in named if plain_name(cells[name]) in NO_ERROR]
    if span is None and len(none) == len(named):
        return []
    if span is None and none:
        sentence = message("an error has a category and a severity; fill both, or none if there is no error")
        raise BadRow(none[0], "incomplete_error", sentence)
    if span is None:
        sentence = message("the error has no place; mark its words with <v> and </v>, or give start and end")
        raise BadRow("target", "no_place", sentence)
    if none:
        sentence = message("the row marks words; give the error a category and a severity")
        raise BadRow(none[0], "incomplete_error", sentence)
    return [{"start": span[0], "end": span[1], "category": cells["category"], "severity": cells["severity"]}]


def _of_json(text: str) -> list[Mark]:
    try:
        return marks_in(text)
    except ValueError as problem:
        raise BadRow("spans", "not_an_answer", str(problem.args[0])) from problem


def _offsets(cells: Mapping[str, str]) -> tuple[int, int] | None:
    given = [name for name in ("start", "end") if cells[name]]
    if not given:
        return None
    for name in ("start", "end"):
        if not OFFSET.fullmatch(cells[name]):
            sentence = message("%(value)s is not a whole number of characters", value=repr(cells[name][:60]))
            raise BadRow(name, "not_a_number", sentence)
    start, end = (int(float(cells[name])) for name in ("start", "end"))
    if start >= end:
        sentence = message("the end must be after the start; the end is the first character after the error")
        raise BadRow("end", "bad_span", sentence)
    return start, end
