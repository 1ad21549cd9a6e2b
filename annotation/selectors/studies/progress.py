"""The progress of a study: counts for its overview, each from one query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from statistics import median
from typing import Any

from django.db.models import Count, Min, QuerySet
from django.db.models.functions import TruncDate

from annotation.domain.base.states import SEQUENCE, Purpose, RaterState, SeatState, StudyState
from annotation.domain.seats.forecast import Forecast, forecast_completion, window_days
from annotation.models import Assignment, Exclusion, Form, Rater, RaterKind, Response, Seat, Study
from annotation.selectors.people.answered import NOTHING_ANSWERED, Answered, answered_by_rater
from annotation.selectors.questions.counting import PROGRESS, counted, left_out, submitted

DAYS_SHOWN = 14
RATERS_NAMED = 100


@dataclass(frozen=True)
class Totals:
    """Included responses (`saved`), those the items need, and how many of these they have (`placed`).

    `closed` of the needed responses are excluded ones that fill a rating slot; raters saved `left_out`
    more, which are excluded or late.
    """

    saved: int
    needed: int
    placed: int
    closed: int = 0
    left_out: int = 0

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
        return int(100 * self.placed / self.needed) if self.needed else 0


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

    `saved` are the same items by the responses that raters saved, excluded and late ones too; empty where
    that is the same.
    """

    form: Form
    items: int
    excluded: int
    covers: Sequence[CoverageStep]
    saved: Sequence[CoverageStep] = ()


@dataclass(frozen=True)
class ItemResponses:
    """The included responses (`included`) and all that raters saved (`stored`), by form and item."""

    included: Mapping[tuple[int, int], int]
    stored: Mapping[tuple[int, int], int]


def item_responses(study: Study) -> ItemResponses:
    """Count the responses to each form about each item, in one query."""
    places = submitted(study).order_by().values_list("assignment__form", "assignment__item")
    counts = places.annotate(stored=Count("pk"), left=Count("pk", filter=left_out(study, PROGRESS)))
    rows = list(counts)
    return ItemResponses(
        included={(form, item): stored - left for form, item, stored, left in rows},
        stored={(form, item): stored for form, item, stored, _ in rows},
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
    saved = sum(responses.included.values())
    apart = sum(responses.stored.values()) - saved
    if study.source or study.state == StudyState.DRAFT:
        return Totals(saved, needed=saved, placed=saved, left_out=apart)
    known = coverage(study, responses) if covered is None else covered
    steps = [step for form in known for step in form.covers]
    needed = sum(step.items * step.needed for step in steps)
    placed = sum(step.items * min(step.responses, step.needed) for step in steps)
    open_seats = Seat.objects.filter(form__study=study).exclude(state=SeatState.FILLED)
    n_open = open_seats.exclude(item__in=_excluded_items(study)).count()
    return Totals(saved, needed, placed, closed=max(0, needed - placed - n_open), left_out=apart)


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
    included = counted(study, PROGRESS).filter(submitted_at__isnull=False).order_by()
    days = window_days(included.aggregate(first=Min("submitted_at"))["first"], now)
    recent = included.filter(submitted_at__gt=now - timedelta(days=days), submitted_at__lte=now)
    return forecast_completion(
        left=reached.left,
        unfillable=unfillable,
        days=days,
        responses=recent.count() if days else 0,
        now=now,
        paused=study.state == StudyState.PAUSED,
    )


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
    responses = responses or item_responses(study)
    received, stored = responses.included, responses.stored
    found = []
    for form, needs in _needs(study):
        shown = [(item, needed) for item, needed in needs.items() if item not in excluded]
        if needs:
            included = Counter((received.get((form.pk, item), 0), needed) for item, needed in shown)
            saved = Counter((stored.get((form.pk, item), 0), needed) for item, needed in shown)
            found.append(
                FormCoverage(
                    form,
                    items=len(shown),
                    excluded=len(needs) - len(shown),
                    covers=_covers(included),
                    saved=() if saved == included else _covers(saved),
                )
            )
    return found


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
        fed = set(study.forms.filter(fed_by__isnull=False).values_list("pk", flat=True))
        return [(form, {} if form.pk in fed else dict.fromkeys(items, form.overlap)) for form in forms]
    if study.source:
        rated = (
            submitted(study)
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


def rater_rows(study: Study, answered: Mapping[int, Answered] | None = None) -> list[dict[str, Any]]:
    """One row per rater: state, responses, progress, last seen, excluded or not; `seconds` is None.

    `add_seconds` fills the median time, which reads every response, for the rows that are shown.

    Parameters
    ----------
    study : Study
        The study.
    answered : mapping, optional
        The result of `answered_by_rater`, if known.
    """
    counts = answered_by_rater(study) if answered is None else answered
    walked = Assignment.objects.filter(
        rater__study=study, purpose__in=SEQUENCE, submitted_at__isnull=False
    ).order_by()
    pages = dict(walked.values_list("rater").annotate(n=Count("pk")))
    excluded = set(
        Exclusion.objects.filter(study=study, rater__isnull=False, lift__isnull=True).values_list(
            "rater", flat=True
        )
    )
    rows = []
    for rater in Rater.objects.filter(study=study).exclude(kind=RaterKind.TRIAL).order_by("code"):
        found = counts.get(rater.pk, NOTHING_ANSWERED)
        row = {
            "rater": rater,
            "done": found.done,
            "cannot": found.cannot,
            "last": found.last,
            "seconds": None,
        }
        percent = _percent(rater, pages.get(rater.pk, 0))
        rows.append({**row, "excluded": rater.pk in excluded, "percent": percent})
    return rows


def add_seconds(study: Study, rows: Sequence[dict[str, Any]]) -> None:
    """Fill in the median seconds of the raters of some rows of `rater_rows`."""
    found: dict[int, list[float]] = {}
    # With a few raters SQLite finds the answers by rater, unless the study of their items is asked for too.
    if len(rows) <= RATERS_NAMED:
        timed = Response.objects.filter(
            assignment__rater__in=[row["rater"].pk for row in rows],
            assignment__purpose=Purpose.MAIN,
            current=True,
        )
    else:
        timed = submitted(study)
    timed = timed.filter(late=False, seconds__isnull=False).order_by()
    for rater, seconds in timed.values_list("assignment__rater", "seconds"):
        if seconds is not None:
            found.setdefault(rater, []).append(seconds)
    for row in rows:
        values = found.get(row["rater"].pk)
        row["seconds"] = median(values) if values else None


def _percent(rater: Rater, walked: int) -> int | None:
    """Progress towards the announced number of pages, checks included; None without such a number."""
    if rater.state == RaterState.FINISHED:
        return 100
    return round(100 * walked / max(rater.target, walked)) if rater.target else None


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


def active_reservations(study: Study) -> int:
    """The number of rating slots reserved now."""
    return Seat.objects.filter(form__study=study, state=SeatState.RESERVED).count()
