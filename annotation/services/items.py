"""Seats of a study's items."""

from __future__ import annotations

import random
from itertools import product

from django.db import transaction

from annotation.models import Seat, Study

AT_ONCE = 1000


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
