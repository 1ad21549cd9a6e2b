"""The use of the columns of an items file, from their names or as assigned by a user."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from annotation.domain.base.errors import FileProblem
from annotation.domain.base.limits import LONGEST_ITEM_TEXT
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import NOT_TEXT
from annotation.io.base.cells import EMPTY_CELL, NO_CONTROL, ROW_INDEX, has_control, too_many_characters
from annotation.io.items.rating_cells import LONGEST_KEY

ITEM, GROUP, SYSTEM, TEXT, META = "item", "group", "system", "text:", "meta:"
PLACES = (ITEM, GROUP, SYSTEM)
# A text that several items share, such as a literal sentence; items with the same text are a group.
GROUP_AND_TEXT = "group+text:"
DIGEST = 8
# Used instead of a column if items are named by their row numbers. No column of a file has this name.
ROW_NUMBERS = ""
NO_COLUMN = message("The file has no such column.")
NO_TEXT = message("the item has no text")
Rows = Sequence[tuple[int, Mapping[str, Any]]]


def by_their_names(columns: Iterable[str]) -> dict[str, str]:
    """The default use of each column by its name: item, group, system, `meta.*`, or a text.

    The index of rows that pandas writes is left out; `refuse_unnamed_codes` sees to it that it is one.
    """
    return {column: _by_its_name(column) for column in columns}


def _by_its_name(column: str) -> str:
    if column in PLACES:
        return column
    if column == ROW_INDEX:
        return ""
    return f"{META}{column.removeprefix('meta.')}" if column.startswith("meta.") else f"{TEXT}{column}"


def mapping_problems(mapping: Mapping[str, str], columns: Sequence[str]) -> dict[str, str]:
    """The problems of a mapping of column → use, by column.

    A use is `item`, `group`, `system`, `text:NAME`, `group+text:NAME` (same text, same group),
    `meta:NAME`, or empty to leave the column out. With `ROW_NUMBERS` as `item` the items are named by their
    rows.
    """
    known = {*columns, ROW_NUMBERS}
    problems: dict[str, str] = {column: NO_COLUMN for column in mapping if column not in known}
    used: dict[str, str] = {}
    for column, use in _single_uses(mapping):
        if column == ROW_NUMBERS and use != ITEM:
            problems[column] = message("Row numbers can only be used as item IDs.")
        if use in used:
            problems[column] = message(
                "%(other)s is already used as %(use)s. Remove one of them.",
                other=repr(used[use]),
                use=repr(use),
            )
        used.setdefault(use, column)
        name = use.removeprefix(TEXT).removeprefix(META)
        if use not in PLACES and (use == name or not 0 < len(name) <= LONGEST_KEY):
            problems[column] = message("Choose item, group, system, a text, or metadata with a name.")
        elif NOT_TEXT.search(name):
            problems[column] = message("The name contains an invalid character (NUL). Enter it again.")
    if ITEM not in used:
        problems["item"] = message("Choose the column with the item ID, or use row numbers.")
    if not any(use.startswith(TEXT) for use in used):
        problems["text"] = message("Choose a column with a text.")
    return problems


def items_by(rows: Rows, mapping: Mapping[str, str]) -> list[tuple[int, dict[str, Any]]]:
    """Rows as items: `key`, `group`, `system`, `fields` and `metadata`, with their numbers."""
    uses = _single_uses(mapping)
    by_text = any(use.startswith(GROUP_AND_TEXT) for use in mapping.values())
    texts = [(column, use.removeprefix(TEXT)) for column, use in uses if use.startswith(TEXT)]
    meta = [(column, use.removeprefix(META)) for column, use in uses if use.startswith(META)]
    columns = {use: column for column, use in uses if use in PLACES}
    return [
        (
            number,
            {
                "key": str(row.get(columns[ITEM], "")) if columns[ITEM] != ROW_NUMBERS else f"row-{number}",
                "group": _group_of(str(row.get(columns.get(GROUP, ""), "")), by_text=by_text),
                "system": str(row.get(columns.get(SYSTEM, ""), "")),
                "fields": {name: str(row.get(column, "")) for column, name in texts},
                "metadata": {name: row.get(column, "") for column, name in meta},
            },
        )
        for number, row in rows
    ]


def _single_uses(mapping: Mapping[str, str]) -> list[tuple[str, str]]:
    """Columns with each of their uses; a text that makes groups has two."""
    found = []
    for column, use in mapping.items():
        if use.startswith(GROUP_AND_TEXT):
            found += [(column, GROUP), (column, TEXT + use.removeprefix(GROUP_AND_TEXT))]
        elif use:
            found.append((column, use))
    return found


def _group_of(cell: str, *, by_text: bool) -> str:
    """The group of an item; a group named by a long text has the beginning of it and a digest as its name."""
    name = " ".join(cell.split()) if by_text else cell
    if not by_text or len(name) <= LONGEST_KEY:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:DIGEST]
    return f"{name[: LONGEST_KEY - DIGEST - 2]}… {digest}"


def item_problems(
    name: str, number: int, item: Mapping[str, Any], *, has_texts: bool = False
) -> list[FileProblem]:
    """The problems of one item; an item of the study keeps its texts where the row has none."""
    found: list[tuple[str, str, str]] = []
    if not item["key"].strip():
        found.append((ITEM, "empty_cell", EMPTY_CELL))
    if has_control(item["key"]):
        found.append((ITEM, "control_character", NO_CONTROL))
    for column, text in ((ITEM, item["key"]), (GROUP, item["group"]), (SYSTEM, item["system"])):
        if len(text) > LONGEST_KEY:
            found.append((column, "too_long", too_many_characters(text, LONGEST_KEY)))
    if not has_texts and not any(item["fields"].values()):
        found.append(("", "no_text", NO_TEXT))
    for field, text in item["fields"].items():
        if len(text) > LONGEST_ITEM_TEXT:
            found.append((field, "too_long", too_many_characters(text, LONGEST_ITEM_TEXT)))
    return [FileProblem(name, number, column, code, sentence) for column, code, sentence in found]


def by_columns_of_file(problems: Iterable[FileProblem], mapping: Mapping[str, str]) -> list[FileProblem]:
    """Problems of parts of an item, named by the column of the file for that part."""
    uses = _single_uses(mapping)
    named = {use.partition(":")[2].strip(): column for column, use in uses if ":" in use}
    columns = named | {use: column for column, use in uses if use in PLACES}
    return [replace(one, column=columns.get(one.column, one.column)) for one in problems]
