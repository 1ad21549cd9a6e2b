"""How many items of a form still have a free seat."""

from __future__ import annotations

from django.core.cache import caches

from annotation.domain.states import SeatState
from annotation.models import Form, Seat

MANY = 10_000
SECONDS = 10


def items_with_room(form: Form) -> int:
    """Items with a free seat, up to what one rater is given.

    Of more than `MANY` items this is as it was up to `SECONDS` ago: counting takes longer than all the rest
    of joining, and a rater is told it as what to expect, not promised it.

    Parameters
    ----------
    form : Form
        By which the items are rated.
    """
    if form.per_rater is not None or not Seat.objects.filter(form=form, slot=1)[MANY:].exists():
        return _counted(form)
    return int(caches["fragments"].get_or_set(f"room-{form.pk}", lambda: _counted(form), SECONDS) or 0)


def _counted(form: Form) -> int:
    items = Seat.objects.filter(form=form, state=SeatState.FREE).values("item").distinct()
    return items.count() if form.per_rater is None else items[: form.per_rater].count()
