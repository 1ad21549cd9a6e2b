"""Correction of what describes an item: its group, its system and its metadata, never its texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import is_one_line
from annotation.io.base.strict_documents import unstorable
from annotation.models import Item, Study, User
from annotation.services.base import audit

LONGEST_NAME = 120
DESCRIPTIONS = ("group", "system", "metadata")


def correct_item(
    *,
    item: Item,
    actor: User | None,
    group: str | None = None,
    system: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Item:
    """Correct the description of an item in a study of any state.

    The audit log names what changed, with the former and the new group and system, but no values of metadata.
    Batches and rating slots stay as they are, whatever the group is.

    Parameters
    ----------
    item : Item
        The item.
    actor : User or None
        User who corrects it; None on the command line.
    group, system : str or None
        At most 120 characters; None for no change.
    metadata : mapping of str to Any or None
        The complete metadata, JSON values by name; None for no change.

    Raises
    ------
    InvalidContent
        `bad_description`: too long, not one line, or a value that cannot be stored, with the fields.
    """
    asked = {"group": group, "system": system, "metadata": None if metadata is None else dict(metadata)}
    given = {name: value for name, value in asked.items() if value is not None}
    _refuse_unusable(given)
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=item.study_id)
        item = Item.objects.select_for_update(no_key=True, of=("self",)).get(pk=item.pk)
        before = {name: getattr(item, name) for name, value in given.items() if getattr(item, name) != value}
        if before:
            for name in before:
                setattr(item, name, given[name])
            item.save(update_fields=list(before))
            audit.record(
                study=study, actor=actor, act="correct_item", item=item.key, **_logged(before, given)
            )
    return item


def _logged(before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Audit details of a correction; of metadata only the names, because values may be confidential."""
    former, new = before.get("metadata", {}), given.get("metadata", {})
    named = [name for name in before if name != "metadata"]
    absent = object()
    return {
        "before": {name: before[name] for name in named},
        "after": {name: given[name] for name in named},
        "metadata": [name for name in {**former, **new} if former.get(name, absent) != new.get(name, absent)]
        if "metadata" in before
        else [],
    }


def _refuse_unusable(given: Mapping[str, Any]) -> None:
    sentence = message("Enter at most %(n)d characters on one line.", n=LONGEST_NAME)
    texts = {name: given[name] for name in ("group", "system") if name in given}
    texts |= {f"metadata.{name}": name for name in given.get("metadata", {})}
    wrong: dict[str, str] = {
        field: sentence for field, text in texts.items() if len(text) > LONGEST_NAME or not is_one_line(text)
    }
    wrong |= {f"metadata.{name}": sentence for name in given.get("metadata", {}) if not name.strip()}
    wrong |= unstorable({"metadata": given.get("metadata", {})}, "")
    if wrong:
        raise InvalidContent(next(iter(wrong.values())), code="bad_description", fields=wrong)
