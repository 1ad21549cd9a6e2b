"""Whether the free rating slots of a form are few for the raters at work: then reservations are shorter."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q, Sum, Value
from django.db.models.functions import Coalesce, Least

from annotation.domain.base.states import RaterState, SeatState
from annotation.models import RaterKind, Seat, Study


def are_few(study: Study, form_id: int, now: datetime) -> bool:
    """Whether the raters at work could take all free slots of a form before a usual reservation ends.

    A rater is at work who joined or saved a response within the usual reservation time and is not finished. A
    rater is taken to need a minute for an item, and gets no more than the number announced to them.

    Parameters
    ----------
    study, form_id
        The study, and the form whose slots are counted, with those whose reservation has ended.
    now : datetime
        Present time.
    """
    usual = study.seat_minutes
    since = now - timedelta(minutes=usual)
    at_work = study.raters.filter(
        Q(last_seen_at__gte=since) | Q(consented_at__gte=since),
        kind=RaterKind.PERSON,
        finished_at__isnull=True,
    ).exclude(state__in=[RaterState.FAILED, RaterState.WITHDRAWN])
    each = Least(Coalesce("target", Value(usual)), Value(usual))
    could_take = at_work.aggregate(n=Sum(each))["n"] or usual
    open_now = Q(state=SeatState.FREE) | Q(state=SeatState.RESERVED, until__lt=now)
    # No more slots are counted than are needed for the comparison.
    return Seat.objects.filter(open_now, form=form_id)[:could_take].count() < could_take


def next_release(study: Study) -> datetime | None:
    """When the first of the reservations of a study ends; None where nothing is reserved."""
    held = Seat.objects.filter(form__study=study, state=SeatState.RESERVED)
    return held.filter(until__isnull=False).order_by("until").values_list("until", flat=True).first()
