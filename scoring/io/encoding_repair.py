"""Texts that were damaged on their way, made readable again where that is certain."""

from __future__ import annotations

import unicodedata

from scoring.textmetrics.candidates import WHITESPACE_CONTROLS

# Signs of Windows-1252 that were read as Latin-1 stand at these places, where Latin-1 has controls.
FIRST_MISREAD, LAST_MISREAD = "\x80", "\x9f"
HARMFUL = frozenset({"Cc", "Cs"})


def harmful(text: str) -> list[tuple[int, str]]:
    """Control characters and halves of surrogate pairs in a text, with their places from 1 on."""
    return [
        (position, letter)
        for position, letter in enumerate(text, start=1)
        if unicodedata.category(letter) in HARMFUL and letter not in WHITESPACE_CONTROLS
    ]


def mended(text: str) -> str:
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
