"""Files of similes in the forms in which they are published, read as triples."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.hauser.base.cleaning import lookup_key
from scoring.hauser.components.built_in import extract
from scoring.hauser.knowledge.counting import NOT_NAMED, Triple, triples_of
from scoring.hauser.knowledge.file_format import KnowledgeBaseError
from scoring.hauser.knowledge.problems import BadRows

# Names that a column of a table may have.
NAMES = {
    "topic": ("topic", "new_topic"),
    "vehicle": ("vehicle", "new_vehicle"),
    "property": ("property",),
    "sentence": ("sentence",),
    "count": ("count",),
}
ANSWER = "ans_idx"
BLANK = "_"
CLOSED_SIMILE_COLUMNS = ("sentence", "topic", "property", "vehicle")
DELIMITERS = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
READ_FORMS = (
    "a table with the columns topic and vehicle, similes with a blank in four tab-separated columns, "
    "or JSON with lists of candidates under cands"
)


@dataclass(frozen=True)
class FoundSimile:
    """A simile of a file."""

    sentence: str  # Empty where the file has triples without sentences
    triples: frozenset[Triple]  # Distinct (topic, property, vehicle), in the form that is looked up
    count: int = 1


Reading = Iterator[FoundSimile]
Reader = Callable[[BadRows], Reading]


def simile_files(sources: Sequence[Path]) -> list[tuple[Path, Reader]]:
    """The files of similes among some files and in some folders, each with its reader.

    Parameters
    ----------
    sources : sequence of Path
        Files, and folders that are searched with all their subfolders.

    Returns
    -------
    list of (Path, callable)
        In the order of `sources`, those of a folder by name. Other files of a folder are left out.

    Raises
    ------
    KnowledgeBaseError
        `no_such_file`; `not_similes` for a file that has none of the forms, and where a folder has no file
        of similes; `wrong_encoding`.
    """
    found = []
    for source in sources:
        paths = sorted(filter(Path.is_file, source.rglob("*"))) if source.is_dir() else [source]
        readers = [(path, reader) for path in paths if (reader := _reader(path, named=path == source))]
        if not readers:
            raise KnowledgeBaseError("not_similes", f"{source}: no similes found; use {READ_FORMS}")
        found += readers
    return found


def _reader(path: Path, *, named: bool) -> Reader | None:
    """How a file is read; None for one of another form, and for one of a folder that is no text."""
    try:
        if path.suffix == ".json":
            return _candidates(path)
        if path.suffix in DELIMITERS:
            return _table(path) or _closed_similes(path)
    except OSError as fault:
        raise KnowledgeBaseError("no_such_file", f"{path}: cannot be read ({fault.strerror})") from fault
    except UnicodeDecodeError as fault:
        if named:
            message = f"{path}: the file is not UTF-8; save it as UTF-8"
            raise KnowledgeBaseError("wrong_encoding", message) from fault
    return None


def _candidates(path: Path) -> Reader | None:
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, list) or not all(_has_candidates(entry) for entry in content):
        return None

    def read(_: BadRows) -> Reading:
        for entry in content:
            for text in entry["cands"]:
                yield FoundSimile(text, frozenset(triples_of(extract(text, known_simile=True))))

    return read if content else None


def _has_candidates(entry: Any) -> bool:
    listed = entry.get("cands") if isinstance(entry, dict) else None
    return isinstance(listed, list) and all(isinstance(text, str) for text in listed)


def _table(path: Path) -> Reader | None:
    """A table whose first row names the columns."""
    delimiter = DELIMITERS[path.suffix]
    with path.open(encoding="utf-8-sig", newline="") as file:
        header = [name.strip() for name in next(csv.reader(file, delimiter=delimiter), [])]
    columns = {what: name for what, names in NAMES.items() for name in names if name in header}
    if not {"topic", "vehicle"} <= columns.keys():
        return None

    def read(bad: BadRows) -> Reading:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, delimiter=delimiter)
            next(rows)
            for cells in rows:
                row = dict(zip(header, cells, strict=False))
                named = {what: row.get(name, "") for what, name in columns.items()}
                if ANSWER in row and "property" not in named:
                    named["property"] = row.get(f"option{row[ANSWER].strip()}", "")
                yield from _simile(named, rows.line_num, bad)

    return read


def _closed_similes(path: Path) -> Reader | None:
    """Similes whose property is a blank, without a header: sentence, topic, property, vehicle."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        first = file.readline().split("\t")
    if len(first) != len(CLOSED_SIMILE_COLUMNS) or BLANK not in first[0].split():
        return None

    def read(bad: BadRows) -> Reading:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for number, line in enumerate(file, 1):
                cells = line.rstrip("\r\n").split("\t")
                yield from _simile(dict(zip(CLOSED_SIMILE_COLUMNS, cells, strict=False)), number, bad)

    return read


def _simile(cell: Mapping[str, str], number: int, bad: BadRows) -> Reading:
    topic, vehicle = lookup_key(cell.get("topic", "")), lookup_key(cell.get("vehicle", ""))
    count = cell.get("count", "1").strip()
    if not topic or not vehicle:
        column = "vehicle" if topic else "topic"
        bad.add(number, column, "empty_term", f"{cell.get(column, '')!r} contains no letter or digit")
    elif not count.isdecimal() or not int(count):
        bad.add(number, "count", "bad_count", f"{count!r} is not a whole number of at least 1")
    else:
        shared = cell.get("property", "").strip().lower() or NOT_NAMED
        words = [shared if word == BLANK else word for word in cell.get("sentence", "").split()]
        yield FoundSimile(" ".join(words), frozenset({(topic, shared, vehicle)}), int(count))
