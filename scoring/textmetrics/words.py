"""How texts are cut into words and word sequences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

Token = TypeVar("Token")

# Scripts written without spaces between words: each character counts as a word.
UNSPACED = (
    "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003fffd"
)
_UNSPACED = re.compile(f"([{UNSPACED}])")
_WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
_TOKEN = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+(?:['’][^\W_{UNSPACED}]+)*|[^\w\s]|_")


def words(text: str) -> list[str]:
    """Lower-case words without punctuation, as ROUGE compares them.

    Parameters
    ----------
    text
        Any text.

    Returns
    -------
    list of str
        Runs of letters and digits; of Chinese and Japanese, characters.
    """
    return _WORD.findall(text.lower())


def tokens(text: str) -> list[str]:
    """Lower-case words and punctuation marks, for the data statistics, Distinct and METEOR.

    Parameters
    ----------
    text
        Any text.

    Returns
    -------
    list of str
        An apostrophe within a word is part of it.
    """
    return _TOKEN.findall(text.lower())


def spaced(text: str) -> str:
    """The text with blanks around each character of a script that is written without."""
    return _UNSPACED.sub(r" \1 ", text)


def ngrams(sequence: Sequence[Token], length: int) -> list[tuple[Token, ...]]:
    """All runs of `length` neighbours, first to last."""
    return [tuple(sequence[start : start + length]) for start in range(len(sequence) - length + 1)]
