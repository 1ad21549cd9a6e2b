"""Tables of text as spreadsheets write them: UTF-16, Windows-1252, GBK and Shift-JIS are recognised."""

from __future__ import annotations

import codecs
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotation.io.base.cells import Row
from annotation.io.base.file_errors import Problems
from annotation.io.base.readers import stream_table

TEXT_ENDINGS = {".csv", ".tsv", ".jsonl", ".json"}
# So much of a file is enough to recognise how it is encoded; it is decoded as a whole before it is believed.
LOOKED_AT = 200_000
BEYOND_ASCII = re.compile("[^\x00-\x7f]+")
GLUED = re.compile("[A-Za-z][^\x00-\x7f]+[A-Za-z]")
# Words of Western languages have one or two accents in a row; in Cyrillic or Greek ones all letters are such.
LONG_RUN = re.compile("[À-ÿŒœŠšŽžŸ]{3,}")
KANA = re.compile("[\u3041-\u30ff]")
HALF_WIDTH_KANA = re.compile("[\uff61-\uff9f]")
HANZI = re.compile("[\u4e00-\u9fff]")
# Letters of Western languages, and what word processors make of quotation marks, dashes and dots.
WESTERN = re.compile("[À-ÿŒœŠšŽžŸ‘’‚“”„–—…•€£§°«»¡¿\u00a0]")
FREQUENT = frozenset(
    "的一是了我不在人有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么"
    "心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长像比样"
)
# Below so many characters, frequent ones may all be missing.
ENOUGH = 20
LEAST_FREQUENT = 0.05
ALMOST_ALL = 0.95
LEAST_KANA = 0.15


@dataclass(frozen=True)
class Encoding:
    """How a file that is not UTF-8 is encoded: the name for Python, and the name for people."""

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
        None where it is UTF-8, and where it cannot be told: then it has to be saved as UTF-8.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return UTF_16 if _decoded(data, UTF_16) is not None else None
    if b"\x00" in data or _is_utf_8(data):
        return None
    tests = ((SHIFT_JIS, _is_japanese), (GBK, _is_chinese), (WINDOWS, _is_western))
    for encoding, is_so in tests:
        text = _decoded(data, encoding)
        if text is not None and is_so(text[:LOOKED_AT]):
            return encoding
    return None


def encoding_of(path: Path) -> Encoding | None:
    """How a file of text is encoded that is not UTF-8; None also for workbooks and columns."""
    return recognise(path.read_bytes()) if path.suffix.lower() in TEXT_ENDINGS else None


def encoding_title(path: Path) -> str:
    """What people call the encoding of a file that is not UTF-8; empty for one that is, or has none."""
    found = encoding_of(path)
    return found.title if found else ""


def stream_items(path: Path, *, name: str) -> tuple[Problems, Iterator[tuple[int, Row]]]:
    """The rows of a table as `stream_table` gives them, whatever recognised encoding the file has.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        What messages call it.
    """
    encoding = encoding_of(path)
    if encoding is None:
        return stream_table(path, name=name)
    with tempfile.NamedTemporaryFile("wb", dir=path.parent, suffix=path.suffix, delete=False) as file:
        file.write(path.read_bytes().decode(encoding.codec).encode())
    problems, rows = stream_table(Path(file.name), name=name)
    return problems, _then_deleted(rows, Path(file.name))


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


def _decoded(data: bytes, encoding: Encoding) -> str | None:
    try:
        return data.decode(encoding.codec)
    except UnicodeDecodeError:
        return None


def _share(pattern: re.Pattern[str], text: str) -> float:
    """Of the characters beyond ASCII, the share that a pattern takes."""
    marks = "".join(BEYOND_ASCII.findall(text))
    return len(pattern.findall(marks)) / len(marks) if marks else 0.0


def _is_japanese(text: str) -> bool:
    """Japanese without kana does not occur; Chinese read as Shift-JIS is full of half-width ones."""
    return _share(KANA, text) >= LEAST_KANA and _share(HALF_WIDTH_KANA, text) < LEAST_KANA


def _is_chinese(text: str) -> bool:
    """Characters of the first Chinese standard, among them those that every text has."""
    runs, hanzi = BEYOND_ASCII.findall(text), HANZI.findall(text)
    marks = "".join(runs)
    common = sum(map(_is_gb_2312, marks))
    # Two accents in a row, as in “Größe”, would be one character in the middle of a word.
    glued = len(GLUED.findall(text))
    if common < ALMOST_ALL * len(marks) or 2 * len(hanzi) < len(marks) or 2 * glued > len(runs):
        return False
    frequent = sum(one in FREQUENT for one in hanzi)
    return len(hanzi) < ENOUGH or frequent >= LEAST_FREQUENT * len(hanzi)


def _is_gb_2312(character: str) -> bool:
    try:
        character.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def _is_western(text: str) -> bool:
    """Accents and typographic marks among plain letters: letters of other alphabets fill whole words."""
    in_long_runs = sum(map(len, LONG_RUN.findall(text)))
    marks = sum(map(len, BEYOND_ASCII.findall(text)))
    return _share(WESTERN, text) >= ALMOST_ALL and 5 * in_long_runs <= marks
