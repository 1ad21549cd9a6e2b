"""Tables of text as spreadsheets write them: UTF-16, Windows-1252, GBK and Shift-JIS are recognised."""

from __future__ import annotations

import codecs
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotation.io.base.cells import Row
from annotation.io.base.file_errors import Problems, refuse_many_columns
from annotation.io.base.readers import stream_table
from annotation.io.items.encoding_evidence import is_chinese, is_japanese, is_mostly_utf_8, is_western

TEXT_ENDINGS = {".csv", ".tsv", ".jsonl", ".json"}
# Bytes that are enough to recognise an encoding; the whole file is decoded before the result is accepted.
LOOKED_AT = 200_000


@dataclass(frozen=True)
class Encoding:
    """An encoding other than UTF-8: its name in Python, and its name in messages."""

    codec: str
    title: str


UTF_16 = Encoding("utf-16", "UTF-16")
SHIFT_JIS = Encoding("cp932", "Shift-JIS")
GBK = Encoding("gb18030", "GBK")
WINDOWS = Encoding("cp1252", "Windows-1252")


def recognise(data: bytes) -> Encoding | None:
    """Recognise how a text is encoded.

    Parameters
    ----------
    data : bytes
        The whole file.

    Returns
    -------
    Encoding or None
        None if it is UTF-8, even if damaged, or if it cannot be recognised and must be saved as UTF-8.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return UTF_16 if _decoded(data, UTF_16) is not None else None
    if b"\x00" in data or _is_utf_8(data) or is_mostly_utf_8(data):
        return None
    tests = ((SHIFT_JIS, is_japanese), (GBK, is_chinese), (WINDOWS, is_western))
    for encoding, is_so in tests:
        text = _decoded(data, encoding)
        if text is not None and is_so(_lines_beyond_ascii(text)):
            return encoding
    return None


def encoding_of(path: Path) -> Encoding | None:
    """The encoding of a text file that is not UTF-8; None also for XLSX and Parquet."""
    return recognise(path.read_bytes()) if path.suffix.lower() in TEXT_ENDINGS else None


def encoding_title(path: Path) -> str:
    """The name of the encoding of a file that is not UTF-8, for people; empty for other files."""
    found = encoding_of(path)
    return found.title if found else ""


def stream_items(path: Path, *, name: str) -> tuple[Problems, Iterator[tuple[int, Row]]]:
    """The rows of a table as `stream_table` gives them, from a file in any recognised encoding.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        Its name in messages.

    Raises
    ------
    FileRefused
        While rows are read: `too_many_columns`, and as `read_rows`.
    """
    encoding = encoding_of(path)
    if encoding is None:
        problems, rows = stream_table(path, name=name)
        return problems, _of_few_columns(rows, name)
    with tempfile.NamedTemporaryFile("wb", dir=path.parent, suffix=path.suffix, delete=False) as file:
        file.write(path.read_bytes().decode(encoding.codec).encode())
    problems, rows = stream_table(Path(file.name), name=name)
    return problems, _of_few_columns(_then_deleted(rows, Path(file.name)), name)


def _of_few_columns(rows: Iterator[tuple[int, Row]], name: str) -> Iterator[tuple[int, Row]]:
    """Count the columns of all rows, since rows of JSON may each have different ones."""
    seen: set[str] = set()
    for number, row in rows:
        seen.update(row)
        refuse_many_columns(name, seen)
        yield number, row


def _then_deleted(rows: Iterator[tuple[int, Row]], copy: Path) -> Iterator[tuple[int, Row]]:
    try:
        yield from rows
    finally:
        copy.unlink(missing_ok=True)


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _lines_beyond_ascii(text: str) -> str:
    """The first lines that have characters beyond ASCII."""
    return "\n".join(line for line in text.splitlines() if not line.isascii())[:LOOKED_AT]


def _decoded(data: bytes, encoding: Encoding) -> str | None:
    try:
        return data.decode(encoding.codec)
    except UnicodeDecodeError:
        return None
