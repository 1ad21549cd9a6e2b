"""How far a study is: counts for its overview, each from one query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from statistics import median
from typing import Any

from django.db.models import Count, Max, Q
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotation.domain.states import SEQUENCE, Purpose, RaterState, SeatState, StudyState
from annotation.models import Exclusion, Rater, RaterKind, Seat, Study
from annotation.selectors.questions.counting import PROGRESS, counted, submitted

SILENT_DAYS = 3
DAYS_SHOWN = 14


@dataclass(frozen=True)
class Totals:
    """Responses that count, and how many the study needs."""

    saved: int
    needed: int
    left: int = 0

    @property
    def placed(self) -> int:
        """Those that fill a seat."""
        return self.needed - self.left

    @property
    def beyond(self) -> int:
        """Those that no item needed: more were imported than the form asks for."""
        return max(0, self.saved - self.placed)

    @property
    def percent(self) -> int:
        return int(100 * self.placed / self.needed) if self.needed else 0


@dataclass(frozen=True)
class Cover:
    """How many items have so many responses."""

    responses: int
    items: int
    start: float
    share: float


def totals(study: Study) -> Totals:
    """Responses saved, of those that all items together need; `left` are the seats not filled yet."""
    count = counted(study, PROGRESS).count()
    if study.source or study.state == StudyState.DRAFT:
        return Totals(saved=count, needed=count)
    seats = Seat.objects.filter(form__study=study).aggregate(
        all=Count("pk"), left=Count("pk", filter=~Q(state=SeatState.FILLED))
    )
    return Totals(saved=count, needed=seats["all"], left=seats["left"])


def coverage(study: Study) -> list[Cover]:
    """Items by responses received, most first; shares add up to 100."""
    n_items = study.items.count()
    if not n_items:
        return []
    per_item = (
        counted(study, PROGRESS)
        .values_list("assignment__item")
        .annotate(n=Count("pk"))
        .values_list("n", flat=True)
    )
    counts = Counter(per_item)
    counts[0] = n_items - sum(counts.values())
    covers, start = [], 0.0
    for responses in sorted(counts, reverse=True):
        if counts[responses]:
            share = 100 * counts[responses] / n_items
            covers.append(Cover(responses, counts[responses], round(start, 2), round(share, 2)))
            start += share
    return covers


def per_day(study: Study) -> list[tuple[date, int]]:
    """Responses saved on each of the last days that had any, gaps filled with 0."""
    found = dict(
        submitted(study)
        .filter(late=False)
        .filter(submitted_at__isnull=False)
        .annotate(day=TruncDate("submitted_at"))
        .values_list("day")
        .annotate(n=Count("pk"))
        .order_by("day")
    )
    if not found:
        return []
    last = max(found)
    first = max(min(found), last - timedelta(days=DAYS_SHOWN - 1))
    return [
        (first + timedelta(days=step), found.get(first + timedelta(days=step), 0))
        for step in range((last - first).days + 1)
    ]


def rater_rows(study: Study) -> list[dict[str, Any]]:
    """One row a rater: state, answers, how far of all pages, median seconds, last seen, excluded or not."""
    answered = Q(assignments__purpose=Purpose.MAIN, assignments__responses__current=True)
    cannot = ~Q(assignments__responses__cannot_rate="")
    walked = Q(assignments__purpose__in=SEQUENCE, assignments__submitted_at__isnull=False)
    raters = (
        Rater.objects.filter(study=study)
        .exclude(kind=RaterKind.TRIAL)
        .annotate(
            done=Count("assignments", filter=answered, distinct=True),
            walked=Count("assignments", filter=walked, distinct=True),
            cannot=Count("assignments__responses", filter=answered & cannot, distinct=True),
            last=Max("assignments__submitted_at", filter=answered),
        )
        .order_by("code")
    )
    seconds = _median_seconds(study)
    excluded = set(
        Exclusion.objects.filter(study=study, rater__isnull=False, lift__isnull=True).values_list(
            "rater", flat=True
        )
    )
    return [
        {
            "rater": rater,
            "done": rater.done,
            "cannot": rater.cannot,
            "last": rater.last,
            "seconds": seconds.get(rater.pk),
            "excluded": rater.pk in excluded,
            "silent": _silent(study, rater, rater.last),
            "percent": _percent(rater),
        }
        for rater in raters
    ]


def _percent(rater: Any) -> int | None:
    """How far somebody is on the way they were told of, checks included; None where none was."""
    if rater.state == RaterState.FINISHED:
        return 100
    return round(100 * rater.walked / max(rater.target, rater.walked)) if rater.target else None


def items_lacking_context(study: Study) -> Sequence[Mapping[str, Any]]:
    """Items that two or more raters could not rate."""
    return list(
        counted(study, PROGRESS)
        .exclude(cannot_rate="")
        .values("assignment__item__key")
        .annotate(n=Count("pk"))
        .filter(n__gte=2)
        .order_by("-n", "assignment__item__key")[:5]
    )


def held_seats(study: Study) -> int:
    """Seats that raters hold now without having answered."""
    return Seat.objects.filter(form__study=study, state=SeatState.RESERVED).count()


def _median_seconds(study: Study) -> dict[int, float]:
    found: dict[int, list[float]] = {}
    timed = submitted(study).filter(late=False).filter(seconds__isnull=False)
    for rater, seconds in timed.values_list("assignment__rater", "seconds"):
        if seconds is not None:
            found.setdefault(rater, []).append(seconds)
    return {rater: median(values) for rater, values in found.items()}


def _silent(study: Study, rater: Rater, last: datetime | None) -> bool:
    """Began, has items left, and has not been seen for days."""
    if study.state != StudyState.OPEN or last is None or rater.finished_at or rater.simulated:
        return False
    return timezone.now() - last > timedelta(days=SILENT_DAYS)
