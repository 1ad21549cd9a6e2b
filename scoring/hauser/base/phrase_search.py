"""Positions of a wording in a text, as whole words."""

from __future__ import annotations

import re

# Chinese has no spaces: its characters end no word of others and need no end themselves.
LETTER = r"[^\W\u3400-\u9fff]"


def occurrences(wording: str, text: str, *, any_case: bool = True) -> list[re.Match[str]]:
    """All occurrences of a wording, not within longer words, with any white space between its words.

    Parameters
    ----------
    wording : str
        One or more words.
    text : str
        Text to search.
    any_case : bool
        Whether small and capital letters are the same.

    Returns
    -------
    list of re.Match
        From left to right; empty for a wording without a word.
    """
    words = r"\s+".join(map(re.escape, wording.split()))
    if not words:
        return []
    flags = re.IGNORECASE if any_case else re.NOFLAG
    return list(re.finditer(rf"(?<!{LETTER}){words}(?!{LETTER})", text, flags))
