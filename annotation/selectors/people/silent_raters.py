"""Raters who began and have been inactive for days."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from annotation.domain.base.states import RaterState, SeatState, StudyState
from annotation.models import Exclusion, Rater, RaterKind, Seat, Study
from annotation.selectors.people.answered import Answered, answered_by_rater

SILENT_DAYS = 3


def silent_raters(study: Study, now: datetime, answered: Mapping[int, Answered] | None = None) -> list[Rater]:
    """Raters of an open study who began, are not finished, and have been inactive for days, longest first.

    Each has the number of saved responses, `done`, the time of the newest, `last`, and whether rating slots
    are reserved, `holds_slots`. Excluded raters and simulated ones are left out.

    Parameters
    ----------
    study, now
        The study, and the present time.
    answered : mapping, optional
        The result of `answered_by_rater`, if known.
    """
    if study.state != StudyState.OPEN or study.source:
        return []
    counts = answered_by_rater(study) if answered is None else answered
    before = now - timedelta(days=SILENT_DAYS)
    silent = {pk: one.last for pk, one in counts.items() if one.last is not None and one.last < before}
    if not silent:
        return []
    excluded = Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)
    began = study.raters.filter(
        ~Exists(excluded), kind=RaterKind.PERSON, simulated=False, finished_at__isnull=True
    ).exclude(state__in=[RaterState.FAILED, RaterState.WITHDRAWN])
    held = Seat.objects.filter(rater=OuterRef("pk"), state=SeatState.RESERVED)
    found = [one for one in began.annotate(holds_slots=Exists(held)) if one.pk in silent]
    for one in found:
        # The columns that a query would add.
        vars(one).update(done=counts[one.pk].done, last=silent[one.pk])
    return sorted(found, key=lambda one: (silent[one.pk], one.code))
