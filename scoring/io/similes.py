"""A file of simile candidates to be scored, in groups."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NoReturn

from annotation.domain.base.bounded_json import TooDeeplyNested, load_json
from annotation.io.base.file_errors import MOST_PROBLEMS, Problems, refusal
from annotation.io.base.readers import read_rows
from annotation.io.base.reading_limits import content_read_from
from scoring.hauser.base.candidates import Group, Simile, unusable
from scoring.textmetrics.candidates import WHITESPACE_CONTROLS

TEXT_COLUMNS = ("simile", "candidate", "text")
LIST_KEYS = ("candidates", "similes", "cands")
LITERAL_KEYS = ("literal", "origin_sentence")
BAD_TEXTS = ("refuse", "skip", "clean")
BadTexts = Literal["refuse", "skip", "clean"]
Numbered = Iterator[tuple[int, Mapping[str, Any]]]
# Range of characters of Windows-1252 that were read as Latin-1, which has control characters there.
FIRST_MISREAD, LAST_MISREAD = "\x80", "\x9f"
HARMFUL = frozenset({"Cc", "Cs"})


@dataclass(frozen=True)
class Candidates:
    """The candidates of a file."""

    groups: list[Group]  # In the order of the file
    # cleaned, skipped: numbers of texts that were cleaned, and of those that cannot be scored
    cleaned: int = 0
    skipped: int = 0
    # The first cleaned and skipped texts (row, column and problem), then warnings about groups
    messages: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Row:
    """A candidate with its position in the file."""

    number: int
    group: str
    item: str
    simile: Simile


@dataclass
class _Texts:
    """Treatment of texts that cannot be scored as they are."""

    problems: Problems
    bad_texts: BadTexts
    cleaned: int = 0
    skipped: int = 0
    messages: list[str] = field(default_factory=list)

    def taken(self, number: int, column: str, text: str) -> str:
        """The text to score; if it cannot be scored and may not be skipped, a problem is recorded."""
        usable = clean_text(text) if self.bad_texts == "clean" else text
        self.cleaned += usable != text
        reason = unusable(usable)
        if usable == text and not reason:
            return text
        found = _problem_in_words(reason, text) if reason else f"cleaned of {_controls(text)}"
        if reason and self.bad_texts != "skip":
            self.problems.add(number, column, reason, found)
        self.skipped += bool(reason)
        if len(self.messages) < MOST_PROBLEMS:
            self.messages.append(f"row {number}, column {column!r}: {found}")
        return usable


def read_similes(
    path: Path, *, name: str = "", file_format: str = "", bad_texts: BadTexts = "refuse"
) -> Candidates:
    """Read candidates and their literal sentences.

    Parameters
    ----------
    path : Path
        A table with one candidate per row: a column `simile` (or `candidate`, `text`), `literal` (or
        `origin_sentence`) or `group` or both, and optionally `item` and `reference`. In JSONL and JSON a row
        may also hold all candidates of one literal sentence as the list `candidates` (or `similes`, `cands`).
    name : str
        Name of the file in messages.
    file_format : str
        Format, where the file extension does not show it.
    bad_texts : str
        Treatment of texts that are empty or have control characters: `refuse` the file; `skip` them, so that
        the candidate stays in its group without values, for that reason; or `clean` control characters away
        as `clean_text` does, and refuse texts that are still bad.

    Returns
    -------
    Candidates
        Those without `group` belong together by their literal sentence.

    Raises
    ------
    FileRefused
        As `read_rows`, and `missing_column`, `empty_text`, `control_characters`, `no_group`,
        `no_candidates`, `not_a_text`, `doubled_column` and `doubled_item`, each with its row.
    """
    read: Candidates | None = content_read_from(path)
    if read is not None:
        return read
    name = name or path.name
    ending = file_format or path.suffix.removeprefix(".").lower()
    texts = _Texts(Problems(name), bad_texts)
    is_json = ending in {"jsonl", "json"}
    rows = _objects(path, texts.problems, ending) if is_json else _table(path, name, file_format)
    found = [one for number, row in rows for one in _candidates(number, row, texts)]
    texts.problems.refuse_if_any()
    if not found:
        raise refusal(name, "empty_file", "the file has no candidates")
    groups = _grouped(found, texts.problems)
    return Candidates(groups, texts.cleaned, texts.skipped, (*texts.messages, *_remarks(groups)))


def _remarks(groups: list[Group]) -> list[str]:
    """Warnings about groups whose scores are not informative."""
    mixed = [group.key for group in groups if len({one.literal for one in group.candidates} - {""}) > 1]
    remarks = [
        f"group {key!r} has several literal sentences. The quality of similes for different sentences "
        "cannot be compared; put each sentence in a separate group"
        for key in mixed[:MOST_PROBLEMS]
    ]
    alone = sum(len(group.candidates) == 1 for group in groups)
    if alone:
        remarks.append(
            f"groups with only 1 candidate: {alone}; their normalised values are 0.5, and their ranks are "
            "not informative"
        )
    return remarks


def _problem_in_words(reason: str, text: str) -> str:
    if reason == "empty_text":
        return "the text is empty; add it or remove the row"
    return f"the text contains control characters, {_controls(text)}; remove them, or have bad texts cleaned"


def _controls(text: str) -> str:
    """The first control character of a text with its position, and the number of further ones."""
    found = harmful(text)
    position, letter = found[0]
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return f"U+{ord(letter):04X} at character {position}{more}"


def _table(path: Path, name: str, file_format: str) -> Numbered:
    rows = read_rows(path, name=name, file_format=file_format)
    if not any(column in rows[0][1] for column in TEXT_COLUMNS):
        wanted = f"add one of the columns {', '.join(TEXT_COLUMNS)}"
        raise refusal(name, "missing_column", wanted, column=TEXT_COLUMNS[0])
    yield from rows


def _objects(path: Path, problems: Problems, file_format: str) -> Numbered:
    """The objects of a file of JSON lines, numbered by their lines, or of a list in JSON, by their places."""
    try:
        content = path.read_text(encoding="utf-8-sig")
    except OSError as fault:
        raise refusal(problems.name, "no_such_file", f"the file cannot be read: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise refusal(problems.name, "wrong_encoding", "not UTF-8; save the file as UTF-8") from fault
    values = _lines(content, problems) if file_format == "jsonl" else _list(content, problems)
    for number, row in values:
        if isinstance(row, dict):
            yield number, row
        else:
            problems.add(number, "", "not_an_object", "an object is expected")


def _lines(content: str, problems: Problems) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(content.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield number, load_json(line, decoder=_DECODER)
        except _DoubledKey as fault:
            problems.add(number, str(fault), "doubled_column", "a key appears twice")
        except TooDeeplyNested as fault:
            problems.add(number, "", fault.code, str(fault))
        except ValueError as fault:
            problems.add(number, "", "damaged_file", f"the line is not JSON: {fault}")


def _list(content: str, problems: Problems) -> Iterator[tuple[int, Any]]:
    try:
        values = load_json(content, decoder=_DECODER)
    except _DoubledKey as fault:
        message = "a key appears twice in an object"
        raise refusal(problems.name, "doubled_column", message, column=str(fault)) from fault
    except TooDeeplyNested as fault:
        raise refusal(problems.name, fault.code, str(fault)) from fault
    except ValueError as fault:
        raise refusal(problems.name, "damaged_file", f"the file is not JSON: {fault}") from fault
    if not isinstance(values, list):
        raise refusal(problems.name, "not_a_list", "a list of objects is expected")
    yield from enumerate(values, start=1)


class _DoubledKey(ValueError):
    """An object with a repeated key, of which a reader would silently use the last."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise _DoubledKey(doubled)
    return dict(pairs)


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a text")


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)


def _candidates(number: int, row: Mapping[str, Any], texts: _Texts) -> Iterator[_Row]:
    problems = texts.problems
    listed = next((key for key in LIST_KEYS if key in row), "")
    column = listed or next((column for column in TEXT_COLUMNS if column in row), "")
    if not column:
        problems.add(number, TEXT_COLUMNS[0], "missing_column", "the row has no candidate")
        return
    given = row[column] if listed else [row[column]]
    if not isinstance(given, list) or not given:
        problems.add(number, column, "no_candidates", "a list of at least one text is expected")
        return
    literal_key = next((key for key in LITERAL_KEYS if key in row), "literal")
    literal, group = (_optional_text(number, name, row.get(name), texts) for name in (literal_key, "group"))
    if not literal and not group:
        problems.add(number, "literal", "no_group", "a candidate needs its literal sentence or a group")
    references = row.get("references") or row.get("reference") or []
    cited = tuple(
        one
        for one in (references if isinstance(references, list) else [references])
        if one is not None and _is_text(number, "reference", one, problems)
    )
    # Names appear in every file of scores, and some formats cannot contain such characters.
    group, item = clean_text(group), clean_text(_text(row.get("item")))
    for position, text in enumerate(given, start=1):
        if not isinstance(text, str):
            problems.add(
                number, column, "not_a_text", f"{'null' if text is None else repr(text)} is not a text"
            )
            continue
        key = f"{item}-{position}" if item and listed else item
        simile = Simile(key, texts.taken(number, column, text), literal, references=cited)
        yield _Row(number, group or literal, key, simile)


def _optional_text(number: int, column: str, cell: object, texts: _Texts) -> str:
    if column != "group" and not _is_text(number, column, cell, texts.problems):
        return ""
    text = _text(cell)
    return texts.taken(number, column, text) if text else ""


def _is_text(number: int, column: str, cell: object, problems: Problems) -> bool:
    if cell is None or isinstance(cell, str):
        return True
    problems.add(number, column, "not_a_text", f"{cell!r} is not a text")
    return False


def _text(cell: object) -> str:
    return "" if cell is None else str(cell).strip()


def _grouped(rows: list[_Row], problems: Problems) -> list[Group]:
    members: dict[str, list[_Row]] = {}
    for row in rows:
        members.setdefault(row.group, []).append(row)
    seen: set[str] = set()
    groups = []
    for number, (key, own) in enumerate(members.items(), start=1):
        short = key if key != own[0].simile.literal else f"G{number:04d}"
        candidates = []
        for position, row in enumerate(own, start=1):
            item = row.item or f"{short}-{position}"
            if item in seen:
                problems.add(row.number, "item", "doubled_item", f"{item!r} appears twice")
            seen.add(item)
            candidates.append(replace(row.simile, key=item))
        groups.append(Group(short, tuple(candidates)))
    problems.refuse_if_any()
    return groups


def harmful(text: str) -> list[tuple[int, str]]:
    """Control characters and halves of surrogate pairs in a text, with their places from 1 on."""
    return [
        (position, letter)
        for position, letter in enumerate(text, start=1)
        if unicodedata.category(letter) in HARMFUL and letter not in WHITESPACE_CONTROLS
    ]


def clean_text(text: str) -> str:
    """The text without control characters.

    Quotation marks, dashes and other characters of Windows-1252 that were read as Latin-1 are restored. Other
    control characters and halves of surrogate pairs are removed; tabs and line ends stay.
    """
    found = {letter for _, letter in harmful(text)}
    return text.translate({ord(letter): _meant(letter) for letter in found})


def _meant(letter: str) -> str:
    if not FIRST_MISREAD <= letter <= LAST_MISREAD:
        return ""
    return bytes([ord(letter)]).decode("cp1252", errors="ignore")
