"""Words in a row with the punctuation of the language of the page."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext


def between_names() -> str:
    """What is between two names in a row: “, ”, or “、” in Chinese and Japanese."""
    return gettext("%(one)s, %(next)s") % {"one": "", "next": ""}


def between_parts() -> str:
    """What is between two parts of a sentence: “, ”, or a full-width comma."""
    return gettext("%(part)s, %(rest)s") % {"part": "", "rest": ""}


def between_clauses() -> str:
    """What is between two parts that have commas themselves: “; ”, or a full-width semicolon."""
    return gettext("%(clause)s; %(rest)s") % {"clause": "", "rest": ""}


def joined(parts: Iterable[object]) -> str:
    """Names in a row, as plain text."""
    return between_names().join(map(str, parts))
