"""Shares of answers with their intervals."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from scoring.stats.resampling import FloatArray, IntArray, Resampling, nothing_to_draw
from scoring.stats.result import TOO_FEW_ITEMS, Interval, finite_or_none

WILSON = "wilson"


@dataclass(frozen=True)
class Share:
    """A share of answers.

    Parameters
    ----------
    hits
        What is counted; a half may count.
    n
        Of how many answers.
    interval
        Of the share, or the reason why there is none.
    """

    hits: float
    n: int
    interval: Interval

    def to_row(self) -> dict[str, float | int | str | None]:
        """`share`, `low`, `high`, `interval_method` and `reason`; None for what is not defined."""
        reason = "" if self.n else TOO_FEW_ITEMS
        method = f"none:{self.interval.reason}" if self.interval.reason else self.interval.method
        return {
            "share": self.hits / self.n if self.n else None,
            "low": finite_or_none(self.interval.low),
            "high": finite_or_none(self.interval.high),
            "interval_method": method,
            "reason": reason,
        }


def share_of(hits: FloatArray, units: IntArray, resampling: Resampling, *stream: str) -> Share:
    """The mean of hits, with an interval that honours answers of the same item.

    Parameters
    ----------
    hits
        1 for each answer that counts, 0 for one that does not; shape (answers,).
    units
        The item of each answer, any whole numbers.
    resampling
        Replicates, seed and confidence.
    *stream
        Names the figure, so that each draws for itself.

    Returns
    -------
    Share
        With Wilson's interval where no item has two answers, else with a percentile bootstrap over items.

    References
    ----------
    Wilson (1927).
    """
    n, total = len(hits), float(hits.sum())
    if n == 0:
        return Share(0.0, 0, Interval.missing(TOO_FEW_ITEMS))
    _, codes = np.unique(units, return_inverse=True)
    n_units = int(codes.max()) + 1
    if n_units == n:
        return Share(total, n, wilson(total, n, resampling.confidence))
    if n_units < 2:
        return Share(total, n, nothing_to_draw("items"))
    sums = np.bincount(codes, weights=hits)
    sizes = np.bincount(codes)
    generator = resampling.generator(*stream)
    replicates = []
    for size in resampling.chunks(n_units):
        drawn = generator.multinomial(n_units, np.full(n_units, 1 / n_units), size=size)
        replicates.append((drawn @ sums) / (drawn @ sizes))
    return Share(total, n, resampling.interval(np.concatenate(replicates), "items", n_units))


def wilson(hits: float, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a share.

    Parameters
    ----------
    hits
        What is counted; need not be whole.
    n
        Of how many, at least 1.
    confidence
        Coverage it aims at.

    Returns
    -------
    Interval
        Within 0 and 1.

    References
    ----------
    Wilson (1927).
    """
    z = float(norm.ppf((1 + confidence) / 2))
    share = hits / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    high = 1.0 if hits == n else min(1.0, middle + half)
    return Interval(low, high, WILSON)
