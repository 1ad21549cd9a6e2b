"""Manual correction of the components of an item's text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import Message, message
from annotation.models import Item, User
from annotation.services.base import audit
from scoring.hauser.base.candidates import unusable
from scoring.hauser.base.phrase_search import occurrences
from scoring.hauser.runs.score_trace import PARTS_OF_A_PAIR
from scoring.models import ItemComponents
from scoring.selectors.data.item_texts import text_field
from scoring.selectors.similes.similes import is_at_position

BY_HAND = ("topic", "vehicle", "event", "property")
NO_SIMILE = "no_simile_by_hand"
LONGEST = 500
MOST_PAIRS = 20
NAMES = {
    "topic": message("topic"),
    "vehicle": message("vehicle"),
    "event": message("event"),
    "property": message("property"),
}


def correct_components(*, item: Item, pairs: Sequence[Mapping[str, str]], actor: User | None) -> None:
    """Set the topic–vehicle pairs of an item's text; all later runs use them.

    Each component is stored with its offsets if its wording occurs in the text.

    Parameters
    ----------
    item : Item
        The item.
    pairs : sequence of mapping of str to str
        The wording of `topic`, `vehicle`, `event` and `property` of each pair; empty where there is none.
        No pair means that the text is not a simile.
    actor : User or None
        User who corrects them.

    Raises
    ------
    InvalidContent
        `no_vehicle`, `too_long`, `too_many_pairs` or `control_characters`; nothing was stored.
    """
    text = item.fields.get(text_field(item.fields), "")
    known = ItemComponents.objects.filter(item=item).first()
    before = [part for pair in (known.pairs if known else []) for part in pair.values() if part]
    wanted = [_pair(number, pair, text, before) for number, pair in enumerate(pairs, start=1)]
    if len(wanted) > MOST_PAIRS:
        raise InvalidContent(
            message("A text can have at most %(n)d pairs.", n=MOST_PAIRS), code="too_many_pairs"
        )
    with transaction.atomic():
        ItemComponents.objects.update_or_create(
            item=item,
            defaults={
                "source": "corrected",
                "pairs": wanted,
                "reason": "" if wanted else NO_SIMILE,
                "extractor": "",
                "corrected_by": actor,
            },
        )
        audit.record(
            study=item.study, actor=actor, act="correct_components", item=item.key, pairs=len(wanted)
        )


def delete_correction(*, item: Item, actor: User | None) -> None:
    """Delete a correction: later runs use the item's own components, or extract them, again.

    Parameters
    ----------
    item : Item
        The item.
    actor : User or None
        User who deletes the correction.
    """
    with transaction.atomic():
        removed, _ = ItemComponents.objects.filter(item=item, source="corrected").delete()
        if removed:
            audit.record(study=item.study, actor=actor, act="forget_correction", item=item.key)


def _pair(
    number: int, given: Mapping[str, str], text: str, before: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    words = {name: " ".join(given.get(name, "").split()) for name in BY_HAND}
    if not words["vehicle"]:
        raise InvalidContent(
            message("Pair %(number)d has no vehicle. Enter a vehicle or clear the pair.", number=number),
            code="no_vehicle",
        )
    for name, wording in words.items():
        _check_wording(number, NAMES[name], wording)
    return {name: _part(words.get(name, ""), text, before) for name in PARTS_OF_A_PAIR}


def _check_wording(number: int, name: Message, wording: str) -> None:
    if len(wording) > LONGEST:
        raise InvalidContent(
            message(
                "Pair %(number)d, %(component)s: enter at most %(most)d characters.",
                number=number,
                component=name,
                most=LONGEST,
            ),
            code="too_long",
        )
    if wording and unusable(wording):
        raise InvalidContent(
            message(
                "Pair %(number)d, %(component)s: remove the control characters.",
                number=number,
                component=name,
            ),
            code="control_characters",
        )


def _part(wording: str, text: str, before: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """A component at its previous position, else at its first position in the text, else without one."""
    if not wording:
        return None
    for part in before:
        if part["text"] == wording and is_at_position(part, text):
            return dict(part)
    places = occurrences(wording, text, any_case=False) or occurrences(wording, text)
    found = next(iter(places), None)
    if found is None:
        return {"text": wording, "start": None, "end": None}
    return {"text": found.group(), "start": found.start(), "end": found.end()}
