"""How far the distribution of a judge's answers to an item is from that of people's answers."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.result import TOO_FEW_ITEMS, Interval, finite_or_none
from scoring.stats.judges.unit_sums import FEWEST_FOR_MEANS, Units, interval_of_mean

# Shares below this count as this in the logarithm of a cross-entropy.
LEAST_SHARE = 1e-12
NO_ORDER = "no_order"
ZERO_SHARES = "zero_shares"
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
    confidence: float = 0.95,
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
    confidence : float
        Coverage that the intervals of Student’s t aim at; they need 30 items or groups.

    Returns
    -------
    list of SoftLabelScore
        Manhattan distance (0 to 2), Wasserstein distance in units of the scale (`no_order` without points),
        and cross-entropy in nats, −Σ p log q with p of people and q of the judge. In it, q below 1e-12
        counts as 1e-12; `n_floored` is the number of items where that mattered. There is no interval of it
        where the judge gives no probability to an answer that people gave to any item (`zero_shares`).

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
    unlimited = {"cross_entropy": ZERO_SHARES} if _has_zero_shares(judge, people) else {}
    if points is None:
        unlimited["wasserstein"] = NO_ORDER
    found = []
    for place, name in enumerate(SCORES):
        reason = NO_ORDER if name == "wasserstein" and points is None else ""
        interval = (
            Interval.missing(unlimited[name])
            if name in unlimited
            else interval_of_mean(values[:, place], units, confidence, FEWEST_FOR_MEANS)
        )
        own = floored if name == "cross_entropy" else 0
        found.append(SoftLabelScore(name, float(values[:, place].mean()), interval, n, own, reason))
    return found


def _has_zero_shares(judge: FloatArray, people: FloatArray) -> bool:
    """Whether the judge gives no probability to an answer that people gave, be it to another item.

    The mean cross-entropy then depends on rare items that cost 28, which a sample of items may lack.
    """
    return bool((judge[:, people.any(axis=0)] < LEAST_SHARE).any())


def _wasserstein(judge: FloatArray, people: FloatArray, points: FloatArray) -> FloatArray:
    differences = np.abs(np.cumsum(judge - people, axis=1))[:, :-1]
    return np.asarray(differences @ np.diff(points), dtype=np.float64)
