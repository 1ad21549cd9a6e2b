"""The weights of quality compared with a study's own ratings."""

from __future__ import annotations

from typing import Any

import numpy as np
from django.db.models import Avg

from annotation.models import Rating, Study
from annotation.selectors.questions.counting import ON_SCALES, Counting, counted
from scoring.hauser.metrics.quality import PARTS, Weights
from scoring.hauser.runs.weights import GRID, Fit, ablations, fits
from scoring.models import Score, ScoreRun
from scoring.stats.base.resampling import FloatArray

CRITERION = "quality"
MOST_ITEMS = 50_000


def weights_compared(study: Study, run: ScoreRun) -> dict[str, Any]:
    """Correlation of quality with the ratings under the weights of Table 5, and without each of its parts.

    Returns
    -------
    dict
        `grid` and `ablation`, each row with weights, correlations and number of items; `n` items that have
        ratings and all parts; `too_many` instead where the study is too large for a page.
    """
    means = dict(
        Rating.objects.filter(
            response__in=counted(study, Counting.in_statistics(study, yields=ON_SCALES)),
            criterion__key=CRITERION,
            value__isnull=False,
        )
        .values("response__assignment__item")
        .annotate(mean=Avg("value"))
        .order_by()
        .values_list("response__assignment__item", "mean")[: MOST_ITEMS + 1]
    )
    if len(means) > MOST_ITEMS:
        return {"too_many": MOST_ITEMS}
    parts, human = _columns(run, means)
    own = Weights(**run.made_with["weights"])
    left_out = ablations(own)
    ablated = fits(parts, human, [own, *left_out.values()])
    return {
        "grid": _best_marked(fits(parts, human, GRID)),
        "ablation": list(zip(["", *left_out], ablated, strict=True)),
        "n": len(human),
    }


def _columns(run: ScoreRun, means: dict[int, float]) -> tuple[FloatArray, FloatArray]:
    """Normalised parts and mean ratings of the items that have all of them."""
    found: dict[int, dict[str, float]] = {}
    wanted = {f"{part}_normalised": part for part in PARTS}
    values = Score.objects.filter(run=run, metric__in=wanted, value__isnull=False)
    for item, metric, value in values.values_list("item_id", "metric", "value").iterator():
        if item in means and value is not None:
            found.setdefault(item, {})[wanted[metric]] = value
    whole = sorted(item for item, own in found.items() if len(own) == len(PARTS))
    parts = np.array([[found[item][part] for part in PARTS] for item in whole], dtype=np.float64)
    return parts.reshape(-1, len(PARTS)), np.array([means[item] for item in whole], dtype=np.float64)


def _best_marked(grid: list[Fit]) -> list[tuple[Fit, bool]]:
    greatest = max((fit.pearson for fit in grid if fit.pearson is not None), default=None)
    return [(fit, fit.pearson is not None and fit.pearson == greatest) for fit in grid]
