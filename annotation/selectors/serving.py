"""What a study will hand out, for the preview of its design; and items on which raters disagree."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean, stdev
from typing import Any

from scipy import stats

from annotation.domain.designs import Design, DesignKind, FormLoad, Plan, Work, plan
from annotation.domain.sharing import SharedItems, connected_parts, hand_out, shared_items
from annotation.domain.stages import StagePeople
from annotation.models import Criterion, Item, Rating, Study
from annotation.selectors.progress import counted
from annotation.selectors.stages import feeds_of

MOST_SHOWN = 30
MOST_SHARED = 400
DEFAULT_SECONDS = 30.0


@dataclass(frozen=True)
class Preview:
    """A plan, and the raters' common items where they are few enough to be counted.

    Of a study in stages the plan is the most there can be, as if every item came to the last; which items
    raters have in common is not known before.
    """

    plan: Plan
    shared: SharedItems | None
    parts: int
    staged: bool = False

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
    """The design of a study as plain data.

    Parameters
    ----------
    study : Study
        With its items and forms.
    seconds : float
        Expected time of one page.
    """
    apart = {
        feed.target_id: feed.source.key for feed in feeds_of(study) if feed.people != StagePeople.ANYBODY
    }
    forms = tuple(
        FormLoad(
            key=form.key,
            overlap=form.overlap,
            per_rater=form.per_rater if study.design in {DesignKind.POOL, DesignKind.PANELS} else None,
            seconds=seconds,
            panel=tuple(form.panel.order_by("code").values_list("code", flat=True)),
            apart_from=apart.get(form.pk, ""),
        )
        for form in study.forms.all()
    )
    return Design(
        kind=DesignKind(study.design),
        items=study.items.count(),
        forms=forms,
        batch_size=study.batch_size,
        batches_per_rater=study.batches_per_rater,
        mixed=study.mixed,
    )


def preview_of(
    study: Study, *, raters: int | None = None, seconds: float = DEFAULT_SECONDS, pay: Decimal | None = None
) -> Preview:
    """What the study will hand out, how long it takes and what it costs.

    Parameters
    ----------
    study : Study
        With its items and forms.
    raters : int or None
        How many are expected; the fewest that can do it where not given.
    seconds : float
        Expected time of one page.
    pay : Decimal or None
        Pay per hour.

    Raises
    ------
    InvalidContent
        `design_impossible`.
    """
    design = design_of(study, seconds=seconds)
    planned = plan(design, Work(pay_per_hour=pay), raters=raters)
    staged = bool(feeds_of(study))
    if staged or not planned.raters or planned.raters > MOST_SHARED:
        return Preview(planned, None, 0, staged)
    shared = shared_items(hand_out(design, seed=study.seed, raters=raters))
    return Preview(planned, shared, len(connected_parts(shared)))


@dataclass(frozen=True)
class Disputed:
    """An item with its ratings of one criterion: n, mean, range, and the width of the mean's interval."""

    item: int
    key: str
    n: int
    mean: float
    spread: int
    width: float


def disputed_items(study: Study, criterion: str) -> list[Disputed]:
    """Every item that is rated on a criterion, those on which raters disagree most first.

    Parameters
    ----------
    study : Study
        Whose ratings; late ones and trials are left out.
    criterion : str
        Key of a Likert criterion.
    """
    ratings = Rating.objects.filter(
        response__in=counted(study), criterion__key=criterion, value__isnull=False
    ).values_list("response__assignment__item", "response__assignment__item__key", "value")
    values: dict[tuple[int, str], list[int]] = defaultdict(list)
    for item, key, value in ratings:
        if value is not None:
            values[item, key].append(value)
    found = [_disputed(item, key, given) for (item, key), given in values.items()]
    return sorted(found, key=lambda one: (-one.spread, -_sortable(one.width), one.key))


def likert_keys(study: Study) -> list[str]:
    """Keys of the study's Likert criteria, in the order of its forms."""
    keys = Criterion.objects.filter(version__form__study=study, kind="likert")
    return list(
        dict.fromkeys(keys.order_by("version__form__position", "position").values_list("key", flat=True))
    )


def items_by_pk(study: Study, chosen: Sequence[Disputed]) -> Any:
    """The items of a selection."""
    return Item.objects.filter(study=study, pk__in=[one.item for one in chosen])


def _disputed(item: int, key: str, given: Sequence[int]) -> Disputed:
    n = len(given)
    width = math.nan
    if n > 1:
        width = 2 * float(stats.t.ppf(0.975, n - 1)) * stdev(given) / math.sqrt(n)
    return Disputed(item, key, n, fmean(given), max(given) - min(given), width)


def _sortable(width: float) -> float:
    return 0.0 if math.isnan(width) else width
