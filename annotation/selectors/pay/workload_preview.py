"""The workload preview of an assignment design, and items on which raters disagree."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal
from statistics import fmean
from typing import Any

import scipy

from annotation.domain.base.states import DesignKind, StudyState
from annotation.domain.pay.wages import PayFor
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.domain.seats.designs import CENT, Design, FormLoad, Plan, Work, panel_needs, plan
from annotation.domain.seats.shared_items import SharedItems, assign_evenly, connected_parts, shared_items
from annotation.domain.seats.stages import StagePeople
from annotation.models import Criterion, Form, Item, Pay, RaterKind, Rating, Seat, Study
from annotation.selectors.questions.counting import ON_SCALES, Counting, counted
from annotation.selectors.seats.stages import feeds_of
from annotation.selectors.seats.unfillable_seats import NOT_PARTICIPATING

MOST_SHOWN = 30
MOST_SHARED = 400
DEFAULT_SECONDS = 30.0


@dataclass(frozen=True)
class Panel:
    """The raters of one form: their number, and the number that it needs."""

    form: Form
    has: int
    needs: int


@dataclass(frozen=True)
class Preview:
    """A plan, and the raters' common pages if they are few enough to be counted.

    `cost` is by what the study pays, `currency` its currency; None and empty where that is not known. Of a
    study in stages (`staged`) the plan is the most there can be, as if every item came to the last; which
    pages raters have in common is not known before, nor is it with adaptive pairs. `slots` are those that the
    study has where they are not the plan's: items were added, retired or rated more often since it opened.
    """

    plan: Plan
    shared: SharedItems | None
    parts: int
    panels: tuple[Panel, ...] = ()
    cost: Decimal | None = None
    currency: str = ""
    staged: bool = False
    slots: int | None = None

    @property
    def connected(self) -> bool:
        return self.parts == 1

    @property
    def rows(self) -> list[tuple[str, tuple[int, ...]]]:
        """The map of common items, for as many raters as a page can show."""
        if self.shared is None or len(self.shared.raters) > MOST_SHOWN:
            return []
        return list(zip(self.shared.raters, self.shared.counts, strict=True))


def design_of(study: Study, *, seconds: float = DEFAULT_SECONDS) -> Design:
    """The design of a study as plain data; `seconds` is the expected time of one page."""
    excluded_sources = {
        feed.target_id: feed.source.key for feed in feeds_of(study) if feed.people != StagePeople.ANYBODY
    }
    forms = tuple(
        _load(form, seconds, excluded_sources.get(form.pk, ""))
        for form in study.forms.select_related("pairing")
    )
    return Design(
        kind=DesignKind(study.design),
        items=study.items.filter(retired_at=None).count(),
        forms=forms,
        batch_size=study.batch_size,
        batches_per_rater=study.batches_per_rater,
        mixed=study.mixed,
    )


def planned_work(study: Study, *, seconds: float = DEFAULT_SECONDS, raters: int | None = None) -> Plan:
    """The plan of a study with its checks; a panel that lacks raters is counted with the fewest it needs.

    Parameters
    ----------
    study : Study
        With its items and forms.
    seconds : float
        Expected time of one page, in seconds.
    raters : int or None
        How many are expected; by default the fewest who can do the work.

    Raises
    ------
    InvalidContent
        `design_impossible`.
    """
    design = _with_whole_panels(design_of(study, seconds=seconds))
    return plan(design, _work(study, seconds), raters=raters)


def preview_of(
    study: Study,
    *,
    raters: int | None = None,
    seconds: float | None = None,
    per_hour: Decimal | None = None,
    pay: Pay | None = None,
    items: int | None = None,
) -> Preview:
    """What the study will assign, how long it takes and what it costs.

    A panel that lacks raters is counted with the fewest it needs.

    Parameters
    ----------
    study : Study
        With its items and forms.
    raters : int or None
        How many are expected; by default the fewest who can do the work.
    seconds : float or None
        Expected time of one page; by default that of `pay`.
    per_hour : Decimal or None
        Pay per hour.
    pay : Pay or None
        What the study pays, for those who may know it; it gives the cost where `per_hour` does not.
    items : int or None
        How many items are expected; by default those of the study.

    Raises
    ------
    InvalidContent
        `design_impossible`.
    """
    seconds = seconds or expected_seconds(pay)
    design = design_of(study, seconds=seconds)
    if items is not None:
        design = replace(design, items=items)
    panels: tuple[Panel, ...] = ()
    if design.kind is DesignKind.PANELS:
        panels = _panels(study, design)
        design = _with_whole_panels(design)
    planned = plan(design, _work(study, seconds, per_hour), raters=raters)
    staged = bool(feeds_of(study))
    shared, parts = None, 0
    adaptive = any(form.budget is not None for form in design.forms)
    if not staged and not adaptive and planned.raters and planned.raters <= MOST_SHARED:
        shared = shared_items(assign_evenly(design, seed=study.seed, raters=raters))
        parts = len(connected_parts(shared))
    cost = planned.cost if pay is None or per_hour is not None else _cost(planned, pay)
    slots = _slots(study) if items is None and not staged and not adaptive else None
    if slots == planned.seats:
        slots = None
    currency = pay.currency if pay else ""
    return Preview(planned, shared, parts, panels, cost, currency, staged, slots)


def _slots(study: Study) -> int | None:
    """The rating slots of a study that has opened."""
    if study.state == StudyState.DRAFT or study.source or study.design == DesignKind.ALL:
        return None
    return Seat.objects.filter(form__study=study).count()


def expected_seconds(pay: Pay | None) -> float:
    """The expected time of a page in the pay settings."""
    return DEFAULT_SECONDS if pay is None or pay.page_seconds is None else pay.page_seconds


@dataclass(frozen=True)
class Disputed:
    """An item with its ratings of one criterion: n, mean, range, and the width of the mean's 95% CI."""

    item: int
    key: str
    n: int
    mean: float
    spread: float
    width: float

    @property
    def has_interval(self) -> bool:
        return not math.isnan(self.width)


def disputed_items(study: Study, criterion: str) -> list[Disputed]:
    """Every item rated on a Likert criterion, those on which raters disagree most first.

    The interval of a mean is that of the item's page: by the spread within items, pooled over all items.
    Late ratings and trials are left out.
    """
    ratings = Rating.objects.filter(
        response__in=counted(study, Counting.in_statistics(study, yields=ON_SCALES)),
        criterion__key=criterion,
        value__isnull=False,
    ).values_list("response__assignment__item", "response__assignment__item__key", "value")
    values: dict[tuple[int, str], list[float]] = defaultdict(list)
    for item, key, value in ratings:
        if value is not None:
            values[item, key].append(value)
    half = _half_width(list(values.values()))
    found = [_disputed(item, key, given, half) for (item, key), given in values.items()]
    return sorted(found, key=lambda one: (-one.spread, -_sortable(one.width), one.key))


def number_criteria(study: Study) -> dict[str, str]:
    """The criteria of a study whose answers are numbers.

    Parameters
    ----------
    study : Study
        Any study.

    Returns
    -------
    dict of str to str
        From the key to the name in the newest version that has the criterion, in the order of the forms.
    """
    criteria = Criterion.objects.filter(version__form__study=study, kind__in=keys_yielding(Yields.NUMBER))
    rows = list(
        criteria.order_by("version__form__position", "position").values_list(
            "version__number", "version__correction", "key", "name"
        )
    )
    newest = {key: name for _, _, key, name in sorted(rows)}
    return {key: newest[key] for _, _, key, _ in rows}


def items_by_pk(study: Study, chosen: Sequence[Disputed]) -> Any:
    """The items of a selection."""
    return Item.objects.filter(study=study, pk__in=[one.item for one in chosen])


def _load(form: Form, seconds: float, excludes_raters_of: str) -> FormLoad:
    people = form.panel.filter(kind=RaterKind.PERSON).exclude(state__in=NOT_PARTICIPATING)
    panel = tuple(people.order_by("code").values_list("code", flat=True))
    pairing = getattr(form, "pairing", None)
    return FormLoad(
        form.key,
        form.overlap,
        form.per_rater,
        seconds=seconds,
        panel=panel,
        excludes_raters_of=excludes_raters_of,
        budget=None if pairing is None else pairing.budget,
    )


def _panels(study: Study, design: Design) -> tuple[Panel, ...]:
    loads = zip(study.forms.all(), design.forms, strict=True)
    return tuple(Panel(form, len(load.panel), panel_needs(design, load)) for form, load in loads)


def _work(study: Study, seconds: float, per_hour: Decimal | None = None) -> Work:
    checks = study.checks.count()
    return Work(checks=checks, check_every=study.check_every, check_seconds=seconds, pay_per_hour=per_hour)


def _with_whole_panels(design: Design) -> Design:
    if design.kind is not DesignKind.PANELS:
        return design
    return replace(design, forms=tuple(_filled(design, form) for form in design.forms))


def _filled(design: Design, form: FormLoad) -> FormLoad:
    """A panel filled with future raters up to the minimum number that it needs."""
    to_come = range(len(form.panel) + 1, panel_needs(design, form) + 1)
    return replace(form, panel=(*form.panel, *(f"{form.key} {number}" for number in to_come)))


def _cost(planned: Plan, pay: Pay) -> Decimal | None:
    """The cost at the study's pay rate; the number of sessions is not known."""
    units = {PayFor.PAGE: planned.seats + planned.checks, PayFor.RATER: planned.raters}
    number = units.get(PayFor(pay.paid_for))
    return None if number is None else (pay.amount * number).quantize(CENT, rounding=ROUND_CEILING)


def _half_width(by_item: Sequence[Sequence[float]]) -> float:
    """Half the width of the 95% CI of one rating, from the variance within items; NaN if no item has two."""
    degrees = sum(len(given) - 1 for given in by_item)
    if not degrees:
        return math.nan
    squares = sum((value - fmean(given)) ** 2 for given in by_item for value in given)
    return float(scipy.stats.t.ppf(0.975, degrees)) * math.sqrt(squares / degrees)


def _disputed(item: int, key: str, given: Sequence[float], half: float) -> Disputed:
    width = 2 * half / math.sqrt(len(given))
    return Disputed(item, key, len(given), fmean(given), max(given) - min(given), width)


def _sortable(width: float) -> float:
    return 0.0 if math.isnan(width) else width
