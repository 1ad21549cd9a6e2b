"""Conversion of records of CMDAG's own files to tuples with offsets, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.domain.questions.tuple_fields import aligned, located

KEYS = ("metaphor_id", "context", "tenor", "vehicle", "ground", "sub_id")
PARTS = ("tenor", "vehicle", "ground")
MARKED = ("tenor", "vehicle")
LOCATIONS = ("wholly", "partly", "not")
GROUNDS = "、"
ALIGNED = ";"

Record = Mapping[str, Any]
Mark = dict[str, Any]


@dataclass(frozen=True)
class RecordExtras:
    """What a record holds in addition to its tuples.

    `tuples` is how many aligned tuples it holds. `keys` is their order where it is not the usual one,
    `spelled` what does not follow from the tuples, such as a ground named twice.
    """

    sub_id: Any = None
    tuples: int = 1
    keys: tuple[str, ...] = KEYS
    spelled: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, without fields that have their usual value."""
        document: dict[str, Any] = {"sub_id": self.sub_id}
        if self.tuples != 1:
            document["tuples"] = self.tuples
        if self.keys != KEYS:
            document["keys"] = list(self.keys)
        if self.spelled:
            document["spelled"] = dict(self.spelled)
        return document

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> RecordExtras:
        """From `as_dict`."""
        keys = tuple(document.get("keys", KEYS))
        return cls(document["sub_id"], document.get("tuples", 1), keys, document.get("spelled", {}))


def marks_of(records: Sequence[Record]) -> tuple[list[Mark], list[RecordExtras]]:
    """The tuples of records about one context, and what the records hold in addition.

    Wordings are located as the paper does it, by matching strings; the first match is used. Grounds are
    separated at “、”, parallel tenors, vehicles and grounds at semicolons where their numbers agree.

    Parameters
    ----------
    records : sequence of mapping
        With the same `metaphor_id` and `context`.

    Returns
    -------
    tuple of list of dict and list of RecordExtras
        Objects `{"tuple", "part", "start", "end", "text"}`, tuples counted from 1; offsets count Unicode code
        points of the context, null where the wording does not occur in it.
    """
    marks: list[Mark] = []
    extras: list[RecordExtras] = []
    number = 0
    for record in records:
        tuples = _aligned(record)
        for one in tuples:
            number += 1
            marks += _marks(number, one, str(record["context"]))
        new = [mark for mark in marks if mark["tuple"] > number - len(tuples)]
        extras.append(_extras(record, new, len(tuples)))
    return marks, extras


def records_of(
    marks: Iterable[Mark], metaphor_id: Any, context: str, extras: Sequence[RecordExtras] | None = None
) -> list[dict[str, Any]]:
    """Convert tuples to records of CMDAG.

    Parameters
    ----------
    marks : iterable of dict
        Stored tuples.
    metaphor_id : int or str
        Of the context.
    context : str
        The text in which they are marked.
    extras : sequence of RecordExtras or None
        From `marks_of`; without it every tuple is a record, `sub_id` counted from 0.

    Returns
    -------
    list of dict
        The records that were imported, if `extras` are given.
    """
    numbered: dict[int, list[Mark]] = {}
    for mark in marks:
        numbered.setdefault(mark["tuple"], []).append(mark)
    tuples = [_words(numbered[number]) for number in sorted(numbered)]
    if extras is None or sum(one.tuples for one in extras) != len(tuples):
        extras = [RecordExtras(sub_id) for sub_id in range(len(tuples))]
    records, first = [], 0
    for one in extras:
        records.append(_record(tuples[first : first + one.tuples], metaphor_id, context, one))
        first += one.tuples
    return records


def location(marks: Iterable[Mark]) -> str:
    """Whether tenor and vehicle of one tuple are located: `wholly`, `partly` or `not`.

    Parameters
    ----------
    marks : iterable of dict
        Of one tuple. The ground is not looked at: it is the annotator's own wording.
    """
    found = {mark["part"]: mark["start"] is not None for mark in marks if mark["part"] in MARKED}
    if not any(found.values()):
        return "not"
    return "wholly" if all(found.values()) else "partly"


def _aligned(record: Record) -> list[dict[str, str]]:
    """Words by part of each tuple of a record."""
    return aligned({part: str(record.get(part) or "") for part in PARTS})


def _marks(number: int, words: Mapping[str, str], context: str) -> list[Mark]:
    marks = []
    for part in PARTS:
        wordings = dict.fromkeys(_wordings(part, words[part].strip()))
        marks += [located(number, part, text, context) for text in wordings]
    return marks


def _wordings(part: str, words: str) -> list[str]:
    if part != "ground":
        return [words] if words else []
    pieces = [piece.strip() for piece in words.split(GROUNDS)]
    return [piece for piece in pieces if piece] or ([words] if words else [])


def _extras(record: Record, marks: Sequence[Mark], tuples: int) -> RecordExtras:
    plain = RecordExtras(record.get("sub_id"), tuples, tuple(record))
    numbers = sorted({mark["tuple"] for mark in marks})
    words = [_words([mark for mark in marks if mark["tuple"] == number]) for number in numbers]
    again = _record(words, record["metaphor_id"], record["context"], plain)
    spelled = {key: value for key, value in record.items() if again[key] != value}
    return RecordExtras(plain.sub_id, tuples, plain.keys, spelled)


def _words(marks: Iterable[Mark]) -> dict[str, str]:
    """The wordings of each part, joined as in the files; a wording with several spans appears once."""
    words: dict[str, dict[str, None]] = {}
    for mark in marks:
        words.setdefault(mark["part"], {})[mark["text"]] = None
    return {part: GROUNDS.join(found) for part, found in words.items()}


def _record(
    tuples: Sequence[Mapping[str, str]], metaphor_id: Any, context: str, extras: RecordExtras
) -> dict[str, Any]:
    usual: dict[str, Any] = {"metaphor_id": metaphor_id, "context": context, "sub_id": extras.sub_id}
    for part in PARTS:
        usual[part] = ALIGNED.join(one.get(part, "") for one in tuples)
    return {key: extras.spelled[key] if key in extras.spelled else usual.get(key) for key in extras.keys}
