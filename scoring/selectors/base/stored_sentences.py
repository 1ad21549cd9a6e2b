"""English sentences of statistics and stored reports, as messages that a page can translate."""

from __future__ import annotations

import re
from collections.abc import Iterable

from annotation.domain.base.messages import Message, message

PLACEHOLDER = re.compile(r"%\((\w+)\)s")


def as_message(sentence: str, templates: Iterable[Message]) -> str:
    """Find the template of an English sentence.

    Parameters
    ----------
    sentence : str
        As it was stored.
    templates : iterable of Message
        Sentences with placeholders, `%(name)s`.

    Returns
    -------
    str
        The sentence as a message of the first template that it matches; unchanged where none does.
    """
    for template in templates:
        found = _pattern(template).fullmatch(sentence)
        if found:
            return message(template, **found.groupdict())
    return sentence


def _pattern(template: str) -> re.Pattern[str]:
    """The template as a regular expression; splitting leaves the names at odd positions."""
    pieces = PLACEHOLDER.split(template.replace("%%", "%"))
    return re.compile(
        "".join(f"(?P<{piece}>.+)" if odd % 2 else re.escape(piece) for odd, piece in enumerate(pieces))
    )
