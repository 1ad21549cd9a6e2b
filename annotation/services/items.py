"""Items of a study, and their seats."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation.domain.errors import InvalidContent, NotAllowedNow
from annotation.domain.states import Purpose, SeatState, StudyState
from annotation.models import Assignment, Item, Seat, Study

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

    An item that came with imported ratings and has no text yet is given its texts.

    Parameters
    ----------
    study : Study
        Where to.
    rows : sequence of NewItem
        In the order in which they are to stand.

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
        study = Study.objects.select_for_update().get(pk=study.pk)
        if study.state != StudyState.DRAFT and not study.source:
            raise NotAllowedNow("Items are added to a draft only.", code="not_a_draft")
        waiting = {item.key: item for item in items_without_text(study=study)}
        _check_keys(study, rows, waiting)
        _give_texts(waiting, [row for row in rows if row.key in waiting])
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
            for place, row in enumerate([row for row in rows if row.key not in waiting])
        ]
        Item.objects.bulk_create(items, batch_size=AT_ONCE)
    return len(rows)


def items_without_text(*, study: Study) -> QuerySet[Item]:
    """Items of which nothing is known but their ratings."""
    return study.items.filter(fields={})


def _give_texts(waiting: Mapping[str, Item], rows: Sequence[NewItem]) -> None:
    differing = {}
    for row in rows:
        item = waiting[row.key]
        for name, here, stored in (("group", row.group, item.group), ("system", row.system, item.system)):
            if here and stored and here != stored:
                differing[row.key] = f"{name} is {here!r} here, and {stored!r} in the imported ratings"
        item.group, item.system = item.group or row.group, item.system or row.system
        item.fields, item.metadata = dict(row.fields), dict(row.metadata)
        item.components = [dict(part) for part in row.components]
    if differing:
        named = "; ".join(f"{key!r}: {problem}" for key, problem in list(differing.items())[:10])
        raise InvalidContent(f"No item was added: {named}.", code="item_differs", fields=differing)
    changed = ["group", "system", "fields", "metadata", "components"]
    Item.objects.bulk_update([waiting[row.key] for row in rows], changed, batch_size=AT_ONCE)


def _check_keys(study: Study, rows: Sequence[NewItem], waiting: Mapping[str, Item]) -> None:
    counts = Counter(row.key for row in rows)
    counts.update(key for key in study.items.values_list("key", flat=True) if key not in waiting)
    problems = {key: "stands there twice" for key, count in counts.items() if count > 1}
    problems |= {key: "is empty or longer than 120 characters" for key in counts if not 0 < len(key) <= 120}
    if problems:
        named = "; ".join(f"{key!r} {problem}" for key, problem in list(problems.items())[:10])
        raise InvalidContent(f"No item was added: {named}.", code="bad_item_key", fields=problems)


def make_seats(*, study: Study) -> int:
    """Make the seats that are missing: for each form and item as many as the form's overlap.

    Answers that were imported take the first seats of their items.

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
        _seat_imported(study)
    return len(wanted)


def _seat_imported(study: Study) -> None:
    """Fill free seats with answers that count and have none, in the order of their assignments."""
    unseated = Assignment.objects.filter(
        item__study=study,
        purpose=Purpose.MAIN,
        seat=None,
        responses__current=True,
        responses__late=False,
    )
    free: dict[tuple[int, int], list[Seat]] = {}
    if unseated.exists():
        for seat in Seat.objects.filter(form__study=study, state=SeatState.FREE).order_by("-slot"):
            free.setdefault((seat.form_id, seat.item_id), []).append(seat)
    placed = []
    for assignment in unseated.order_by("pk"):
        seats = free.get((assignment.form_id, assignment.item_id))
        if seats:
            assignment.seat = seats.pop()
            assignment.seat.state, assignment.seat.rater_id = SeatState.FILLED, assignment.rater_id
            placed.append(assignment)
    Seat.objects.bulk_update(
        [assignment.seat for assignment in placed if assignment.seat], ["state", "rater"], batch_size=AT_ONCE
    )
    Assignment.objects.bulk_update(placed, ["seat"], batch_size=AT_ONCE)
