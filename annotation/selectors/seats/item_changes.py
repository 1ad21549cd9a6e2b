"""What a change of items would do to their rating slots, counted before it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Max, Q, QuerySet

from annotation.domain.base.states import SeatState
from annotation.models import Form, Item, Seat, Study
from annotation.selectors.questions.counting import PROGRESS, counted
from annotation.selectors.seats.stages import admitted, feed_into


@dataclass(frozen=True)
class Consequence:
    """The items that change, the slots that come or go, reservations that end and responses that stay."""

    items: int
    slots: int
    reserved: int = 0
    responses: int = 0


def if_retired(study: Study, items: QuerySet[Item]) -> Consequence:
    """Count what retiring items would do.

    Parameters
    ----------
    study, items
        The study, and the chosen items; retired ones are left out.
    """
    chosen = items.filter(retired_at=None)
    states = Seat.objects.filter(item__in=chosen).aggregate(
        slots=Count("pk", filter=~Q(state=SeatState.FILLED)),
        reserved=Count("pk", filter=Q(state=SeatState.RESERVED)),
    )
    responses = counted(study, PROGRESS).filter(assignment__item__in=chosen).order_by().count()
    return Consequence(chosen.count(), states["slots"], states["reserved"], responses)


def if_restored(study: Study, items: QuerySet[Item]) -> Consequence:
    """Count what restoring retired items would do; stages are decided only when it is done.

    Parameters
    ----------
    study, items
        The study, and the chosen items; those that are not retired are left out.
    """
    chosen = items.filter(retired_at__isnull=False)
    slots = sum(
        max(form.overlap, high) - n
        for form in study.forms.filter(fed_by=None, pairing=None)
        for n, high in _slots(form, chosen).values()
    )
    return Consequence(chosen.count(), slots)


def if_raised(study: Study, items: QuerySet[Item], form: Form, to: int) -> Consequence:
    """Count the slots that a higher number of ratings per item would create.

    Parameters
    ----------
    study, items
        The study, and the chosen items; retired ones are left out.
    form : Form
        The form with the ratings.
    to : int
        The new number of ratings per item.
    """
    chosen = items.filter(retired_at=None)
    feed = feed_into(study, form.pk)
    if feed is not None:
        chosen = chosen.filter(pk__in=admitted(study, feed))
    missing = [to - n for n, _ in _slots(form, chosen).values() if n < to]
    return Consequence(len(missing), sum(missing))


def _slots(form: Form, items: QuerySet[Item]) -> Mapping[int, tuple[int, int]]:
    """By item, how many slots of a form it has, and the highest number of them."""
    seats = Seat.objects.filter(form=form, item__in=items).order_by().values("item")
    rows = seats.annotate(n=Count("pk"), high=Max("slot")).values_list("item", "n", "high")
    have = {item: (n, high) for item, n, high in rows}
    return {pk: have.get(pk, (0, 0)) for pk in items.values_list("pk", flat=True)}
