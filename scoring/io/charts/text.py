"""Text in charts for papers: its fonts, its width in print, and where its lines break."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message

TYPE_POINTS = 7.0
LINE_INCHES = 0.13
POINTS_PER_INCH = 72
LATIN = "DejaVu Sans"
# Tried in this order where the machine has them: the same character looks different in the two languages.
CHINESE = ("Noto Sans CJK SC", "WenQuanYi Zen Hei", "Noto Sans CJK JP")
JAPANESE = ("Noto Sans CJK JP", "IPAexGothic", "Noto Sans CJK SC", "WenQuanYi Zen Hei")
KANA = range(0x3040, 0x3100)


class NoFontForText(GroundworkError):
    """The server has no font with which it can draw a text; a browser draws an SVG with its own."""

    code = "no_font_for_text"

    def __init__(self) -> None:
        super().__init__(
            message(
                "This server has no font for Chinese and Japanese names, so it cannot draw this chart as "
                "PDF or PNG. Download the chart as SVG, or ask your administrator to install the font "
                "Noto Sans CJK."
            )
        )


@contextmanager
def paper_type(texts: Iterable[str], file_format: str) -> Iterator[None]:
    """Draw within this context, so that every text has the size and the fonts of a chart for a paper.

    Parameters
    ----------
    texts : iterable of str
        All names that the chart shows.
    file_format : str
        Ending of the file. The text of an SVG remains text.

    Raises
    ------
    NoFontForText
        A text is in Chinese or Japanese, and the server has no font for it.
    """
    import matplotlib

    families = [LATIN, *_east_asian("".join(texts), file_format)]
    style: dict[Any, Any] = {
        "font.family": families,
        "font.size": TYPE_POINTS,
        "svg.hashsalt": "groundwork",
        "svg.fonttype": "none",
        "text.parse_math": False,
    }
    with matplotlib.rc_context(style):
        yield


def _east_asian(text: str, file_format: str) -> list[str]:
    from matplotlib import font_manager

    if not any(_is_wide(character) for character in text):
        return []
    wanted = JAPANESE if any(ord(character) in KANA for character in text) else CHINESE
    available = set(font_manager.get_font_names())
    found = [name for name in wanted if name in available]
    if not found and file_format != "svg":
        raise NoFontForText
    return found


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def inches_of(text: str) -> float:
    """The width of a text in one line, in the fonts of the present context."""
    import matplotlib

    return _measured(text, tuple(matplotlib.rcParams["font.family"]))


@lru_cache(maxsize=4096)
def _measured(text: str, families: tuple[str, ...]) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    type_face = FontProperties(family=list(families), size=TYPE_POINTS)
    width, _, _ = text_to_path.get_text_width_height_descent(text, type_face, ismath=False)
    return float(width) / POINTS_PER_INCH


def wrapped(text: str, inches: float) -> list[str]:
    """The lines of a text that is at most so wide.

    Parameters
    ----------
    text : str
        Lines end between words, and between any two characters of Chinese and Japanese.
    inches : float
        A word that is wider is broken.
    """
    lines = [""]
    for piece in pieces(text):
        if inches_of(f"{lines[-1]}{piece}".rstrip()) <= inches:
            lines[-1] += piece
            continue
        lines.append("")
        for part in [piece] if inches_of(piece.rstrip()) <= inches else piece:
            if lines[-1] and inches_of(f"{lines[-1]}{part}".rstrip()) > inches:
                lines.append("")
            lines[-1] += part
    return [line.strip() for line in lines if line.strip()]


def pieces(text: str) -> list[str]:
    """Words with the space after them, and single characters of Chinese and Japanese."""
    found = [""]
    for character in text:
        if _is_wide(character) or _is_wide(found[-1][-1:] or " ") or found[-1].endswith((" ", "-")):
            found.append("")
        found[-1] += character
    return found


def widest(texts: Iterable[str]) -> float:
    """The width of the longest of several texts; 0 for none."""
    return max((inches_of(text) for text in texts), default=0.0)


def blocks(lines: Iterable[Sequence[str]]) -> list[str]:
    """Wrapped texts as they are drawn."""
    return ["\n".join(one) for one in lines]
