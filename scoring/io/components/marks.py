"""Topics and vehicles that people marked in sentences, from a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.domain.base.bounded_json import has_half_character, load_json
from scoring.hauser.components.trained.examples import Mark
from scoring.io.long_files import LongFileRefused
from scoring.io.sentences import read_columns

COLUMNS = ("sentence", "topic", "vehicle")
# The names of the parts in CMDAG's files.
CMDAG = {"sentence": "context", "topic": "tenor", "vehicle": "vehicle"}


def read_component_marks(path: Path) -> list[Mark]:
    """Read marked pairs.

    Parameters
    ----------
    path : Path
        CSV with the columns `sentence`, `topic` and `vehicle`, a row per pair; or JSON, a list of
        `{"sentence", "pairs": [{"topic", "vehicle"}]}` or of `{"context", "tenor", "vehicle"}`. A topic may
        be empty. Sentences without a pair are left out.

    Returns
    -------
    list of Mark
        Each with its row of the CSV file, or the number of its entry in the list, from 1.

    Raises
    ------
    LongFileRefused
        `no_such_file`, `wrong_encoding`, `bad_marks`, and those of `read_columns`.
    """
    marks = _json_marks(path) if path.suffix.lower() == ".json" else _csv_marks(path)
    return [mark for mark in marks if mark.vehicle]


def _csv_marks(path: Path) -> Iterator[Mark]:
    for row, (sentence, topic, vehicle) in read_columns(path, COLUMNS):
        yield _mark(f"{path}: row {row}", row, sentence, topic, vehicle)


def _json_marks(path: Path) -> Iterator[Mark]:
    try:
        entries = load_json(path.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise LongFileRefused("no_such_file", f"{path}: cannot be read: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        message = f"{path}: not UTF-8; save the file as UTF-8"
        raise LongFileRefused("wrong_encoding", message) from problem
    except ValueError as problem:
        raise LongFileRefused("bad_marks", f"{path}: not JSON: {problem}") from problem
    if not isinstance(entries, list):
        raise LongFileRefused("bad_marks", f"{path}: not a list; write one object a sentence in [ ]")
    for number, entry in enumerate(entries, start=1):
        yield from _entry_marks(f"{path}: entry {number}", number, entry)


def _entry_marks(where: str, number: int, entry: Any) -> Iterator[Mark]:
    if not isinstance(entry, dict) or has_half_character(entry):
        raise LongFileRefused("bad_marks", f"{where}: not an object of texts")
    if CMDAG["sentence"] in entry:
        yield _mark(where, number, *(_text(where, entry, name) for name in CMDAG.values()))
        return
    sentence, pairs = _text(where, entry, "sentence"), entry.get("pairs")
    if not isinstance(pairs, list) or not all(isinstance(pair, dict) for pair in pairs):
        message = f'{where}, "pairs": write a list of objects with "topic" and "vehicle"'
        raise LongFileRefused("bad_marks", message)
    for pair in pairs:
        topic, vehicle = _text(where, pair, "topic"), _text(where, pair, "vehicle")
        if not vehicle:
            raise LongFileRefused("bad_marks", f'{where}, "vehicle": empty; write it, or remove the pair')
        yield _mark(where, number, sentence, topic, vehicle)


def _text(where: str, entry: dict[str, Any], name: str) -> str:
    value = entry.get(name)
    if value is None and name in ("topic", "tenor"):
        return ""
    if not isinstance(value, str):
        raise LongFileRefused("bad_marks", f'{where}, "{name}": write a text')
    return value


def _mark(where: str, row: int, sentence: str, topic: str, vehicle: str) -> Mark:
    if vehicle.strip() and not sentence.strip():
        raise LongFileRefused("bad_marks", f'{where}, "sentence": empty; write the sentence of this pair')
    if topic.strip() and not vehicle.strip():
        raise LongFileRefused("bad_marks", f'{where}, "vehicle": empty, but a topic is marked; write it')
    return Mark(sentence, topic.strip(), vehicle.strip(), row)
