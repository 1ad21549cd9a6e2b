"""Files that knowledge bases are made from: which they are, and their bytes in blocks of whole lines."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from scoring.hauser.knowledge.file_format import KnowledgeBaseError, Source

BLOCK_BYTES = 1 << 22
# A line longer than this many blocks is cut; no sentence is that long.
LONGEST_LINE_BLOCKS = 4
GZIP = ".gz"
# Of UTF-8, in bytes; all but the first begin with the bits 10.
LONGEST_LETTER = 4
CONTINUED = 0x80


@dataclass(frozen=True)
class Block:
    """Whole lines of a file; `end` is the offset after them in the (unpacked) file."""

    data: bytes
    end: int


def identified(path: Path) -> Source:
    """Name, size and SHA-256 of a file.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    KnowledgeBaseError
        `no_such_file`.
    """
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return Source(path.name, file.tell(), digest)
    except OSError as fault:
        raise KnowledgeBaseError("no_such_file", f"{path}: cannot be read ({fault.strerror})") from fault


def refuse_utf_16(path: Path, beginning: bytes) -> None:
    """Refuse a file that begins like UTF-16; `path` is for the message.

    Parameters
    ----------
    path : Path
        The file, for the message.
    beginning : bytes
        At least its first two.

    Raises
    ------
    KnowledgeBaseError
        `wrong_encoding`.
    """
    if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise KnowledgeBaseError("wrong_encoding", f"{path.name}: the file is UTF-16; save it as UTF-8")


def blocks(path: Path, *, start: int = 0, size: int = BLOCK_BYTES, end: bytes = b"\n") -> Iterator[Block]:
    """The bytes of a file from an offset on, cut after whole lines.

    Parameters
    ----------
    path : Path
        The file; a name that ends in .gz is unpacked.
    start : int
        Offset in the unpacked file.
    size : int
        Bytes of a block, about.
    end : bytes
        After which a block may end; an empty line where a text's lines are wrapped.

    Raises
    ------
    KnowledgeBaseError
        `damaged_file` when a packed file breaks off or is none; `wrong_encoding`.
    """
    with _opened(path) as file:
        try:
            refuse_utf_16(path, file.read(2))
            file.seek(start)
            yield from _blocks(file, start, size, end)
        except (EOFError, gzip.BadGzipFile, zlib.error) as fault:
            message = f"{path}: the packed file is damaged ({fault}); download it again"
            raise KnowledgeBaseError("damaged_file", message) from fault


def _blocks(file: BinaryIO, offset: int, size: int, end: bytes) -> Iterator[Block]:
    rest = b""
    while data := file.read(size):
        data = rest + data
        cut = data.rfind(end) + len(end) if end in data else 0
        if not cut and len(data) >= size * LONGEST_LINE_BLOCKS:
            cut = _before_last_letter(data)
        if cut:
            offset += cut
            yield Block(data[:cut], offset)
        rest = data[cut:]
    if rest:
        yield Block(rest, offset + len(rest))


def _before_last_letter(data: bytes) -> int:
    """Where a line may be cut without cutting a letter of several bytes in two."""
    cut = len(data) - 1
    while cut > len(data) - LONGEST_LETTER and data[cut] & 0xC0 == CONTINUED:
        cut -= 1
    return cut


def _opened(path: Path) -> BinaryIO:
    return gzip.open(path) if path.suffix == GZIP else path.open("rb")  # type: ignore[return-value]
