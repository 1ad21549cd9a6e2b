"""Words that somebody wrote, as they are stored."""

from __future__ import annotations

import re

from annotation.domain.base.errors import InvalidContent

NOT_TEXT = re.compile("[\x00\ud800-\udfff]")


def validated_text(text: str) -> str:
    """The text without surrounding space; refused where a database cannot store a character (`not_text`)."""
    if NOT_TEXT.search(text):
        raise InvalidContent("A character in it is no text (NUL): write it anew.", code="not_text")
    return text.strip()


def is_one_line(text: str) -> bool:
    """Whether a name or an address is text on one line."""
    return len(text.splitlines()) <= 1 and not NOT_TEXT.search(text)
