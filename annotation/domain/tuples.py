"""Tuples that raters write: rows of parts such as tenor, vehicle and ground, and how they are stored."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

PARTS = ("tenor", "vehicle", "ground")
MOST_TUPLES = 50
# Neither UTF-8 nor PostgreSQL holds these.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def tuples_text(rows: Iterable[Mapping[str, str]]) -> str:
    """Rows as they are stored: JSON, one object a part; rows without any words are left out.

    Offsets are empty: the words are the rater's own and need not stand in the text.

    Parameters
    ----------
    rows : iterable of mapping of str to str
        Words by part, one mapping a tuple.

    Returns
    -------
    str
        Objects `{"tuple", "part", "start", "end", "text"}`, counted from 1; empty without any tuple.
    """
    told = [{part: words.strip() for part, words in row.items() if words.strip()} for row in rows]
    objects = [
        {"tuple": number, "part": part, "start": None, "end": None, "text": words}
        for number, row in enumerate(filter(None, told), start=1)
        for part, words in row.items()
    ]
    return json.dumps(objects, ensure_ascii=False) if objects else ""


def rows_of(text: str) -> list[dict[str, str]]:
    """The tuples of a stored text, words by part.

    Parameters
    ----------
    text : str
        From `tuples_text`.

    Raises
    ------
    ValueError
        The text does not hold tuples.
    """
    rows: dict[int, dict[str, str]] = {}
    for one in _objects(text):
        number, part = one["tuple"], one["part"]
        if part in rows.setdefault(number, {}):
            raise ValueError(f"Tuple {number} has the part “{part}” twice.")
        rows[number][part] = one["text"]
    return [rows[number] for number in sorted(rows)]


def checked_tuples(text: str, parts: Sequence[str]) -> str:
    """Tuples as they are to be stored, complete and in order.

    Parameters
    ----------
    text : str
        As `tuples_text` writes it.
    parts : sequence of str
        What each tuple has; tenor, vehicle and ground where none are named.

    Raises
    ------
    ValueError
        Says in a sentence which tuple lacks what.
    """
    wanted = tuple(parts) or PARTS
    rows = rows_of(text)
    if len(rows) > MOST_TUPLES:
        raise ValueError(f"Write {MOST_TUPLES} tuples at most.")
    for number, row in enumerate(rows, start=1):
        unknown = [part for part in row if part not in wanted]
        lacking = [part for part in wanted if not row.get(part, "").strip()]
        if unknown:
            raise ValueError(f"Tuples have no part “{unknown[0]}” here.")
        if lacking:
            raise ValueError(f"Tuple {number} lacks its {' and '.join(lacking)}: fill it in or remove it.")
    return tuples_text({part: row[part] for part in wanted} for row in rows)


def in_one_line(text: str) -> str:
    """Stored tuples for reading, whether located or not.

    Parameters
    ----------
    text : str
        Objects `{"tuple", "part", "start", "end", "text"}` as JSON; several spans of a wording tell it once.
    """
    words: dict[int, dict[tuple[str, str], None]] = {}
    for one in json.loads(text) if text.strip() else []:
        words.setdefault(one["tuple"], {})[one["part"], one["text"]] = None
    return "; ".join(" – ".join(told for _, told in words[number]) for number in sorted(words))


def _objects(text: str) -> list[dict[str, Any]]:
    try:
        found = json.loads(text) if text.strip() else []
    except (json.JSONDecodeError, RecursionError):
        raise ValueError("Tuples are sent as JSON: a list of objects with tuple, part and text.") from None
    if not isinstance(found, list) or not all(map(_is_part, found)):
        raise ValueError("Each object of a tuple has its number (tuple), its part and its text.")
    if any(one.get("start") is not None or one.get("end") is not None for one in found):
        raise ValueError("Offsets are not taken here: leave start and end empty.")
    return found


def _is_part(one: object) -> bool:
    return (
        isinstance(one, dict)
        and type(one.get("tuple")) is int
        and isinstance(one.get("part"), str)
        and isinstance(one.get("text"), str)
        and not UNSTORABLE.search(one["text"])
    )
