"""Pages that fill all rating slots that are not filled, with the checks among them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.states import DesignKind, SeatState, StudyState
from annotation.domain.seats.designs import Plan
from annotation.models import Seat, Study
from annotation.selectors.pay.workload_preview import planned_work
from annotation.selectors.people.of_study import begun_raters


@dataclass(frozen=True)
class PagesToCome:
    """Pages that have to be saved until the last rating slot is filled.

    How many checks come depends on how many raters share the slots: `expected` assumes the raters of the
    plan, or those who have begun where they are more; `most` holds for any number of raters.
    """

    expected: int
    most: int


def pages_to_come(study: Study) -> PagesToCome | None:
    """Pages of items and of checks to come; None while the assignment design is not possible.

    Parameters
    ----------
    study : Study
        In any state; in a draft all slots are to come, in a closed study none.
    """
    if study.state == StudyState.CLOSED:
        return PagesToCome(0, 0)
    if study.state == StudyState.DRAFT:
        planned = _planned(study)
        if planned is None:
            return None
        most = _most_checks(study, planned.seats)
        return PagesToCome(planned.seats + planned.checks, planned.seats + max(planned.checks, most))
    seats = Seat.objects.filter(form__study=study).exclude(state=SeatState.FILLED)
    number = seats.count()
    if study.design == DesignKind.BATCHES:
        checks = _open_batches(seats) if study.checks.exists() else 0
        return PagesToCome(number + checks, number + checks)
    most = _most_checks(study, number)
    return PagesToCome(number + _expected_checks(study, number, most), number + most)


def _expected_checks(study: Study, seats: int, most: int) -> int:
    """The plan's checks, in the proportion of the slots that are not filled."""
    planned = _planned(study) if most else None
    if planned is None or not planned.seats:
        return most
    begun = begun_raters(study).count()
    if begun > planned.raters_needed.raters:
        planned = planned_work(study, raters=begun)
    return min(most, math.ceil(planned.checks * seats / planned.seats))


def _planned(study: Study) -> Plan | None:
    try:
        return planned_work(study)
    except InvalidContent:
        return None


def _most_checks(study: Study, pages: int) -> int:
    """A check after every so many pages, as if one rater had them all and checks never ran out."""
    if study.design == DesignKind.BATCHES or not study.check_every or not study.checks.exists():
        return 0
    return pages // study.check_every


def _open_batches(seats: QuerySet[Seat]) -> int:
    """Batches that a rater has begun or will begin: each has one check."""
    return seats.values("batch", "slot").distinct().count()
