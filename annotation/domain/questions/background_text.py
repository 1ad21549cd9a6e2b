"""Background texts as researchers write them: paragraphs, headings, lists, files, marked components."""

from __future__ import annotations

import re
from dataclasses import dataclass

from annotation.domain.questions.text_pieces import Segment, Span, segments
from annotation.protocols.markup import unmark

HEADING, BULLET = "## ", "- "
FILE = re.compile(r"\{file:([^{}]+)\}")

Line = tuple[Segment, ...]


@dataclass(frozen=True)
class Block:
    """A heading or a paragraph (one line), a list (a line for each entry), or a media file by its name."""

    kind: str
    lines: tuple[Line, ...] = ()
    file: str = ""


def blocks(text: str) -> tuple[Block, ...]:
    """Divide a text into the blocks that a page shows.

    Empty lines separate paragraphs, whose own line breaks stay; a line that begins with `## ` is a heading,
    one that begins with `- ` an entry of a list; a line `{file:flood.png}` shows a media file of the study;
    `{vehicle:a bell}` marks a component. Everything else is shown as it is written.
    """
    found: list[Block] = []
    joins = False
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith(HEADING):
            found.append(Block("heading", (_segments(stripped.removeprefix(HEADING)),)))
        elif named := FILE.fullmatch(stripped):
            found.append(Block("file", file=named[1].strip()))
        elif stripped.startswith(BULLET):
            _add_entry(found, _segments(stripped.removeprefix(BULLET)), joins=joins)
        elif stripped:
            _add_words(found, stripped, joins=joins)
        joins = bool(stripped)
    return tuple(found)


def files_in(text: str) -> list[str]:
    """Return the names of the media files that a text shows."""
    return [block.file for block in blocks(text) if block.file]


def _add_entry(found: list[Block], entry: Line, *, joins: bool) -> None:
    if joins and found[-1].kind == "list":
        found[-1] = Block("list", (*found[-1].lines, entry))
    else:
        found.append(Block("list", (entry,)))


def _add_words(found: list[Block], words: str, *, joins: bool) -> None:
    if joins and found[-1].kind == "paragraph":
        found[-1] = Block("paragraph", ((*found[-1].lines[0], Segment("\n"), *_segments(words)),))
    else:
        found.append(Block("paragraph", (_segments(words),)))


def _segments(words: str) -> Line:
    text, parts = unmark(words, "text")
    return tuple(segments(text, [Span(part["part"], part["start"], part["end"]) for part in parts]))
