"""Validation of texts before they are stored."""

from __future__ import annotations

import re
import unicodedata

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import SHORT_NAME
from annotation.domain.base.messages import message

HALF_CHARACTER = message("the text contains half a character (a lone surrogate); enter it again")
NOT_TEXT = re.compile("[\x00\ud800-\udfff]")


def validated_text(text: str) -> str:
    """The text without surrounding space; refused if a database cannot store a character (`not_text`)."""
    if NOT_TEXT.search(text):
        raise InvalidContent(message("The text contains a NUL character. Remove it."), code="not_text")
    return text.strip()


def storable_text(text: str) -> str:
    """A text written by software, with U+FFFD for each character that a database cannot store."""
    return NOT_TEXT.sub("\N{REPLACEMENT CHARACTER}", text).strip()


def has_surrogate(text: str) -> bool:
    """Whether a text contains half of a pair of UTF-16 units, which UTF-8 cannot encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def is_one_line(text: str) -> bool:
    """Whether a name or an address is text on one line."""
    return len(text.splitlines()) <= 1 and not NOT_TEXT.search(text)


def suggest_name(typed: str, longest: int) -> str:
    """A short name made of what was typed: “Wie gut?” becomes `Wie-gut`; empty where nothing is left."""
    plain = unicodedata.normalize("NFKD", typed).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-zA-Z0-9_]+", "-", plain).strip("-")[:longest].rstrip("-")


def refuse_name(typed: str, longest: int) -> str:
    """Why a text cannot be a short name, with a valid suggestion; empty for a valid name."""
    if re.fullmatch(SHORT_NAME, typed):
        return ""
    suggestion = suggest_name(typed, longest)
    if not suggestion:
        return message("Use only the letters A to Z, digits, hyphens and underscores.")
    return message(
        "Use only the letters A to Z, digits, hyphens and underscores, for example “%(suggestion)s”.",
        suggestion=suggestion,
    )
