"""Who holds rating slots that are reserved and not answered."""

from __future__ import annotations

from django.db.models import Count, Max, QuerySet

from annotation.domain.base.states import SeatState
from annotation.models import Rater, Study


def slot_holders(study: Study) -> QuerySet[Rater]:
    """Raters with reserved slots, those first who were active longest ago.

    Each has `n_reserved`, the number of slots, and `reserved_until`, when the last reservation ends. Slots
    whose reservation has ended are counted until another rater takes them.

    Parameters
    ----------
    study : Study
        Their study.
    """
    holding = study.raters.filter(seats__state=SeatState.RESERVED)
    counts = holding.annotate(n_reserved=Count("seats"), reserved_until=Max("seats__until"))
    return counts.order_by("last_seen_at", "code")
