"""Texts with marked components, as in `{topic:the harbour} went quiet like {vehicle:a bell}`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

MARK = re.compile(r"\{(topic|vehicle|event|property):([^{}]+)\}")


def unmark(marked: str, field: str) -> tuple[str, list[dict[str, Any]]]:
    """Return the plain text and its components, with offsets in Unicode code points.

    Parameters
    ----------
    marked : str
        The text with its components in braces.
    field : str
        The item field that will hold the text.
    """
    text, components, past = "", [], 0
    for match in MARK.finditer(marked):
        text += marked[past : match.start()]
        part, words = match.groups()
        components.append(
            {"field": field, "part": part, "start": len(text), "end": len(text) + len(words), "text": words}
        )
        text += words
        past = match.end()
    return text + marked[past:], components


def mark(text: str, field: str, components: Iterable[Mapping[str, Any]]) -> str:
    """Return the text with its components in braces, as read by `unmark`.

    Parameters
    ----------
    text : str
        The plain text of the field.
    field : str
        The item field that holds it.
    components : iterable of mapping
        Components of the item; those of other fields or without a position are left out.
    """
    placed = [part for part in components if part["field"] == field and part["start"] is not None]
    marked, past = "", 0
    for part in sorted(placed, key=lambda part: int(part["start"])):
        marked += f"{text[past : part['start']]}{{{part['part']}:{text[part['start'] : part['end']]}}}"
        past = part["end"]
    return marked + text[past:]
