"""Manual correction of the components of an item's text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
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


def correct_components(*, item: Item, pairs: Sequence[Mapping[str, str]], actor: User | None) -> None:
    """Say which topic–vehicle pairs an item's text has; every later run takes these.

    Each part is stored with its offsets where its wording stands in the text.

    Parameters
    ----------
    item : Item
        The item.
    pairs : sequence of mapping of str to str
        The wording of `topic`, `vehicle`, `event` and `property` of each pair; empty where there is none.
        No pair says that the text is no simile.
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
        raise InvalidContent(f"A text has at most {MOST_PAIRS} pairs.", code="too_many_pairs")
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
        Who takes the correction back.
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
        message = f"Pair {number} has no vehicle: say what is compared with, or leave the pair empty."
        raise InvalidContent(message, code="no_vehicle")
    for name, wording in words.items():
        if len(wording) > LONGEST:
            message = f"The {name} of pair {number} has more than {LONGEST} characters."
            raise InvalidContent(message, code="too_long")
        if wording and unusable(wording):
            message = f"The {name} of pair {number} holds control characters."
            raise InvalidContent(message, code="control_characters")
    return {name: _part(words.get(name, ""), text, before) for name in PARTS_OF_A_PAIR}


def _part(wording: str, text: str, before: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """A part at its previous position, else at its first position in the text, else without one."""
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
