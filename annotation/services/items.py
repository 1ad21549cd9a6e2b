"""Items of a study, and their seats."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from django.db import transaction

from annotation.domain.errors import InvalidContent, NotAllowedNow
from annotation.domain.states import StudyState
from annotation.models import Item, Seat, Study

AT_ONCE = 1000


@dataclass(frozen=True)
class NewItem:
    """An item to be added; the same fields as `Item`."""

    key: str
    fields: Mapping[str, str]
    group: str = ""
    system: str = ""
    components: Sequence[Mapping[str, Any]] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


def add_items(*, study: Study, rows: Sequence[NewItem]) -> int:
    """Add items to a draft, or to a published study while it is loaded; all of them or none.

    Parameters
    ----------
    study : Study
        Where to.
    rows : sequence of NewItem
        In the order in which they are to stand.

    Returns
    -------
    int
        How many were added.

    Raises
    ------
    NotAllowedNow
        Raters are at work in the study.
    InvalidContent
        A key is empty, too long or doubled (`bad_item_key`).
    """
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=study.pk)
        if study.state != StudyState.DRAFT and not study.source:
            raise NotAllowedNow("Items are added to a draft only.", code="not_a_draft")
        _check_keys(study, rows)
        first = study.items.count()
        items = [
            Item(
                study=study,
                key=row.key,
                group=row.group,
                system=row.system,
                fields=dict(row.fields),
                components=[dict(part) for part in row.components],
                metadata=dict(row.metadata),
                position=first + place,
            )
            for place, row in enumerate(rows)
        ]
        Item.objects.bulk_create(items, batch_size=AT_ONCE)
    return len(items)


def _check_keys(study: Study, rows: Sequence[NewItem]) -> None:
    counts = Counter(row.key for row in rows)
    counts.update(study.items.values_list("key", flat=True))
    problems = {key: "stands there twice" for key, count in counts.items() if count > 1}
    problems |= {key: "is empty or longer than 120 characters" for key in counts if not 0 < len(key) <= 120}
    if problems:
        named = "; ".join(f"{key!r} {problem}" for key, problem in list(problems.items())[:10])
        raise InvalidContent(f"No item was added: {named}.", code="bad_item_key", fields=problems)


def make_seats(*, study: Study) -> int:
    """Make the seats that are missing: for each form and item as many as the form's overlap.

    Parameters
    ----------
    study : Study
        Its seed orders items that are equally served.

    Returns
    -------
    int
        How many were made; seats that exist stay as they are.
    """
    wanted = []
    with transaction.atomic():
        items = list(study.items.order_by("position", "pk").only("pk", "key"))
        for form in study.forms.all():
            taken = set(form.seats.values_list("item_id", "slot"))
            for item, slot in product(items, range(1, form.overlap + 1)):
                if (item.pk, slot) not in taken:
                    drawn = random.Random(f"{study.seed}/{form.key}/{item.key}/{slot}").randrange(2**31)
                    wanted.append(Seat(form=form, item=item, slot=slot, shuffle=drawn))
        Seat.objects.bulk_create(wanted, batch_size=AT_ONCE)
    return len(wanted)
