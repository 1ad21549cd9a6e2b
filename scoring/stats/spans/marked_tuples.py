"""Marked tuples as the statistics see them: parts as wordings, each with the characters it takes."""

import hashlib
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import pandas as pd

from scoring.stats.base.errors import CodedError

COLUMNS = ("item", "rater", "tuple", "part", "start", "end", "text")
PARTS = ("tenor", "vehicle", "ground", "comparator", "event")
WHOLE = "whole"
ROWS_NAMED = 10


class MarksError(CodedError):
    """Marks from which no agreement can be computed."""


@dataclass(frozen=True)
class Mark:
    """One wording of a part."""

    text: str  # The annotator's wording
    # Marked characters as offsets in Unicode code points; discontinuous spans are one set. Empty for a
    # wording that was not found in the text.
    places: frozenset[int] = frozenset()

    @classmethod
    def span(cls, start: int, end: int, text: str = "") -> Self:
        """A mark of one span, `end` exclusive."""
        return cls(text, frozenset(range(start, end)))

    @property
    def length(self) -> int:
        """Number of characters: of the text, or of the wording where it is not located."""
        return len(self.places) or len(self.text)

    def overlap(self, other: "Mark") -> int:
        """Characters both have; one that is not located has them all or none, by its wording."""
        if self.places and other.places:
            return len(self.places & other.places)
        return min(self.length, other.length) if self.text == other.text else 0

    def same(self, other: "Mark") -> bool:
        """Whether both take the same characters, or are the same wording where neither is located."""
        if self.places or other.places:
            return self.places == other.places
        return self.text == other.text


MarkedTuple = Mapping[str, Sequence[Mark]]
Marks = Mapping[str, Sequence[MarkedTuple]]


@dataclass(frozen=True)
class MarksTable:
    """The tuples of all annotators."""

    raters: Mapping[str, Marks]  # Tuples by rater and item; an empty list for an item without tuples
    # The parts that occur: tenor, vehicle, ground, comparator, event, then others by name
    parts: tuple[str, ...]
    identified: bool  # Whether raters are identified persons (True) or anonymous slots (False)
    # SHA-256 over the sorted content, independent of the order of rows and the numbers of tuples
    fingerprint: str

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        identified: bool = True,
        lengths: Mapping[str, int] | None = None,
        rows: Sequence[int] | None = None,
    ) -> Self:
        """Check and gather marks in long form.

        Parameters
        ----------
        frame
            One row per span: `item`, `rater`, `tuple`, `part`, `start`, `end`, `text`. Spans with the same
            wording in the same part of a tuple are one mark; `start` and `end` are both empty for a wording
            that is not located. A row with an empty `part` says that the rater looked at the item.
        identified
            False when `rater` is an anonymous slot.
        lengths
            Number of characters of each item's text, where known: spans must lie within.
        rows
            Numbers of the rows in messages; by default counted from 1.

        Raises
        ------
        MarksError
            `missing_column`, `missing_label`, `missing_tuple`, `bad_span`, `outside_text`, `unknown_item`,
            `duplicate_mark` or `contradicting_marks`, naming the rows.
        """
        missing = [name for name in COLUMNS if name not in frame.columns]
        if missing:
            raise MarksError("missing_column", f"column {', '.join(missing)} is missing")
        numbers = list(range(1, len(frame) + 1)) if rows is None else list(rows)
        checked = [
            _Row.of(number, cells)
            for number, cells in zip(
                numbers, frame[list(COLUMNS)].itertuples(index=False, name=None), strict=True
            )
        ]
        _check(checked, lengths)
        raters = _gathered(checked)
        return cls(raters, _ordered({row.part for row in checked if row.part}), identified, _digest(raters))


@dataclass(frozen=True)
class _Row:
    number: int
    item: str
    rater: str
    tuple_key: str
    part: str
    start: int | None
    end: int | None
    text: str

    @classmethod
    def of(cls, number: int, cells: Sequence[Any]) -> Self:
        """The cells of `COLUMNS`."""
        item, rater, key, part, start, end, text = cells
        labels = (_label(item), _label(rater), _label(key), _label(part))
        return cls(number, *labels, _offset(number, start), _offset(number, end), _label(text))

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        return self.item, self.rater, self.tuple_key, self.part, self.text


def _missing(cell: Any) -> bool:
    return cell is None or cell is pd.NA or cell is pd.NaT or (isinstance(cell, float) and math.isnan(cell))


def _label(cell: Any) -> str:
    if _missing(cell):
        return ""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _offset(number: int, cell: Any) -> int | None:
    if _missing(cell) or cell == "":
        return None
    try:
        value = float(cell)
    except (TypeError, ValueError):
        value = math.nan
    if not value.is_integer() or value < 0:
        raise MarksError("bad_span", f"row {number}: offsets are whole numbers from 0, or both empty")
    return int(value)


def _check(rows: Sequence[_Row], lengths: Mapping[str, int] | None) -> None:
    _refuse([row for row in rows if not row.item or not row.rater], "missing_label", "item or rater is empty")
    _check_spans([row for row in rows if row.part], lengths)
    located: dict[tuple[str, str, str, str, str], set[tuple[int | None, int | None]]] = {}
    doubled, contradicting = [], []
    for row in rows:
        if not row.part:
            continue
        spans = located.setdefault(row.key, set())
        if (row.start, row.end) in spans:
            doubled.append(row)
        elif spans and (row.start is None or (None, None) in spans):
            contradicting.append(row)
        spans.add((row.start, row.end))
    _refuse(doubled, "duplicate_mark", "the same span of the same wording stands there already; keep one row")
    _refuse(contradicting, "contradicting_marks", "the same wording is located in one row and not in another")


def _check_spans(marks: Sequence[_Row], lengths: Mapping[str, int] | None) -> None:
    _refuse(
        [row for row in marks if not row.tuple_key],
        "missing_tuple",
        "tuple is empty; number the tuples of an item",
    )
    _refuse(
        [
            row
            for row in marks
            if (row.start is None) != (row.end is None)
            or (row.start is not None and row.end is not None and row.start >= row.end)
            or (row.start is None and not row.text)
        ],
        "bad_span",
        "start lies before end, both counted from 0, or both are empty beside a wording",
    )
    if lengths is not None:
        unknown = [row for row in marks if row.item not in lengths]
        _refuse(unknown, "unknown_item", "the texts have no such item")
        beyond = [row for row in marks if row.end is not None and row.end > lengths[row.item]]
        _refuse(beyond, "outside_text", "the span reaches beyond the item's text")


def _refuse(rows: Sequence[_Row], code: str, what: str) -> None:
    if rows:
        named = ", ".join(str(row.number) for row in rows[:ROWS_NAMED])
        more = f" and {len(rows) - ROWS_NAMED} more" if len(rows) > ROWS_NAMED else ""
        raise MarksError(code, f"{'row' if len(rows) == 1 else 'rows'} {named}{more}: {what}")


def _gathered(rows: Iterable[_Row]) -> dict[str, dict[str, list[dict[str, list[Mark]]]]]:
    wordings: dict[str, dict[str, dict[str, dict[str, dict[str, set[int]]]]]] = {}
    for row in rows:
        tuples = wordings.setdefault(row.rater, {}).setdefault(row.item, {})
        if row.part:
            positions = (
                tuples.setdefault(row.tuple_key, {}).setdefault(row.part, {}).setdefault(row.text, set())
            )
            if row.start is not None and row.end is not None:
                positions.update(range(row.start, row.end))
    return {
        rater: {
            item: [
                {
                    part: [Mark(text, frozenset(positions)) for text, positions in marks.items()]
                    for part, marks in one.items()
                }
                for one in tuples.values()
            ]
            for item, tuples in items.items()
        }
        for rater, items in wordings.items()
    }


def _ordered(parts: Collection[str]) -> tuple[str, ...]:
    return (*(part for part in PARTS if part in parts), *sorted(set(parts) - set(PARTS)))


def _digest(raters: Mapping[str, Marks]) -> str:
    lines = sorted(
        repr((rater, item, sorted(_as_lists(one) for one in tuples)))
        for rater, items in raters.items()
        for item, tuples in items.items()
    )
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _as_lists(marked: MarkedTuple) -> list[tuple[str, list[tuple[str, list[int]]]]]:
    return sorted(
        (part, sorted((mark.text, sorted(mark.places)) for mark in marks)) for part, marks in marked.items()
    )
