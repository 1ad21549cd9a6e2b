"""Words that somebody wrote, as they are stored."""

from __future__ import annotations

import re

from annotation.domain.base.errors import InvalidContent

NOT_TEXT = re.compile("[\x00\ud800-\udfff]")


def stored_words(text: str) -> str:
    """The words without the space around them.

    Parameters
    ----------
    text : str
        As it was sent.

    Raises
    ------
    InvalidContent
        A character in it is none that a database keeps (`not_text`).
    """
    if NOT_TEXT.search(text):
        raise InvalidContent("A character in it is no text (NUL): write it anew.", code="not_text")
    return text.strip()


def is_one_line(text: str) -> bool:
    """Whether nothing in it would begin another line, or is no text.

    Parameters
    ----------
    text : str
        A name or an address.
    """
    return len(text.splitlines()) <= 1 and not NOT_TEXT.search(text)
