"""Tuples from plain fields, one for each part: parallel parts are aligned, wordings located in the text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from annotation.domain.questions.tuple_settings import PLAIN, TupleSettings
from annotation.domain.questions.tuples import SEPARATOR, Mark, in_a_field, marks_in, marks_text

PARALLEL = re.compile("[;；]")
SEVERAL = SEPARATOR.strip()


def aligned(words: Mapping[str, str]) -> list[dict[str, str]]:
    """Parallel parts as tuples, aligned by position.

    Parameters
    ----------
    words : mapping of str to str
        By part; parallel ones have semicolons between them.

    Returns
    -------
    list of dict
        One where the numbers of pieces do not agree; a part that is given once is shared.
    """
    pieces = {part: PARALLEL.split(text) for part, text in words.items()}
    most = max(map(len, pieces.values()), default=1)
    if most == 1 or any(len(found) not in {1, most} for found in pieces.values()):
        return [dict(words)]
    tuples = [
        {part: found[place] if len(found) > 1 else found[0] for part, found in pieces.items()}
        for place in range(most)
    ]
    return tuples if all(any(text.strip() for text in one.values()) for one in tuples) else [dict(words)]


def located(number: int, part: str, words: str, within: str | None) -> Mark:
    """A wording as an object of a tuple, with its first position in the text.

    Parameters
    ----------
    number : int
        Of the tuple.
    part, words : str
        Name of the part, such as `tenor`, and its wording.
    within : str or None
        The text; None where the part is not looked for.
    """
    start = -1 if within is None else within.find(words)
    span = (start, start + len(words)) if start >= 0 else (None, None)
    return {"tuple": number, "part": part, "start": span[0], "end": span[1], "text": words}


def from_plain(
    rows: Mapping[int, Mapping[str, str]],
    *,
    before: str = "",
    settings: TupleSettings = PLAIN,
    within: str | None = None,
) -> str:
    """Convert the content of plain fields to stored tuples.

    Parameters
    ----------
    rows : mapping of int to mapping of str to str
        By the number of the row, the words of each part as they were typed.
    before : str
        The stored tuples that the fields showed: a part whose words are the same keeps its spans.
    settings : TupleSettings
        Which parts are looked for in the text. Where there are some, semicolons separate parallel
        parts, and bars separate several wordings.
    within : str or None
        The text.

    Returns
    -------
    str
        To be checked by `checked_tuples`; empty without any tuple.
    """
    shown = _by_row(before)
    marks: list[Mark] = []
    number = 0
    for row in sorted(rows):
        words = {part: text.strip() for part, text in rows[row].items() if text.strip()}
        tuples = aligned(words) if settings.marked else [words]
        for one in tuples if words else []:
            number += 1
            earlier = shown.get(row, {}) if len(tuples) == 1 else {}
            marks += _row_marks(number, one, earlier, settings, within)
    return marks_text(marks)


def _found_over_lines(number: int, part: str, words: str, within: str | None) -> Mark:
    """Locate a wording whose spaces may be line breaks or other white space in the text."""
    found = re.search(r"\s+".join(map(re.escape, words.split())), within or "")
    mark = located(number, part, words, within)
    if mark["start"] is None and found:
        mark["start"], mark["end"] = found.span()
    return mark


def _row_marks(
    number: int,
    row: Mapping[str, str],
    earlier: Mapping[str, Sequence[Mark]],
    rules: TupleSettings,
    within: str | None,
) -> list[Mark]:
    marks: list[Mark] = []
    for part, words in row.items():
        if part in earlier and _plain(earlier[part]) == in_a_field(words):
            marks += [{**mark, "tuple": number} for mark in earlier[part]]
            continue
        wordings = words.split(SEVERAL) if rules.marked else [words]
        found = [one.strip() for one in wordings if one.strip()]
        within_text = within if part in rules.marked else None
        marks += [_found_over_lines(number, part, one, within_text) for one in found]
    return marks


def _by_row(before: str) -> dict[int, dict[str, list[Mark]]]:
    """The tuples that a page reports as shown, by row; it may have sent anything."""
    try:
        marks = marks_in(before)
    except ValueError:
        return {}
    found: dict[int, dict[str, list[Mark]]] = {}
    for mark in marks:
        found.setdefault(mark["tuple"], {}).setdefault(mark["part"], []).append(mark)
    return {row: found[number] for row, number in enumerate(sorted(found), start=1)}


def _plain(marks: Sequence[Mark]) -> str:
    return in_a_field(SEPARATOR.join(dict.fromkeys(mark["text"].strip() for mark in marks)))
