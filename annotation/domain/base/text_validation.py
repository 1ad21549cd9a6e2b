"""Words that somebody wrote, as they are stored."""

from __future__ import annotations

import re

from annotation.domain.base.errors import InvalidContent

HALF_CHARACTER = "half a character (a lone surrogate) stands in the text; write it anew"
NOT_TEXT = re.compile("[\x00\ud800-\udfff]")


def validated_text(text: str) -> str:
    """The text without surrounding space; refused where a database cannot store a character (`not_text`)."""
    if NOT_TEXT.search(text):
        raise InvalidContent("A character in it is no text (NUL): write it anew.", code="not_text")
    return text.strip()


def has_surrogate(text: str) -> bool:
    """Whether a text holds half of a pair of UTF-16 units, which no file in UTF-8 can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def is_one_line(text: str) -> bool:
    """Whether a name or an address is text on one line."""
    return len(text.splitlines()) <= 1 and not NOT_TEXT.search(text)
