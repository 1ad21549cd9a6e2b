"""Tuples that raters give: parts as wordings with their places in the text, and how they are stored."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from annotation.domain.base.bounded_json import load_json
from annotation.domain.base.errors import WrongPart
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import NOT_TEXT
from annotation.domain.questions.tuple_settings import PLAIN, TupleSettings

PARTS = ("tenor", "vehicle", "ground")
IN_A_MARK = ("tuple", "part", "start", "end", "text")
MOST_TUPLES = 50
NOWHERE = ((None, None),)
SEPARATOR = " | "

Mark = dict[str, Any]
Spans = list[tuple[int, int]]
# By part, the wordings with their spans, in the annotator's order.
Wordings = dict[str, dict[str, Spans]]


def tuples_text(rows: Iterable[Mapping[str, str]]) -> str:
    """Rows as they are stored: JSON, one object a part; rows without any words are left out.

    Offsets are empty: the words are the rater's own and need not occur in the text.

    Parameters
    ----------
    rows : iterable of mapping of str to str
        Words by part, one mapping a tuple.

    Returns
    -------
    str
        Objects `{"tuple", "part", "start", "end", "text"}`, counted from 1; empty without any tuple.
    """
    filled = [{part: words.strip() for part, words in row.items() if words.strip()} for row in rows]
    return _text({part: {words: []} for part, words in row.items()} for row in filled if row)


def without_offsets(text: str) -> str:
    """Stored tuples as a rater would write them in fields, one wording per component.

    Parameters
    ----------
    text : str
        Objects `{"tuple", "part", "start", "end", "text"}` as JSON. Several wordings of a part share one
        field, separated by “、”.
    """
    rows: dict[int, dict[str, dict[str, None]]] = {}
    for one in json.loads(text) if text.strip() else []:
        rows.setdefault(one["tuple"], {}).setdefault(one["part"], {})[one["text"]] = None
    return tuples_text({part: "、".join(words) for part, words in rows[row].items()} for row in sorted(rows))


def marks_text(marks: Iterable[Mapping[str, Any]]) -> str:
    """Objects of tuples as JSON, unchecked; their names always in the same order.

    Parameters
    ----------
    marks : iterable of mapping
        `{"tuple", "part", "start", "end", "text"}`, in any order: a database need not keep it.
    """
    ordered = [{name: mark[name] for name in IN_A_MARK if name in mark} for mark in marks]
    return json.dumps(ordered, ensure_ascii=False) if ordered else ""


def marks_in(text: str) -> list[Mark]:
    """The objects of a stored text.

    Parameters
    ----------
    text : str
        As a rating keeps it.

    Raises
    ------
    ValueError
        The text does not hold tuples.
    """
    try:
        found = load_json(text) if text.strip() else []
    except ValueError:
        raise ValueError("Tuples must be JSON: a list of objects with tuple, part and text.") from None
    if not isinstance(found, list) or not all(map(_is_mark, found)):
        raise ValueError("Each object needs the number of its tuple (tuple), its part and its text.")
    if not all(map(_has_span, found)):
        raise ValueError("Offsets must be whole numbers with start before end, or both empty.")
    return found


def wordings_of(text: str) -> dict[int, Wordings]:
    """The tuples of a stored text by number: wordings of each part, with their spans.

    Parameters
    ----------
    text : str
        As a rating keeps it.

    Raises
    ------
    ValueError
        The text does not hold tuples, or a wording has offsets in one object but not in another.
    """
    found: dict[int, Wordings] = {}
    loose: set[tuple[int, str, str]] = set()
    for mark in marks_in(text):
        words = mark["text"].strip()
        spans = found.setdefault(mark["tuple"], {}).setdefault(mark["part"], {}).setdefault(words, [])
        if mark.get("start") is None:
            loose.add((mark["tuple"], mark["part"], words))
        elif (mark["start"], mark["end"]) not in spans:
            spans.append((mark["start"], mark["end"]))
    for number, part, words in loose:
        if found[number][part][words]:
            raise ValueError(f"“{words}” of tuple {number} has offsets in one object but not in another.")
    return {number: found[number] for number in sorted(found)}


def rows_of(text: str) -> list[dict[str, str]]:
    """The tuples of a stored text, words by part; bars separate several wordings.

    Parameters
    ----------
    text : str
        As a rating keeps it.

    Raises
    ------
    ValueError
        The text does not hold tuples.
    """
    return [
        {part: SEPARATOR.join(wordings) for part, wordings in one.items()}
        for one in wordings_of(text).values()
    ]


def in_a_field(words: str) -> str:
    """Words in one line: a field would remove line breaks and join the words around them.

    Parameters
    ----------
    words : str
        Of a text, with any white space.
    """
    return " ".join(words.split())


def same_tuples(text: str, other: str, parts: Collection[str]) -> bool:
    """Whether two stored texts have the same tuples, compared by some of their parts.

    Parameters
    ----------
    text, other : str
        As ratings keep them.
    parts : collection of str
        The parts that are compared: wordings with their spans, whatever their order within a tuple.
    """
    first, second = (
        [
            {part: wordings for part, wordings in one.items() if part in parts}
            for one in wordings_of(stored).values()
        ]
        for stored in (text, other)
    )
    return first == second


def only_parts(text: str, parts: Collection[str]) -> str:
    """The tuples of a stored text without any other parts than these."""
    return marks_text(mark for mark in marks_in(text) if mark["part"] in parts)


def checked_tuples(
    text: str, parts: Sequence[str], settings: TupleSettings = PLAIN, within: str | None = None
) -> str:
    """Tuples as they are to be stored, complete and in order.

    Parameters
    ----------
    text : str
        As a rating keeps it; spans count Unicode code points.
    parts : sequence of str
        What each tuple has; tenor, vehicle and ground where none are named.
    settings : TupleSettings
        Which parts may be missing, and which nouns are refused.
    within : str or None
        The text in which spans must lie; without one, nothing can be located.

    Returns
    -------
    str
        Tuples counted from 1, parts in their order, wordings in the annotator's, spans in that of the text.

    Raises
    ------
    ValueError
        Says in a sentence which tuple lacks what, or which span does not lie in the text. A `WrongPart`
        has a code as well: `tuple_incomplete`, `tuple_part_empty`, `tuple_part_without_words` or
        `tuple_noun_too_general`.
    """
    wanted = tuple(parts) or PARTS
    tuples = list(wordings_of(text).values())
    if len(tuples) > MOST_TUPLES:
        raise ValueError(message("Write at most %(most)d tuples.", most=MOST_TUPLES))
    for number, one in enumerate(tuples, start=1):
        _refuse_parts(number, one, wanted, settings)
        for part, wordings in one.items():
            for words, spans in wordings.items():
                _refuse_wording(number, part, words, settings)
                _refuse_spans(number, words, spans, within)
    return _text({part: one[part] for part in wanted if part in one} for one in tuples)


def in_one_line(text: str) -> str:
    """Stored tuples for reading, whether located or not.

    Parameters
    ----------
    text : str
        Objects `{"tuple", "part", "start", "end", "text"}` as JSON; several spans of a wording show it once.
    """
    words: dict[int, dict[tuple[str, str], None]] = {}
    for one in json.loads(text) if text.strip() else []:
        words.setdefault(one["tuple"], {})[one["part"], one["text"]] = None
    return "; ".join(" – ".join(wording for _, wording in words[number]) for number in sorted(words))


def _text(tuples: Iterable[Wordings]) -> str:
    return marks_text(
        {"tuple": number, "part": part, "start": start, "end": end, "text": words}
        for number, one in enumerate(tuples, start=1)
        for part, wordings in one.items()
        for words, spans in wordings.items()
        for start, end in (sorted(spans) if spans else NOWHERE)
    )


def _refuse_parts(number: int, one: Wordings, wanted: Sequence[str], rules: TupleSettings) -> None:
    unknown = [part for part in one if part not in wanted]
    if unknown:
        raise ValueError(f"The form has no component “{unknown[0]}”.")
    lacking = [part for part in wanted if part not in rules.optional and not any(one.get(part, ()))]
    if lacking:
        raise WrongPart(
            message(
                "Tuple %(n)d has no %(parts)s. Add it or remove the tuple.",
                n=number,
                parts=", ".join(lacking),
            ),
            "tuple_incomplete",
        )


def _refuse_wording(number: int, part: str, words: str, rules: TupleSettings) -> None:
    if not words:
        raise WrongPart(
            message("Tuple %(n)d has an empty %(part)s. Fill it in or remove it.", n=number, part=part),
            "tuple_part_empty",
        )
    if not any(map(str.isalnum, words)):
        raise WrongPart(
            message(
                "“%(words)s” in tuple %(n)d has no letter or digit. Write the %(part)s in words.",
                words=words,
                n=number,
                part=part,
            ),
            "tuple_part_without_words",
        )
    general = rules.too_general(part, words)
    if general and rules.refuse_general:
        raise WrongPart(
            message(
                "“%(noun)s” in tuple %(n)d is too general. Name the shared property.", noun=general, n=number
            ),
            "tuple_noun_too_general",
        )


def _refuse_spans(number: int, words: str, spans: Spans, within: str | None) -> None:
    if spans and within is None:
        raise ValueError("This form has no text for offsets. Leave start and end empty.")
    beyond = [end for _, end in spans if end > len(within or "")]
    if beyond:
        raise ValueError(
            f"“{words}” of tuple {number} ends at {beyond[0]}, beyond the text of {len(within or '')} "
            "characters. Offsets count Unicode code points."
        )


def _is_mark(one: object) -> bool:
    return (
        isinstance(one, dict)
        and type(one.get("tuple")) is int
        and all(_is_storable(one.get(name)) for name in ("part", "text"))
    )


def _is_storable(text: object) -> bool:
    return isinstance(text, str) and not NOT_TEXT.search(text)


def _has_span(mark: Mark) -> bool:
    start, end = mark.get("start"), mark.get("end")
    if start is None and end is None:
        return True
    return type(start) is int and type(end) is int and 0 <= start < end
