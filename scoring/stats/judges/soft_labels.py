"""How far the distribution of a judge's answers to an item is from that of people's answers."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.base.result import TOO_FEW_ITEMS, Interval, finite_or_none
from scoring.stats.judges.unit_sums import Units, means_of_items

# Shares below this count as this in the logarithm of a cross-entropy.
LEAST_SHARE = 1e-12
NO_ORDER = "no_order"
SCORES = ("manhattan", "wasserstein", "cross_entropy")


@dataclass(frozen=True)
class SoftLabelScore:
    """The mean over items of one distance of distributions."""

    score: str  # `manhattan`, `wasserstein` or `cross_entropy`
    estimate: float  # NaN exactly when `reason` is set
    interval: Interval
    n_items: int
    n_floored: int = 0  # Items with an answer of people to which the judge gives (almost) no probability
    reason: str = ""

    def to_row(self) -> dict[str, Any]:
        """The score as a JSON object."""
        return {
            "score": self.score,
            "estimate": finite_or_none(self.estimate),
            "low": finite_or_none(self.interval.low),
            "high": finite_or_none(self.interval.high),
            "interval_method": f"none:{self.interval.reason}"
            if self.interval.reason
            else self.interval.method,
            "n_items": self.n_items,
            "n_floored": self.n_floored,
            "reason": self.reason,
        }


def soft_label_scores(
    judge: FloatArray,
    people: FloatArray,
    points: FloatArray | None,
    units: Units,
    resampling: Resampling,
    stream: tuple[str, ...],
) -> list[SoftLabelScore]:
    """Compare distributions of answers, item by item.

    Parameters
    ----------
    judge, people : ndarray of float, shape (items, answers)
        Share of each answer to each item; rows add up to 1.
    points : ndarray of float, shape (answers,), or None
        The answers as increasing numbers; None where they have no order.
    units : Units
        What items are independent by.
    resampling : Resampling
        Replicates, seed and confidence of the intervals.
    stream : tuple of str
        Names of the figures, which have random numbers of their own.

    Returns
    -------
    list of SoftLabelScore
        Manhattan distance (0 to 2), Wasserstein distance in units of the scale (`no_order` without points),
        and cross-entropy in nats, −Σ p log q with p of people and q of the judge. In it, q below 1e-12
        counts as 1e-12; `n_floored` is the number of items where that mattered.

    References
    ----------
    Leonardelli et al. (2023), SemEval-2023 Task 11: Learning With Disagreements, for the cross-entropy; the
    third edition of that shared task (Leonardelli et al. 2025) for the two distances; Vallender (1974) for
    the Wasserstein distance of distributions on a line.
    """
    n = len(judge)
    if n == 0:
        nothing = Interval.missing(TOO_FEW_ITEMS)
        return [SoftLabelScore(name, math.nan, nothing, 0, reason=TOO_FEW_ITEMS) for name in SCORES]
    manhattan = np.abs(judge - people).sum(axis=1)
    wasserstein = np.full(n, math.nan) if points is None else _wasserstein(judge, people, points)
    entropy = -(people * np.log(np.maximum(judge, LEAST_SHARE))).sum(axis=1)
    floored = int(((people > 0) & (judge < LEAST_SHARE)).any(axis=1).sum())
    values = np.column_stack([manhattan, wasserstein, entropy])
    intervals = means_of_items(values, units, resampling, (*stream, "soft labels"))
    found = []
    for place, name in enumerate(SCORES):
        reason = NO_ORDER if name == "wasserstein" and points is None else ""
        interval = Interval.missing(reason) if reason else intervals[place]
        own = floored if name == "cross_entropy" else 0
        found.append(SoftLabelScore(name, float(values[:, place].mean()), interval, n, own, reason))
    return found


def _wasserstein(judge: FloatArray, people: FloatArray, points: FloatArray) -> FloatArray:
    apart = np.abs(np.cumsum(judge - people, axis=1))[:, :-1]
    return np.asarray(apart @ np.diff(points), dtype=np.float64)
