"""Raters who began and have been inactive for days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Count, Exists, Max, OuterRef, Q

from annotation.domain.base.states import Purpose, RaterState, SeatState, StudyState
from annotation.models import Assignment, Exclusion, Rater, RaterKind, Seat, Study

SILENT_DAYS = 3


def silent_raters(study: Study, now: datetime) -> list[Rater]:
    """Raters of an open study who began, are not finished, and have been inactive for days, longest first.

    Each has the time of the newest response, `last`. Excluded raters and simulated ones are left out. No
    response is read, only when pages were saved.

    Parameters
    ----------
    study, now
        The study, and the present time.
    """
    if study.state != StudyState.OPEN or study.source:
        return []
    before = now - timedelta(days=SILENT_DAYS)
    silent = {pk: last for pk, last in _newest(study).items() if last < before}
    if not silent:
        return []
    excluded = Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)
    began = study.raters.filter(
        ~Exists(excluded), kind=RaterKind.PERSON, simulated=False, finished_at__isnull=True
    ).exclude(state__in=[RaterState.FAILED, RaterState.WITHDRAWN])
    found = [one for one in began if one.pk in silent]
    for one in found:
        # The column that a query would add.
        vars(one).update(last=silent[one.pk])
    return sorted(found, key=lambda one: (silent[one.pk], one.code))


def with_numbers(raters: Sequence[Rater]) -> Sequence[Rater]:
    """The raters that a page shows, with their saved responses, `done`, and whether they hold slots.

    `holds_slots` says whether rating slots are reserved for them.
    """
    saved = Q(assignments__purpose=Purpose.MAIN, assignments__responses__current=True)
    held = Seat.objects.filter(rater=OuterRef("pk"), state=SeatState.RESERVED)
    found = Rater.objects.filter(pk__in=[one.pk for one in raters]).annotate(
        done=Count("assignments__responses", filter=saved), holds_slots=Exists(held)
    )
    numbers = {pk: (done, holds) for pk, done, holds in found.values_list("pk", "done", "holds_slots")}
    for one in raters:
        done, holds = numbers.get(one.pk, (0, False))
        vars(one).update(done=done, holds_slots=holds)
    return raters


def _newest(study: Study) -> dict[int, datetime]:
    """When each rater saved a page of the main task last."""
    saved = Assignment.objects.filter(
        rater__study=study, purpose=Purpose.MAIN, submitted_at__isnull=False
    ).order_by()
    return dict(saved.values_list("rater").annotate(newest=Max("submitted_at")))
