"""Tuples that others found in a text, which a page offers as suggestions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from annotation.domain.questions.tuple_fields import from_plain
from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.domain.questions.tuples import Mark, marks_in

BETWEEN_TUPLES = re.compile("[;；\n]")
BETWEEN_PARTS = re.compile(r"\s[–—-]\s")


def tuples_in_line(words: str, parts: Sequence[str], settings: TupleSettings, within: str) -> str:
    """Return the tuples of a line, as `in_one_line` writes it, located in the text.

    Parameters
    ----------
    words : str
        `tenor – vehicle – ground; …`; the last parts may be left out. Other lines contain no tuples.
    parts : sequence of str
        In the order of the form.
    settings : TupleSettings
        Which parts are marked in the text.
    within : str
        The text.

    Returns
    -------
    str
        As a rating keeps tuples; empty without any.
    """
    rows = [BETWEEN_PARTS.split(one.strip()) for one in BETWEEN_TUPLES.split(words)]
    tuples = {
        number: dict(zip(parts, row, strict=False))
        for number, row in enumerate(rows, start=1)
        if 1 < len(row) <= len(parts)
    }
    return from_plain(tuples, settings=settings, within=within)


def offered(stored: Iterable[str], parts: Sequence[str]) -> str:
    """Return the different tuples of several stored texts, for the script of a page.

    Parameters
    ----------
    stored : iterable of str
        As ratings keep tuples.
    parts : sequence of str
        Other parts are left out.

    Returns
    -------
    str
        A list of tuples as JSON, each a list of its marks; empty where there are none.
    """
    found: dict[str, list[Mark]] = {}
    for text in stored:
        by_number: dict[int, list[dict[str, Any]]] = {}
        for mark in marks_in(text):
            if mark["part"] in parts:
                by_number.setdefault(mark["tuple"], []).append({**mark, "tuple": 1})
        for marks in by_number.values():
            found.setdefault(json.dumps(marks, sort_keys=True), marks)
    return json.dumps(list(found.values()), ensure_ascii=False) if found else ""
