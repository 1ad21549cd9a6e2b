"""Marked errors as they are published: WMT-like tables, ESA-like spans, and our own tables of errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.domain.base.messages import message
from annotation.io.base.cells import EMPTY_CELL, too_many_characters
from annotation.io.base.file_errors import Problems, refuse_missing_columns
from annotation.io.base.readers import read_rows
from annotation.io.items.published.error_marks import Mark, marks_of_row, plain_name, unmarked
from annotation.io.items.rating_cells import LONGEST_KEY, BadRow

# The name of a column here, and its other possible names; without case, spaces and underscores.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "rater": ("rater", "annotator", "raterid", "annotatorid", "login"),
    "slot": ("slot",),
    "item": ("item",),
    "system": ("system", "systemid"),
    "doc": ("doc", "document", "docid", "documentid"),
    "segment": ("segid", "segmentid", "globalsegid", "seg"),
    "group": ("group",),
    "source": ("source", "sourcetext"),
    "target": ("target", "markedtext", "targettext", "translation"),
    "category": ("category",),
    "severity": ("severity",),
    "start": ("start",),
    "end": ("end",),
    "spans": ("spans",),
    "overall": ("overall", "overallscore", "esascore"),
}
OF_STATE = (
    *("form", "form_version", "form_correction", "criterion", "revision", "current", "cannot_rate"),
    *("late", "simulated", "excluded", "exclusion_rule"),
)
OF_SCALES = "value."


@dataclass
class PublishedAnswer:
    """The errors that one rater marked in one text.

    `row` is the first of its rows; `rows` has that of each error. `values` are answers on scales by
    criterion, the overall value by the empty name. `state` has the columns of an export about a response.
    `has_marks` is true if its rows mark errors, or state in `spans` that there is none.
    """

    row: int
    item: str
    group: str
    system: str
    rater: str
    text: str | None
    source: str | None
    state: Mapping[str, str]
    marks: list[Mark] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    has_marks: bool = False


@dataclass(frozen=True)
class PublishedErrors:
    """The answers of a file, and the column that says who rated: `rater` or `slot`."""

    answers: Sequence[PublishedAnswer]
    who: str
    columns: Mapping[str, str]


def read_published_errors(path: Path, *, name: str, file_format: str = "") -> PublishedErrors:
    """Read a file of marked errors, without checks against the form.

    Parameters
    ----------
    path, name, file_format
        The file, what messages call it, and its format, by its ending where empty. One row an error, or one
        row an answer with all its errors as JSON in `spans`.

    Raises
    ------
    FileRefused
        Names each row and column with a problem.
    """
    rows = read_rows(path, needed=(), name=name, file_format=file_format)
    columns = _columns(rows)
    who = "slot" if "slot" in columns and "rater" not in columns else "rater"
    _refuse_lacking(name, rows, columns, who)
    problems, found = Problems(name), dict[tuple[str, ...], PublishedAnswer]()
    for number, row in rows:
        cells = {short: row.get(column, "") for short, column in columns.items()}
        try:
            _add(found, number, cells, row, who)
        except BadRow as bad:
            problems.add(number, columns.get(bad.column, bad.column), bad.code, bad.message)
    problems.refuse_if_any()
    return PublishedErrors(list(found.values()), who, columns)


def _columns(rows: Sequence[tuple[int, Mapping[str, Any]]]) -> dict[str, str]:
    there = dict.fromkeys(str(column) for _, row in rows for column in row)
    named: dict[str, str] = {}
    for column in there:
        named.setdefault(plain_name(column), column)
    found = {
        short: next((named[one] for one in names if one in named), "") for short, names in COLUMNS.items()
    }
    return {short: column for short, column in found.items() if column}


def _refuse_lacking(
    name: str, rows: Sequence[tuple[int, Mapping[str, Any]]], columns: Mapping[str, str], who: str
) -> None:
    needed = [who] if "item" in columns else [who, "system", "segment"]
    if "spans" not in columns:
        needed += ["category", "severity"]
    words = {"segment": "seg_id"}
    known = {words.get(short, short): "" for short in columns}
    there = {column: "" for _, row in rows for column in row}
    refuse_missing_columns(name, [(1, {**known, **there})], [words.get(one, one) for one in needed])


def _add(
    found: dict[tuple[str, ...], PublishedAnswer],
    number: int,
    cells: Mapping[str, Any],
    row: Mapping[str, Any],
    who: str,
) -> None:
    text, span = _text_of(cells)
    state = {name: str(row[name]) for name in OF_STATE if name in row}
    item, group = _item(cells)
    rater = str(cells[who]).strip()
    for column, value in ((who, rater), ("item" if "item" in cells else "segment", item)):
        if not value:
            raise BadRow(column, "empty_cell", EMPTY_CELL)
    key = (item, rater, *(state.get(name, "") for name in ("form", "criterion", "revision")))
    system = str(cells.get("system", "")).strip()
    source = str(cells["source"]) if "source" in cells else None
    fresh = PublishedAnswer(number, item, group, system, rater, text, source, state)
    answer = found.setdefault(key, fresh)
    if answer.text != text:
        sentence = message(
            "the text differs from that in row %(row)d; texts of one item must be equal", row=answer.row
        )
        raise BadRow("target", "text_differs", sentence)
    marks = marks_of_row(cells, span)
    answer.marks += marks
    answer.rows += [number] * len(marks)
    answer.has_marks |= bool(marks or str(cells.get("spans", "")).strip())
    _add_values(answer, cells, row)


def _text_of(cells: Mapping[str, Any]) -> tuple[str | None, tuple[int, int] | None]:
    """The marked text and the place of the mark; with offsets or JSON, `<v>` is text like any other."""
    if "target" not in cells:
        return None, None
    if {"spans", "start"} & cells.keys():
        return str(cells["target"]), None
    return unmarked(str(cells["target"]))


def _item(cells: Mapping[str, Any]) -> tuple[str, str]:
    """The key of the item, and its group: the candidates for one segment."""
    group = str(cells.get("group", "")).strip()
    if "item" in cells:
        return str(cells["item"]).strip(), group
    segment = [str(cells[one]).strip() for one in ("doc", "segment") if one in cells]
    system = str(cells["system"]).strip()
    if not segment[-1] or not system:
        raise BadRow("segment" if system else "system", "empty_cell", EMPTY_CELL)
    key = "/".join((system, *segment))
    if len(key) > LONGEST_KEY:
        raise BadRow("segment", "too_long", too_many_characters(key, LONGEST_KEY))
    return key, group or "/".join(segment)


def _add_values(answer: PublishedAnswer, cells: Mapping[str, Any], row: Mapping[str, Any]) -> None:
    given = {"": str(cells.get("overall", ""))} | {
        column.removeprefix(OF_SCALES): str(value)
        for column, value in row.items()
        if column.startswith(OF_SCALES)
    }
    for criterion, value in given.items():
        if not value.strip():
            continue
        if answer.values.setdefault(criterion, value.strip()) != value.strip():
            sentence = message(
                "%(value)s here, but %(other)s in an earlier row of the same answer",
                value=repr(value.strip()[:60]),
                other=repr(answer.values[criterion][:60]),
            )
            column = f"{OF_SCALES}{criterion}" if criterion else "overall"
            raise BadRow(column, "contradicting_rows", sentence)
