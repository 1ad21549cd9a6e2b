"""Storing the items of a study."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from django.db import connection, transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import TAKING_ANSWERS, StudyState
from annotation.io.base.cells import NO_CONTROL, has_control
from annotation.models import Item, Study
from annotation.services.base.analyze_tables import analyze_tables
from annotation.services.base.bulk_copy import insert_rows
from annotation.services.base.drafts import ITEMS_IN_DRAFTS

CHUNK_SIZE = 1000
COLUMNS = (
    *("study_id", "key", "group", "system", "fields", "components", "metadata", "position", "planted"),
    "added_at",
)
PLANTED_KEY = "check:"
CALIBRATION_KEY = "calibration:"
PLANTED_KEYS = (PLANTED_KEY, CALIBRATION_KEY)
MOST_NAMED = 10
TWICE = message("the item ID appears twice")
NOT_A_KEY = message("the item ID is empty or longer than 120 characters")
RESERVED = message("the beginning of the item ID is reserved for check and calibration items")


# Creates the rating slots of items that were just added to an open or paused study.
GiveSlots = Callable[[Study, Sequence[Item]], None]


@dataclass(frozen=True)
class NewItem:
    """An item to be added; the same fields as `Item`."""

    key: str
    fields: Mapping[str, str]
    group: str = ""
    system: str = ""
    components: Sequence[Mapping[str, Any]] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, item: Item) -> NewItem:
        """The fields of an item of another study."""
        return cls(item.key, item.fields, item.group, item.system, item.components, item.metadata)


def add_items(*, study: Study, rows: Sequence[NewItem], give_slots: GiveSlots | None = None) -> int:
    """Add items to a draft, or to a published study while it is loaded; all of them or none.

    With `give_slots` an open or paused study takes them too, together with their rating slots.

    An item that was imported with its ratings and has no text yet is given its texts.

    Parameters
    ----------
    study, rows
        The items in their order in the study.
    give_slots : callable or None
        Called with the study and its new items, in the same transaction, where raters are at work.

    Returns
    -------
    int
        How many were added or given their texts.

    Raises
    ------
    NotAllowedNow
        Raters are at work in the study.
    InvalidContent
        A key is empty, too long or doubled (`bad_item_key`), or group or system are not those of
        the item that waits for its texts (`item_differs`).
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        running = study.state != StudyState.DRAFT and not study.source
        if running and (give_slots is None or study.state not in TAKING_ANSWERS):
            raise NotAllowedNow(ITEMS_IN_DRAFTS, code="not_a_draft")
        waiting = {item.key: item for item in items_without_text(study=study)}
        _check_keys(study, rows, waiting)
        _give_texts(waiting, [row for row in rows if row.key in waiting])
        first = study.items.count()
        new = [row for row in rows if row.key not in waiting]
        newest = Item.everything.aggregate(newest=Max("pk"))["newest"] or 0
        now = str(connection.ops.adapt_datetimefield_value(timezone.now()))
        cells = (_cells(study, row, position, now) for position, row in enumerate(new, start=first))
        insert_rows(Item, COLUMNS, cells)
        analyze_tables(len(new), Item)
        if running and give_slots is not None:
            added = study.items.filter(pk__gt=newest).order_by("position", "pk")
            give_slots(study, list(added.only("pk", "key", "group", "position", "study")))
    return len(rows)


def _cells(study: Study, row: NewItem, position: int, now: str) -> tuple[Any, ...]:
    """A row of `COLUMNS`."""
    texts = (row.key, row.group, row.system)
    documents = (dict(row.fields), [dict(part) for part in row.components], dict(row.metadata))
    return study.pk, *texts, *map(json.dumps, documents), position, False, now


def items_without_text(*, study: Study) -> QuerySet[Item]:
    """Items that were imported with their ratings and have no text yet."""
    return study.items.filter(fields={})


def _give_texts(waiting: Mapping[str, Item], rows: Sequence[NewItem]) -> None:
    differing = {}
    for row in rows:
        item = waiting[row.key]
        for name, here, stored in (("group", row.group, item.group), ("system", row.system, item.system)):
            if here and stored and here != stored:
                differing[row.key] = message(
                    "%(column)s is %(here)s here, but %(stored)s in the imported ratings",
                    column=name,
                    here=repr(here),
                    stored=repr(stored),
                )
        item.group, item.system = item.group or row.group, item.system or row.system
        item.fields, item.metadata = dict(row.fields), dict(row.metadata)
        item.components = [dict(part) for part in row.components]
    if differing:
        raise InvalidContent(_none_added(differing), code="item_differs", fields=differing)
    changed = ["group", "system", "fields", "metadata", "components"]
    Item.objects.bulk_update([waiting[row.key] for row in rows], changed, batch_size=CHUNK_SIZE)


def _check_keys(study: Study, rows: Sequence[NewItem], waiting: Mapping[str, Item]) -> None:
    counts = Counter(row.key for row in rows)
    stored = Item.everything.filter(study=study).values_list("key", flat=True)
    counts.update(key for key in stored if key not in waiting)
    problems: dict[str, str] = {key: TWICE for key, count in counts.items() if count > 1}
    problems |= {key: NOT_A_KEY for key in counts if not 0 < len(key) <= 120}
    problems |= {key: NO_CONTROL for key in counts if has_control(key)}
    problems |= {row.key: RESERVED for row in rows if row.key.startswith(PLANTED_KEYS)}
    if problems:
        raise InvalidContent(_none_added(problems), code="bad_item_key", fields=problems)


def _none_added(problems: Mapping[str, str]) -> str:
    named = [
        message("%(item)s: %(problem)s", item=repr(key), problem=problem)
        for key, problem in list(problems.items())[:MOST_NAMED]
    ]
    listed = reduce(lambda first, rest: message("%(first)s; %(rest)s", first=first, rest=rest), named)
    return message("No item was added: %(problems)s.", problems=listed)
