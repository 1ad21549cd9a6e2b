"""Whether recordings and videos were heard or seen to the end, and the refusal of answers that need it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from annotation.domain.base.errors import InvalidAnswer
from annotation.domain.base.messages import message
from annotation.domain.items.media import PLAYED, media_blocks

# Every second was played; the rater stated it on a page without scripts; the transcript was read instead.
PLAYED_THROUGH, STATED, READ = "played", "stated", "read"
HEARD: Final = (PLAYED_THROUGH, STATED, READ)
HEAR_FIRST = message(
    "Please hear or see the recording to the end, or read its transcript, before you save your answer."
)


def heard_through(
    blocks: Iterable[Mapping[str, Any]],
    fields: Mapping[str, str],
    reported: Mapping[str, str],
    before: Mapping[str, str],
) -> dict[str, str]:
    """How the rater came to the end of each recording of an item, by its column.

    Parameters
    ----------
    blocks : iterable of mapping
        Of the form version that was shown.
    fields : mapping of str to str
        Of the item.
    reported : mapping of str to str
        What the page reports, by column.
    before : mapping of str to str
        What the corrected revision reports: a recording that was heard stays heard.
    """
    found: dict[str, str] = {}
    for block in _played(blocks, fields):
        field = block["field"]
        reports = {reported.get(field, ""), before.get(field, "")}
        way = next((one for one in HEARD if one in reports), "")
        if way:
            found[field] = way
    return found


def refuse_unheard(
    blocks: Iterable[Mapping[str, Any]], fields: Mapping[str, str], heard: Mapping[str, str]
) -> None:
    """Refuse ratings of an item whose recording must be heard to the end and was not.

    Parameters
    ----------
    blocks, fields
        Of the form version that was shown, and of the item.
    heard : mapping of str to str
        From `heard_through`.

    Raises
    ------
    InvalidAnswer
        `fields` names each such column.
    """
    unheard = [
        block["field"]
        for block in _played(blocks, fields)
        if block.get("whole") and block["field"] not in heard
    ]
    if unheard:
        raise InvalidAnswer(HEAR_FIRST, fields=dict.fromkeys(unheard, HEAR_FIRST))


def _played(blocks: Iterable[Mapping[str, Any]], fields: Mapping[str, str]) -> list[Mapping[str, Any]]:
    return [one for one in media_blocks(blocks) if one["role"] in PLAYED and fields.get(one["field"])]
