"""Errors that raters mark in a text: how they are sent, checked and stored."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from annotation.domain.base.bounded_json import has_half_character, load_json
from annotation.domain.base.messages import message

NONE = "none"
MOST_ERRORS = 100
MOST_OBJECTS = 10 * MOST_ERRORS
IN_A_MARK = ("start", "end", "category", "severity", "text")
OFFSETS = re.compile(r"([0-9]{1,6})-([0-9]{1,6})", re.ASCII)
FIELD = re.compile(r"([0-9]{1,3})\.(words|category|severity|place|at)", re.ASCII)
# What follows the words of an error that is written in words. No match can begin within another attempt, so
# the time is linear in the text. Labels may have full-width characters: these separate only in the second.
ENDS_OF_WORDS = (
    re.compile(r"\((?P<severity>[^(),;]+),(?P<category>[^(),;]+)\)\s*(?:;|$)"),
    re.compile(
        r"[(（](?P<severity>[^(),;（），、；]+)[,，、](?P<category>[^(),;（），、；]+)[)）]\s*(?:[;；]|$)"
    ),
)
NO_ERROR = "no error"
PLACE = re.compile(r"[0-9]{1,3}", re.ASCII)

ErrorMark = dict[str, Any]


def marks_text(marks: Iterable[Mapping[str, Any]]) -> str:
    """Return marked errors as files hold them: JSON, `[]` where a rater found none."""
    ordered = [{name: mark[name] for name in IN_A_MARK if name in mark} for mark in marks]
    return json.dumps(ordered, ensure_ascii=False)


def marks_in(text: str) -> list[ErrorMark]:
    """Return the errors of a stored answer.

    Raises
    ------
    ValueError
        The text is not a JSON list of objects with start, end, category and severity, has more than
        `MOST_OBJECTS` of them, or holds half a surrogate pair.
    """
    try:
        found = load_json(text)
    except ValueError:
        raise ValueError(_not_marks()) from None
    if not isinstance(found, list) or len(found) > MOST_OBJECTS or not all(map(_is_mark, found)):
        raise ValueError(_not_marks())
    if has_half_character(found):
        raise ValueError(_not_marks())
    return found


def checked_marks(
    marks: Sequence[Mapping[str, Any]],
    *,
    categories: Sequence[str],
    severities: Sequence[str],
    overlap: bool,
    within: str | None,
) -> list[ErrorMark]:
    """Return marked errors as they are stored: complete, each once, in the order of the text.

    Parameters
    ----------
    marks : sequence of mapping
        From `marks_in`; offsets count Unicode code points.
    categories, severities : sequence of str
        The values that the criterion offers.
    overlap : bool
        Whether two errors may share characters.
    within : str or None
        The marked text; None where the item has none.

    Raises
    ------
    ValueError
        The sentence names the error that cannot be stored.
    """
    if len(marks) > MOST_ERRORS:
        raise ValueError(message("Mark at most %(most)d errors.", most=MOST_ERRORS))
    if marks and within is None:
        raise ValueError(message("This item has no text in which errors can be marked."))
    found: dict[tuple[Any, ...], ErrorMark] = {}
    for number, mark in enumerate(marks, start=1):
        _refuse(number, mark, categories, severities, within or "")
        key = tuple(mark[name] for name in IN_A_MARK[:4])
        found[key] = dict(zip(IN_A_MARK, (*key, (within or "")[key[0] : key[1]]), strict=True))
    ordered = [found[key] for key in sorted(found)]
    if not overlap and any(one["end"] > other["start"] for one, other in pairwise(ordered)):
        raise ValueError(message("Two errors share words. Change or remove one of them."))
    return ordered


def marks_of_fields(fields: Mapping[str, str], within: str | None) -> list[ErrorMark] | None:
    """Return the errors in the fields of a page without scripts; None where the question was left open.

    Parameters
    ----------
    fields : mapping of str to str
        `none`, and for each row `1.words`, `1.category` and `1.severity`; also `1.place`, which of several
        equal wordings is meant, and `1.at`, the offsets that the page showed the words for.
    within : str or None
        The marked text.

    Raises
    ------
    ValueError
        The sentence names the row that is incomplete, or the words that are not in the text.
    """
    rows: dict[str, dict[str, str]] = {}
    for name, value in fields.items():
        row = FIELD.fullmatch(name)
        if row:
            rows.setdefault(row[1], {})[row[2]] = value.strip()
        elif name != NONE:
            raise ValueError(_not_marks())
    marks = [
        _mark_of_row(number, row, within or "")
        for number, row in enumerate(rows.values(), start=1)
        if any(row.get(name) for name in ("words", "category", "severity"))
    ]
    if marks and fields.get(NONE):
        raise ValueError(message("You marked an error and selected “No error”. Clear one of the two."))
    return marks if marks or fields.get(NONE) else None


def fields_in_words(text: str) -> dict[str, str] | None:
    """Return errors written as `words (severity, category); …` as the fields of a page; None if they are not.

    Parameters
    ----------
    text : str
        The errors, or `none` or “no error”. Brackets, commas and semicolons may have full width.
    """
    given = text.strip()
    if given.lower() in (NONE, NO_ERROR):
        return {NONE: NONE}
    return next((fields for ends in ENDS_OF_WORDS if (fields := _fields_up_to(ends, given))), None)


def _fields_up_to(ends: re.Pattern[str], text: str) -> dict[str, str]:
    """The errors of a text as fields; none if one of them is not complete."""
    fields: dict[str, str] = {}
    at = 0
    for number, found in enumerate(ends.finditer(text), start=1):
        row = {"words": text[at : found.start()].strip(), **found.groupdict()}
        if ";" in row["words"] or not all(value.strip() for value in row.values()):
            return {}
        fields |= {f"{number}.{name}": value.strip() for name, value in row.items()}
        at = found.end()
    return fields if at == len(text) else {}


def named_points(marks: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the categories and severities that errors have, each once; `none` where there is no error."""
    named = dict.fromkeys(mark[name] for mark in marks for name in ("category", "severity"))
    return list(named) or [NONE]


def _mark_of_row(number: int, row: Mapping[str, str], within: str) -> ErrorMark:
    lacking = next((name for name in ("words", "category", "severity") if not row.get(name)), "")
    if lacking:
        raise ValueError(
            message("Error %(n)d is incomplete. Give its words, category and severity.", n=number)
        )
    start, end = _place(number, row, within)
    return {"start": start, "end": end, "category": row["category"], "severity": row["severity"]}


def _place(number: int, row: Mapping[str, str], within: str) -> tuple[int, int]:
    """The position of the words of a row: the offsets that came with them, or else the position found."""
    words = row["words"]
    shown = OFFSETS.fullmatch(row.get("at", ""))
    if shown:
        start, end = int(shown[1]), int(shown[2])
        if within[start:end].split() == words.split():
            return start, end
    found = [match.span() for match in re.finditer(r"\s+".join(map(re.escape, words.split())), within)]
    if not found:
        raise ValueError(
            message(
                "“%(words)s” is not in the text. Copy the words of error %(n)d from it.",
                words=words,
                n=number,
            )
        )
    place = int(row["place"]) if PLACE.fullmatch(row.get("place", "")) else 0
    if place > len(found) or (len(found) > 1 and not place):
        raise ValueError(
            message(
                "“%(words)s” is in the text %(count)d times. Enter which one error %(n)d is, such as 1.",
                words=words,
                count=len(found),
                n=number,
            )
        )
    return found[max(place, 1) - 1]


def _refuse(
    number: int, mark: Mapping[str, Any], categories: Sequence[str], severities: Sequence[str], within: str
) -> None:
    if mark["category"] not in categories:
        raise ValueError(
            message("Error %(n)d has no category of this form: %(value)s.", n=number, value=mark["category"])
        )
    if mark["severity"] not in severities:
        raise ValueError(
            message("Error %(n)d has no severity of this form: %(value)s.", n=number, value=mark["severity"])
        )
    if mark["end"] > len(within):
        raise ValueError(
            message(
                "Error %(n)d ends at %(end)d, beyond the text of %(length)d characters. "
                "Offsets count Unicode code points.",
                n=number,
                end=mark["end"],
                length=len(within),
            )
        )
    words = within[mark["start"] : mark["end"]]
    if not words.strip():
        raise ValueError(message("Error %(n)d marks white space only. Select words.", n=number))
    if mark.get("text", words) != words:
        raise ValueError(
            message(
                "Error %(n)d says “%(text)s”, but the text has “%(words)s” there.",
                n=number,
                text=mark["text"],
                words=words,
            )
        )


def _not_marks() -> str:
    return message(
        "Errors must be a JSON list of objects with start, end, category and severity; [] says “no error”."
    )


def _is_mark(one: object) -> bool:
    if not isinstance(one, dict) or not all(isinstance(one.get(name), str) for name in IN_A_MARK[2:4]):
        return False
    start, end = one.get("start"), one.get("end")
    has_span = type(start) is int and type(end) is int and 0 <= start < end
    return has_span and isinstance(one.get("text", ""), str)
