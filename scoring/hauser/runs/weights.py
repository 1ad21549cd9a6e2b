"""How well quality follows human ratings under several weights: the grid of Table 5 and the ablation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.hauser.metrics.quality import BEST, PARTS, Weights
from scoring.stats.base.association import associations
from scoring.stats.base.resampling import FloatArray

TOO_FEW = "too_few_items"
CONSTANT = "constant_scores"
FEWEST = 3
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
    """Correlations of quality under some weights with mean human ratings."""

    weights: Weights
    # pearson, spearman: Over all items; None exactly when `reason` is set
    pearson: float | None
    spearman: float | None
    n: int  # Number of items
    reason: str = ""  # `too_few_items` or `constant_scores`


def ablations(weights: Weights) -> dict[str, Weights]:
    """The weights with one part left out each time, by that part; the others are not scaled up."""
    return {
        part: replace(weights, **{part: 0.0})
        for part in PARTS
        if getattr(weights, part) and any(getattr(weights, other) for other in PARTS if other != part)
    }


def fits(parts: FloatArray, human: FloatArray, choices: Sequence[Weights]) -> list[Fit]:
    """Correlate quality with human ratings under several weights.

    Parameters
    ----------
    parts : ndarray, shape (items, 3)
        Normalised relevance, logical and sentiment consistency.
    human : ndarray, shape (items,)
        Mean ratings of quality.
    choices : sequence of Weights
        The weights.

    Notes
    -----
    He et al. (2023), Table 5 and Figure 4 (left), and the ablations of Table 3.
    """
    n = len(human)
    if n < FEWEST:
        return [Fit(weights, None, None, n, TOO_FEW) for weights in choices]
    factors = np.array([[getattr(weights, part) for part in PARTS] for weights in choices])
    qualities = parts @ factors.T
    pearson, spearman = (
        associations(qualities, human[:, None], coefficient)[:, 0] for coefficient in ("pearson", "spearman")
    )
    return [
        Fit(weights, None, None, n, CONSTANT)
        if np.isnan(r) or np.isnan(rho)
        else Fit(weights, float(r), float(rho), n)
        for weights, r, rho in zip(choices, pearson, spearman, strict=True)
    ]
