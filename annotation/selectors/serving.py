"""What a study will hand out, for the preview of its design; and items on which raters disagree."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean
from typing import Any

from scipy import stats

from annotation.domain.designs import Design, DesignKind, FormLoad, Plan, Work, plan
from annotation.domain.sharing import SharedItems, connected_parts, hand_out, shared_items
from annotation.models import Criterion, Item, Rating, Study
from annotation.selectors.progress import counted

MOST_SHOWN = 30
MOST_SHARED = 400
DEFAULT_SECONDS = 30.0


@dataclass(frozen=True)
class Preview:
    """A plan, and the raters' common items where they are few enough to be counted."""

    plan: Plan
    shared: SharedItems | None
    parts: int

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
    forms = tuple(
        FormLoad(
            key=form.key,
            overlap=form.overlap,
            per_rater=form.per_rater if study.design in {DesignKind.POOL, DesignKind.PANELS} else None,
            seconds=seconds,
            panel=tuple(form.panel.order_by("code").values_list("code", flat=True)),
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
    if not planned.raters or planned.raters > MOST_SHARED:
        return Preview(planned, None, 0)
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

    @property
    def has_interval(self) -> bool:
        return not math.isnan(self.width)


def disputed_items(study: Study, criterion: str) -> list[Disputed]:
    """Every item that is rated on a criterion, those on which raters disagree most first.

    The interval of a mean is that of the item's page: by the spread within items, pooled over all items.

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
    half = _half_width(list(values.values()))
    found = [_disputed(item, key, given, half) for (item, key), given in values.items()]
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


def _half_width(by_item: Sequence[Sequence[int]]) -> float:
    """Half the 95 % interval of one rating, from the spread within items; NaN where no item has two."""
    degrees = sum(len(given) - 1 for given in by_item)
    if not degrees:
        return math.nan
    squares = sum((value - fmean(given)) ** 2 for given in by_item for value in given)
    return float(stats.t.ppf(0.975, degrees)) * math.sqrt(squares / degrees)


def _disputed(item: int, key: str, given: Sequence[int], half: float) -> Disputed:
    width = 2 * half / math.sqrt(len(given))
    return Disputed(item, key, len(given), fmean(given), max(given) - min(given), width)


def _sortable(width: float) -> float:
    return 0.0 if math.isnan(width) else width
