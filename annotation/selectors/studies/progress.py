"""The progress of a study: counts for its overview, each from one query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from statistics import median
from typing import Any

from django.db.models import Count, Max, Min, Q, QuerySet
from django.utils import timezone

from annotation.domain.base.states import SEQUENCE, Purpose, RaterState, SeatState, StudyState
from annotation.domain.seats.forecast import WINDOW_DAYS, Forecast, forecast_completion, window_days
from annotation.models import Assignment, Exclusion, Form, Rater, RaterKind, Response, Seat, Study
from annotation.selectors.people.answered import NOTHING_ANSWERED, answered_by_rater
from annotation.selectors.questions.counting import PROGRESS, counted, left_out, submitted
from annotation.selectors.seats.pairing.progress import comparisons_to_come

DAYS_SHOWN = 14
RATERS_NAMED = 100


@dataclass(frozen=True)
class Totals:
    """Included responses (`saved`), those the items need, and how many of these they have (`placed`).

    `closed` of the needed responses are excluded ones that fill a rating slot; raters saved `left_out`
    more, which are excluded or late. `to_come` of the needed responses are comparisons that further rounds
    of adaptive pairs may ask for at most.
    """

    saved: int
    needed: int
    placed: int
    closed: int = 0
    left_out: int = 0
    to_come: int = 0

    @property
    def stored(self) -> int:
        """Responses that raters saved, whether they count or not."""
        return self.saved + self.left_out

    @property
    def left(self) -> int:
        return self.needed - self.placed

    @property
    def beyond(self) -> int:
        """Responses beyond the ratings per item, such as imported ones."""
        return self.saved - self.placed

    @property
    def percent(self) -> int:
        """The rounded share; 100 when nothing is left, and not before."""
        if self.placed >= self.needed:
            return 100 if self.needed else 0
        return min(99, round(100 * self.placed / self.needed))


@dataclass(frozen=True)
class CoverageStep:
    """The number of items with `responses` of `needed` included responses; a part of a bar."""

    responses: int
    needed: int
    items: int
    start: float
    share: float

    @property
    def level(self) -> str:
        """The level of its colour: `none`, `few`, `half` (or more, but not all), `all` or `more`."""
        if self.responses > self.needed:
            return "more"
        if self.responses == self.needed:
            return "all"
        if not self.responses:
            return "none"
        return "half" if 2 * self.responses >= self.needed else "few"


@dataclass(frozen=True)
class FormCoverage:
    """The items of one form by included responses (`covers`), most first; excluded items are only counted.

    `retired` of the items get no more ratings: they need the included responses they have. `saved` are the
    same items by the responses that raters saved, excluded and late ones too; empty where that is the same.
    """

    form: Form
    items: int
    excluded: int
    covers: Sequence[CoverageStep]
    saved: Sequence[CoverageStep] = ()
    retired: int = 0


@dataclass(frozen=True)
class ItemResponses:
    """All responses that raters saved (`stored`), and those of them that are not included (`left_out`).

    By form and item; where nothing is left out, the item is not in `left_out`.
    """

    stored: Mapping[tuple[int, int], int]
    left_out: Mapping[tuple[int, int], int]


def item_responses(study: Study) -> ItemResponses:
    """Count the responses to each form about each item, in one query."""
    given = submitted(study, whole=True).order_by()
    places = given.values_list("assignment__form", "assignment__item")
    counts = places.annotate(stored=Count("pk"), left=Count("pk", filter=left_out(study, PROGRESS)))
    rows = list(counts)
    return ItemResponses(
        stored={(form, item): stored for form, item, stored, _ in rows},
        left_out={(form, item): left for form, item, _, left in rows if left},
    )


def totals(
    study: Study, covered: Sequence[FormCoverage] | None = None, responses: ItemResponses | None = None
) -> Totals:
    """The saved responses, and those that the items need, excluded items left out.

    Parameters
    ----------
    study : Study
        The study.
    covered : sequence of FormCoverage, optional
        The result of `coverage`, if known.
    responses : ItemResponses, optional
        The result of `item_responses`, if known.
    """
    responses = responses or item_responses(study)
    left_out = sum(responses.left_out.values())
    saved = sum(responses.stored.values()) - left_out
    if study.source or study.state == StudyState.DRAFT:
        return Totals(saved, needed=saved, placed=saved, left_out=left_out)
    known = coverage(study, responses) if covered is None else covered
    steps = [step for form in known for step in form.covers]
    needed = sum(step.items * step.needed for step in steps)
    placed = sum(step.items * min(step.responses, step.needed) for step in steps)
    open_seats = Seat.objects.filter(form__study=study).exclude(state=SeatState.FILLED)
    n_open = open_seats.exclude(item__in=_excluded_items(study)).count()
    closed, to_come = max(0, needed - placed - n_open), comparisons_to_come(study)
    return Totals(saved, needed + to_come, placed, closed=closed, left_out=left_out, to_come=to_come)


def forecast(study: Study, reached: Totals, unfillable: int, now: datetime) -> Forecast | None:
    """When the study will have its responses; None for drafts, closed studies and published ratings.

    Parameters
    ----------
    study : Study
        The study.
    reached : Totals
        The result of `totals`.
    unfillable : int
        Open rating slots that no active rater may take.
    now : datetime
        The present time.
    """
    if study.source or study.state not in {StudyState.OPEN, StudyState.PAUSED}:
        return None
    included = counted(study, PROGRESS, whole=True).filter(submitted_at__isnull=False).order_by()
    days = _days_back(study, included, now)
    recent = included.filter(submitted_at__gt=now - timedelta(days=days), submitted_at__lte=now)
    return forecast_completion(
        left=reached.left,
        # The slots of excluded responses stay filled: no rater can answer them.
        unfillable=unfillable + reached.closed,
        days=days,
        responses=recent.count() if days else 0,
        now=now,
        paused=study.state == StudyState.PAUSED,
    )


def _days_back(study: Study, included: QuerySet[Response], now: datetime) -> int:
    """How many days a forecast looks back; the first response is looked for only in a study's first days."""
    before = now - timedelta(days=WINDOW_DAYS)
    is_new = study.opened_at is not None and study.opened_at > before
    if not is_new and included.filter(submitted_at__lte=before).exists():
        return WINDOW_DAYS
    return window_days(included.aggregate(first=Min("submitted_at"))["first"], now)


def coverage(study: Study, responses: ItemResponses | None = None) -> list[FormCoverage]:
    """The items of each form by their number of included responses.

    Forms without items are left out, such as a stage that no item has reached.

    Parameters
    ----------
    study : Study
        The study.
    responses : ItemResponses, optional
        The result of `item_responses`, if known.
    """
    excluded = set(_excluded_items(study))
    retired = set(study.items.filter(retired_at__isnull=False).values_list("pk", flat=True))
    responses = responses or item_responses(study)
    forms = [one for one in _needs(study) if one[1]]
    return [_coverage_of_form(*one, responses, excluded=excluded, retired=retired) for one in forms]


def _coverage_of_form(
    form: Form, needs: Mapping[int, int], responses: ItemResponses, *, excluded: Set[int], retired: Set[int]
) -> FormCoverage:
    stored, left_out = responses.stored, responses.left_out
    counts = {
        item: (stored.get((form.pk, item), 0), left_out.get((form.pk, item), 0), needed)
        for item, needed in needs.items()
        if item not in excluded
    }
    for item in retired & counts.keys():
        n_stored, n_left, needed = counts[item]
        counts[item] = (n_stored, n_left, min(needed, n_stored - n_left))
    n_asked, n_retired = len(counts), len(retired & counts.keys())
    counts = {item: of_item for item, of_item in counts.items() if of_item[2]}
    saved = Counter((n, needed) for n, _, needed in counts.values())
    included = Counter((n - left, needed) for n, left, needed in counts.values())
    return FormCoverage(
        form,
        items=n_asked,
        excluded=len(needs) - n_asked,
        covers=_covers(included),
        saved=() if saved == included else _covers(saved),
        retired=n_retired,
    )


def _excluded_items(study: Study) -> QuerySet[Exclusion, Any]:
    """Return the keys of the items that are excluded."""
    named = Exclusion.objects.filter(study=study, item__isnull=False, lift__isnull=True)
    return named.values_list("item", flat=True)


def _needs(study: Study) -> list[tuple[Form, dict[int, int]]]:
    """The forms in order, each with the number of responses that its items need.

    An open study has a rating slot for each needed response; drafts and published ratings have none.
    """
    forms = list(study.forms.order_by("position", "pk"))
    needs: dict[int, dict[int, int]] = {form.pk: {} for form in forms}
    if study.state == StudyState.DRAFT:
        items = list(study.items.values_list("pk", flat=True))
        full = set(study.forms.filter(fed_by=None, pairing=None).values_list("pk", flat=True))
        return [(form, dict.fromkeys(items, form.overlap) if form.pk in full else {}) for form in forms]
    if study.source:
        rated = (
            submitted(study, whole=True)
            .filter(late=False)
            .order_by()
            .values_list("assignment__form", "assignment__item")
            .distinct()
        )
        overlaps = {form.pk: form.overlap for form in forms}
        for form_id, item in rated:
            needs[form_id][item] = overlaps[form_id]
    else:
        seats = Seat.objects.filter(form__study=study).order_by().values_list("form", "item")
        for form_id, item, n in seats.annotate(n=Count("pk")):
            needs[form_id][item] = n
    return [(form, needs[form.pk]) for form in forms]


def _covers(counts: Counter[tuple[int, int]]) -> list[CoverageStep]:
    """Most responses first; shares add up to 100."""
    covers, before, n_items = [], 0, counts.total()
    for (responses, needed), items in sorted(counts.items(), reverse=True):
        start, share = 100 * before / n_items, 100 * items / n_items
        covers.append(CoverageStep(responses, needed, items, round(start, 2), round(share, 2)))
        before += items
    return covers


def per_day(study: Study) -> list[tuple[date, int]]:
    """Responses saved on each of the last days that had any, gaps filled with 0."""
    given = submitted(study, whole=True).filter(late=False, submitted_at__isnull=False).order_by()
    ends = given.aggregate(first=Min("submitted_at"), last=Max("submitted_at"))
    if ends["last"] is None:
        return []
    first, last = (timezone.localdate(end) for end in (ends["first"], ends["last"]))
    first = max(first, last - timedelta(days=DAYS_SHOWN - 1))
    days = [first + timedelta(days=step) for step in range((last - first).days + 1)]
    # All by their ends in one reading: SQLite computes the date of a response in Python.
    numbers = given.filter(submitted_at__gte=_midnight(first)).aggregate(
        **{f"day{n}": Count("pk", filter=_saved_on(day)) for n, day in enumerate(days)}
    )
    return [(day, numbers[f"day{n}"]) for n, day in enumerate(days)]


def _saved_on(day: date) -> Q:
    return Q(submitted_at__gte=_midnight(day), submitted_at__lt=_midnight(day + timedelta(days=1)))


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def listed_raters(study: Study) -> QuerySet[Rater]:
    """The raters that lists have a row for, by code; members who try the rating are left out."""
    return study.raters.exclude(kind=RaterKind.TRIAL).order_by("code")


def rater_rows(study: Study, raters: Sequence[Rater] | None = None) -> list[dict[str, Any]]:
    """One row per rater: state, responses, progress, last seen, median time, excluded or not.

    Parameters
    ----------
    study : Study
        The study.
    raters : sequence of Rater, optional
        The raters of the rows, such as those of a page; without them all `listed_raters`. With up to
        `RATERS_NAMED` of them, nothing of others is read.
    """
    people = list(listed_raters(study)) if raters is None else list(raters)
    named = people if len(people) <= RATERS_NAMED else None
    counts = answered_by_rater(study, named)
    walked = Assignment.objects.filter(purpose__in=SEQUENCE, submitted_at__isnull=False).order_by()
    walked = walked.filter(rater__study=study) if named is None else walked.filter(rater__in=named)
    pages = dict(walked.values_list("rater").annotate(n=Count("pk")))
    excluded, seconds = excluded_raters(study), median_seconds(study, named)
    rows = []
    for rater in people:
        found = counts.get(rater.pk, NOTHING_ANSWERED)
        row = {
            "rater": rater,
            "done": found.done,
            "cannot": found.cannot,
            "last": found.last,
            "seconds": seconds.get(rater.pk),
        }
        percent = _percent(rater, pages.get(rater.pk, 0))
        rows.append({**row, "excluded": rater.pk in excluded, "percent": percent})
    return rows


def excluded_raters(study: Study) -> frozenset[int]:
    """The keys of the raters who are excluded."""
    active = Exclusion.objects.filter(study=study, rater__isnull=False, lift__isnull=True)
    return frozenset(active.order_by().values_list("rater", flat=True))


def median_seconds(study: Study, raters: Sequence[Rater] | None = None) -> dict[int, float]:
    """The median seconds of raters by key, those without a time left out.

    Parameters
    ----------
    study : Study
        The study. All of its responses are read, one by one.
    raters : sequence of Rater, optional
        Only the responses of these are read.
    """
    found: dict[int, list[float]] = {}
    # With a few raters SQLite finds the answers by rater, unless the study of their items is asked for too.
    if raters is not None:
        timed = Response.objects.filter(
            assignment__rater__in=[one.pk for one in raters],
            assignment__purpose=Purpose.MAIN,
            current=True,
        )
    else:
        timed = submitted(study, whole=True)
    timed = timed.filter(late=False, seconds__isnull=False).order_by()
    for rater, seconds in timed.values_list("assignment__rater", "seconds"):
        if seconds is not None:
            found.setdefault(rater, []).append(seconds)
    return {rater: median(values) for rater, values in found.items()}


def _percent(rater: Rater, walked: int) -> int | None:
    """Progress towards the announced number of pages, checks included; None without such a number."""
    if rater.state == RaterState.FINISHED:
        return 100
    return round(100 * walked / max(rater.target, walked)) if rater.target else None


def items_lacking_context(study: Study) -> Sequence[Mapping[str, Any]]:
    """Items that two or more raters could not rate."""
    return list(
        counted(study, PROGRESS, whole=True)
        .exclude(cannot_rate="")
        .values("assignment__item__key")
        .annotate(n=Count("pk"))
        .filter(n__gte=2)
        .order_by("-n", "assignment__item__key")[:5]
    )


def active_reservations(study: Study) -> int:
    """The number of rating slots reserved now."""
    return Seat.objects.filter(form__study=study, state=SeatState.RESERVED).count()
