"""Who holds rating slots that are reserved and not answered."""

from __future__ import annotations

from django.db.models import Count, Max, Q, QuerySet

from annotation.domain.base.states import SeatState
from annotation.models import Rater, Seat, Study


def slot_holders(study: Study) -> QuerySet[Rater]:
    """Raters with reserved slots, those first who were active longest ago.

    Each has `n_reserved`, the number of slots, and `reserved_until`, when the last reservation ends. Slots
    whose reservation has ended are counted until another rater takes them.

    Parameters
    ----------
    study : Study
        The study of the raters.
    """
    reserved = Seat.objects.filter(form__study=study, state=SeatState.RESERVED)
    # Gathered once, by the state: otherwise databases read the slots of every rater.
    holding = study.raters.filter(pk__in=reserved.values("rater"))
    is_reserved = Q(seats__state=SeatState.RESERVED)
    counts = holding.annotate(
        n_reserved=Count("seats", filter=is_reserved), reserved_until=Max("seats__until", filter=is_reserved)
    )
    return counts.order_by("last_seen_at", "code")
