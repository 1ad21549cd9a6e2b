"""The weights of quality compared with a study's own ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Avg, Count

from annotation.models import Rating, Study
from annotation.selectors.questions.counting import ON_SCALES, Counting, counted
from scoring.hauser.metrics.quality import PARTS, Weights
from scoring.hauser.runs.weights import GRID, Fit, ablations, fits
from scoring.models import Score, ScoreRun
from scoring.stats.base.cautions import cautions_of
from scoring.stats.base.resampling import FloatArray

CRITERION = "quality"
MOST_ITEMS = 50_000


class RatedItem(NamedTuple):
    """The group of an item, its mean rating, and the number of ratings behind it."""

    group: str
    mean: float
    n: int


def weights_compared(study: Study, run: ScoreRun) -> dict[str, Any]:
    """Correlation of quality with the ratings under the weights of Table 5, and without each of its parts.

    Returns
    -------
    dict
        `grid` and `ablation`, each row with weights, and correlations with their intervals; `n` items that
        have ratings and all parts, their `n_groups` and `n_ratings`; why there are no intervals
        (`no_interval`), or whether they rest on `few_units`; `too_many` instead where the study is too large
        for a page.
    """
    rated = {
        item: RatedItem(group, mean, n)
        for item, group, mean, n in Rating.objects.filter(
            response__in=counted(study, Counting.in_statistics(study, yields=ON_SCALES)),
            criterion__key=CRITERION,
            value__isnull=False,
        )
        .values("response__assignment__item", "response__assignment__item__group")
        .annotate(mean=Avg("value"), n=Count("pk"))
        .order_by()
        .values_list("response__assignment__item", "response__assignment__item__group", "mean", "n")[
            : MOST_ITEMS + 1
        ]
    }
    if len(rated) > MOST_ITEMS:
        return {"too_many": MOST_ITEMS}
    parts, whole = _columns(run, rated)
    own = Weights(**run.made_with["weights"])
    left_out = ablations(own)
    human = np.array([one.mean for one in whole], dtype=np.float64)
    found = fits(parts, human, [*GRID, own, *left_out.values()], _groups(whole))
    return {
        "grid": _best_marked(found[: len(GRID)]),
        "ablation": list(zip(["", *left_out], found[len(GRID) :], strict=True)),
        "n": len(whole),
        "n_groups": found[0].pearson.n_groups,
        "n_ratings": sum(one.n for one in whole),
        "no_interval": found[0].pearson.interval.reason,
        "few_units": bool(cautions_of(found[0].pearson.interval.settings)),
    }


def _groups(items: Sequence[RatedItem]) -> list[str]:
    """The group of each item, one of its own where it has none; none at all where no item has one."""
    if not any(one.group for one in items):
        return []
    return [one.group or f"\0{place}" for place, one in enumerate(items)]


def _columns(run: ScoreRun, rated: Mapping[int, RatedItem]) -> tuple[FloatArray, list[RatedItem]]:
    """Normalised parts of the items that have all of them, and these items."""
    found: dict[int, dict[str, float]] = {}
    wanted = {f"{part}_normalised": part for part in PARTS}
    values = Score.objects.filter(run=run, metric__in=wanted, value__isnull=False)
    for item, metric, value in values.values_list("item_id", "metric", "value").iterator():
        if item in rated and value is not None:
            found.setdefault(item, {})[wanted[metric]] = value
    whole = sorted(item for item, own in found.items() if len(own) == len(PARTS))
    parts = np.array([[found[item][part] for part in PARTS] for item in whole], dtype=np.float64)
    return parts.reshape(-1, len(PARTS)), [rated[item] for item in whole]


def _best_marked(grid: list[Fit]) -> list[tuple[Fit, bool]]:
    greatest = max((fit.pearson.estimate for fit in grid if not fit.reason), default=None)
    return [(fit, not fit.reason and fit.pearson.estimate == greatest) for fit in grid]
