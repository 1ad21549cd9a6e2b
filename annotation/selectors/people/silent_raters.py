"""Raters who began and have been inactive for days."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Count, Exists, Max, OuterRef, Q

from annotation.domain.base.states import Purpose, RaterState, SeatState, StudyState
from annotation.models import Exclusion, Rater, RaterKind, Seat, Study

SILENT_DAYS = 3


def silent_raters(study: Study, now: datetime) -> list[Rater]:
    """Raters of an open study who began, are not finished, and have been inactive for days, longest first.

    Each has the number of saved responses, `done`, the time of the newest, `last`, and whether rating slots
    are reserved, `holds_slots`. Excluded raters and simulated ones are left out.
    """
    if study.state != StudyState.OPEN or study.source:
        return []
    answered = Q(assignments__purpose=Purpose.MAIN, assignments__responses__current=True)
    excluded = Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)
    began = study.raters.filter(
        ~Exists(excluded), kind=RaterKind.PERSON, simulated=False, finished_at__isnull=True
    ).exclude(state__in=[RaterState.FAILED, RaterState.WITHDRAWN])
    counts = began.annotate(
        done=Count("assignments", filter=answered),
        last=Max("assignments__submitted_at", filter=answered),
        holds_slots=Exists(Seat.objects.filter(rater=OuterRef("pk"), state=SeatState.RESERVED)),
    )
    return list(counts.filter(last__lt=now - timedelta(days=SILENT_DAYS)).order_by("last", "code"))
