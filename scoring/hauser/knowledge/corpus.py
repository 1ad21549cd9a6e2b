"""The sentences of a corpus: of plain text, one or more per line or wrapped, and of JSONL."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scoring.hauser.knowledge.problems import BadRows
from scoring.hauser.knowledge.sources import GZIP

JSONL = frozenset({".jsonl", ".ndjson"})
BYTE_ORDER_MARK = "\ufeff"
TITLES = ("Mr", "Mrs", "Ms", "Dr", "St", "Prof", "Sr", "Jr", "vs", "No", "Mt", "Capt", "Col", "Gen", "Rev")
NOT_A_TITLE = "".join(rf"(?<!\b{title}\.)" for title in TITLES) + r"(?<!\b[A-Z]\.)"
# An end mark, what may close after it, space, and what begins a sentence; in Chinese the mark alone.
SENTENCE_END = re.compile(
    rf"""(?:[.!?…]{NOT_A_TITLE}["”’')\]]*\s+(?=["“‘'(\[]?[A-Z0-9])|[。！？]["”’）」』]*)"""
)


@dataclass(frozen=True)
class Layout:
    """How a corpus is written."""

    field: str = "text"  # Key of the text in the object of a JSONL line
    # Whether a plain text's lines break inside sentences, so that only an empty line ends a paragraph
    is_wrapped: bool = False
    known_similes: bool = False  # Whether every sentence with a comparator is known to be a simile

    def end_of_block(self, path: Path) -> bytes:
        """Behind what a file may be cut."""
        return b"\n\n" if self.is_wrapped and not is_jsonl(path) else b"\n"


def is_jsonl(path: Path) -> bool:
    """Whether a file is JSONL by its name, packed or not."""
    return Path(path.name.removesuffix(GZIP)).suffix in JSONL


def texts(data: bytes, path: Path, layout: Layout, first_row: int, bad: BadRows) -> Iterator[str]:
    """The lines or paragraphs of a block.

    Parameters
    ----------
    data : bytes
        Whole lines of a file.
    path : Path
        The file; its name says whether it is JSONL.
    layout : Layout
        Layout of the file.
    first_row : int
        Line of the file where the block begins.
    bad : BadRows
        Collects unreadable lines.
    """
    lines = _lines(data, first_row, bad)
    if is_jsonl(path):
        for row, line in enumerate(lines, first_row):
            text = _text_of(line, layout.field, row, bad) if line.strip() else None
            if text:
                yield text.replace("\n", " ")
    elif layout.is_wrapped:
        yield from (" ".join(part.split()) for part in re.split(r"\n\s*\n", "\n".join(lines)))
    else:
        yield from lines


def _lines(data: bytes, first_row: int, bad: BadRows) -> list[str]:
    """The lines of a block; one that is not UTF-8 is left empty."""
    try:
        return data.decode().removeprefix(BYTE_ORDER_MARK).split("\n")
    except UnicodeDecodeError:
        pass
    lines = []
    for row, line in enumerate(data.split(b"\n"), first_row):
        try:
            lines.append(line.decode().removeprefix(BYTE_ORDER_MARK))
        except UnicodeDecodeError:
            bad.add(row, "", "wrong_encoding", "not UTF-8; save the file as UTF-8")
            lines.append("")
    return lines


def _text_of(line: str, field: str, row: int, bad: BadRows) -> str | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        bad.add(row, "", "damaged_row", "the line is not JSON")
        return None
    text = value.get(field) if isinstance(value, dict) else value
    if isinstance(text, str):
        return text
    bad.add(row, field, "no_text", f"neither a text nor an object with a text in {field!r}")
    return None


def number_of_sentences(text: str) -> int:
    """How many sentences a text has, about: those that `sentences` would give."""
    stripped = text.strip()
    ends = sum(match.end() < len(stripped) for match in SENTENCE_END.finditer(stripped))
    return ends + 1 if stripped else 0


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text.

    Parameters
    ----------
    text : str
        A line or a paragraph. A full stop after a title (Mr., Dr.) or an initial ends no sentence.
    """
    start = 0
    for match in SENTENCE_END.finditer(text):
        yield text[start : match.end()].strip()
        start = match.end()
    if text[start:].strip():
        yield text[start:].strip()
