"""A file of simile candidates to be scored, in groups."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.io.problems import Problems, refusal
from annotation.io.readers import read_rows
from scoring.hauser.candidates import Group, Simile, unusable

TEXT_COLUMNS = ("simile", "candidate", "text")
LIST_KEYS = ("candidates", "similes")
WRONG = {
    "empty_text": "the text is empty; fill it in or leave the row out",
    "control_characters": "the text holds control characters; take them out",
}
Numbered = Iterator[tuple[int, Mapping[str, Any]]]


@dataclass(frozen=True)
class _Row:
    """A candidate where it stands in the file."""

    number: int
    group: str
    item: str
    simile: Simile


def read_similes(path: Path, *, name: str = "", file_format: str = "") -> list[Group]:
    """Read candidates and their literal sentences.

    Parameters
    ----------
    path : Path
        A table with a candidate a row: a column `simile` (or `candidate`, `text`), `literal` or `group` or
        both, and if wished `item` and `reference`. In JSONL a line may also hold all candidates of one
        literal sentence as the list `candidates`.
    name : str
        What messages call the file.
    file_format : str
        Format, where the ending does not tell.

    Returns
    -------
    list of Group
        In the order of the file. Candidates without `group` belong together by their literal sentence.

    Raises
    ------
    FileRefused
        As `read_rows`, and `missing_column`, `empty_text`, `control_characters`, `no_group`,
        `no_candidates`, `not_a_text` and `doubled_item`, each with its row.
    """
    name = name or path.name
    ending = file_format or path.suffix.removeprefix(".").lower()
    problems = Problems(name)
    rows = _lines(path, problems) if ending == "jsonl" else _table(path, name, file_format)
    found = [one for number, row in rows for one in _candidates(number, row, problems)]
    problems.refuse_if_any()
    if not found:
        raise refusal(name, "empty_file", "the file has no candidates")
    return _grouped(found, problems)


def _table(path: Path, name: str, file_format: str) -> Numbered:
    rows = read_rows(path, name=name, file_format=file_format)
    if not any(column in rows[0][1] for column in TEXT_COLUMNS):
        wanted = f"one of the columns {', '.join(TEXT_COLUMNS)} is needed"
        raise refusal(name, "missing_column", wanted, column=TEXT_COLUMNS[0])
    yield from rows


def _lines(path: Path, problems: Problems) -> Numbered:
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as fault:
        raise refusal(problems.name, "no_such_file", f"it cannot be read: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise refusal(problems.name, "wrong_encoding", "not UTF-8; save the file as UTF-8") from fault
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as fault:
            problems.add(number, "", "damaged_file", f"the line is not JSON: {fault}")
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            problems.add(number, "", "not_an_object", "an object is expected")


def _candidates(number: int, row: Mapping[str, Any], problems: Problems) -> Iterator[_Row]:
    listed = next((key for key in LIST_KEYS if key in row), "")
    column = listed or next((column for column in TEXT_COLUMNS if column in row), "")
    if not column:
        problems.add(number, TEXT_COLUMNS[0], "missing_column", "there is no candidate in it")
        return
    texts = row[column] if listed else [row[column]]
    if not isinstance(texts, list) or not texts:
        problems.add(number, column, "no_candidates", "a list of at least one text is expected")
        return
    literal, group = _text(row.get("literal")), _text(row.get("group"))
    references = row.get("references") or row.get("reference") or []
    if not _is_sound(number, column, {"literal": literal, "group": group}, texts, problems):
        return
    cited = tuple(map(str, references if isinstance(references, list) else [references]))
    item = _text(row.get("item"))
    for place, text in enumerate(texts, start=1):
        key = f"{item}-{place}" if item and listed else item
        yield _Row(number, group or literal, key, Simile(key, text, literal, references=cited))


def _text(cell: object) -> str:
    return "" if cell is None else str(cell).strip()


def _is_sound(
    number: int, column: str, beside: Mapping[str, str], texts: list[Any], problems: Problems
) -> bool:
    """Note what is wrong with a row's texts; False where something is."""
    wrong = len(problems.found)
    for text in texts:
        if not isinstance(text, str):
            problems.add(number, column, "not_a_text", f"{text!r} is no text")
        elif reason := unusable(text):
            problems.add(number, column, reason, WRONG[reason])
    if not any(beside.values()):
        problems.add(number, "literal", "no_group", "a candidate needs its literal sentence or a group")
    for name, text in beside.items():
        if text and (reason := unusable(text)):
            problems.add(number, name, reason, WRONG[reason])
    return len(problems.found) == wrong


def _grouped(rows: list[_Row], problems: Problems) -> list[Group]:
    members: dict[str, list[_Row]] = {}
    for row in rows:
        members.setdefault(row.group, []).append(row)
    seen: set[str] = set()
    groups = []
    for number, (key, own) in enumerate(members.items(), start=1):
        short = key if key != own[0].simile.literal else f"G{number:04d}"
        candidates = []
        for place, row in enumerate(own, start=1):
            item = row.item or f"{short}-{place}"
            if item in seen:
                problems.add(row.number, "item", "doubled_item", f"{item!r} stands there twice")
            seen.add(item)
            simile = row.simile
            candidates.append(Simile(item, simile.text, simile.literal, references=simile.references))
        groups.append(Group(short, tuple(candidates)))
    problems.refuse_if_any()
    return groups
