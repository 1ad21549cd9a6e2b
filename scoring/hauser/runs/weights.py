"""How well quality follows human ratings under several weights: the grid of Table 5 and the ablation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.hauser.metrics.quality import BEST, PARTS, Weights
from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.result import TOO_FEW_ITEMS, Interval
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.metrics.meta_evaluation import evaluate_metrics
from scoring.stats.metrics.meta_figure import CONSTANT_SCORES, TOO_MANY_ITEMS, MetaFigure

TOO_FEW = TOO_FEW_ITEMS
CONSTANT = CONSTANT_SCORES
FEWEST = 3
REPLICATES = 2000
# Replicates of rank correlations of more items take longer than a page may.
MOST_RESAMPLED = 1_000
CRITERION = "quality"
# Combinations [1] to [9] of Table 5 (He et al., 2023).
GRID = (
    Weights(1 / 12, 1 / 12, 5 / 6),
    Weights(1 / 6, 1 / 6, 4 / 6),
    Weights(1 / 6, 2 / 6, 3 / 6),
    Weights(1 / 6, 3 / 6, 2 / 6),
    Weights(2 / 6, 2 / 6, 2 / 6),
    Weights(2 / 6, 3 / 6, 1 / 6),
    BEST,
    Weights(4 / 6, 1 / 6, 1 / 6),
    Weights(5 / 6, 1 / 12, 1 / 12),
)


@dataclass(frozen=True)
class Fit:
    """Correlations of quality under some weights with mean human ratings, each with its interval."""

    weights: Weights
    # pearson, spearman: Over all items
    pearson: MetaFigure
    spearman: MetaFigure

    @property
    def reason(self) -> str:
        """Why there are no correlations, such as `too_few_items` or `constant_scores`; empty if there are."""
        return self.pearson.reason or self.spearman.reason


def ablations(weights: Weights) -> dict[str, Weights]:
    """The weights with one part left out each time, by that part; the others are not scaled up."""
    return {
        part: replace(weights, **{part: 0.0})
        for part in PARTS
        if getattr(weights, part) and any(getattr(weights, other) for other in PARTS if other != part)
    }


def fits(
    parts: FloatArray, human: FloatArray, choices: Sequence[Weights], groups: Sequence[str] = ()
) -> list[Fit]:
    """Correlate quality with human ratings under several weights.

    Parameters
    ----------
    parts : ndarray, shape (items, 3)
        Normalised relevance, logical and sentiment consistency.
    human : ndarray, shape (items,)
        Mean ratings of quality.
    choices : sequence of Weights
        The weights.
    groups : sequence of str
        Group of each item, which intervals resample; empty where items belong to none.

    Returns
    -------
    list of Fit
        With 95% percentile intervals of 2,000 bootstrap samples. More than 1,000 items have none
        (`too_many_items`), and fewer than three no correlation.

    Notes
    -----
    He et al. (2023), Table 5 and Figure 4 (left), and the ablations of Table 3.
    """
    n = len(human)
    items = _measured(parts, human, choices, groups)
    replicates = REPLICATES if FEWEST <= n <= MOST_RESAMPLED else 0
    found = evaluate_metrics(
        items,
        levels=("item",),
        coefficients=("pearson", "spearman"),
        replicates=replicates,
        seed=int(items.fingerprint[:8], 16),
    ).figures
    shown = [_with_reason(figure, n) for figure in found]
    pairs = zip(choices, shown[: len(choices)], shown[len(choices) :], strict=True)
    return [Fit(weights, pearson, spearman) for weights, pearson, spearman in pairs]


def _measured(
    parts: FloatArray, human: FloatArray, choices: Sequence[Weights], groups: Sequence[str]
) -> MeasuredItems:
    """Quality under each of the weights, as if these were metrics."""
    factors = np.array([[getattr(weights, part) for part in PARTS] for weights in choices])
    labels, codes = np.unique(np.array(groups, dtype=object).astype(str), return_inverse=True)
    return MeasuredItems(
        items=tuple(map(str, range(len(human)))),
        group=codes.astype(np.int64) if len(groups) else None,
        groups=tuple(map(str, labels)),
        system=None,
        systems=(),
        criteria=(CRITERION,),
        human=human[:, None],
        metrics=tuple(map(str, range(len(choices)))),
        scores=parts @ factors.T,
    )


def _with_reason(figure: MetaFigure, n: int) -> MetaFigure:
    if n < FEWEST:
        return replace(figure, estimate=math.nan, interval=Interval.missing(TOO_FEW), reason=TOO_FEW)
    return replace(figure, interval=Interval.missing(TOO_MANY_ITEMS)) if n > MOST_RESAMPLED else figure
