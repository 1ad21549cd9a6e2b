"""Whether a judge of pairs prefers a place, a length or a system more often than people do."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.stats.base.proportions import Share, mean_of, share_of
from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.result import TOO_FEW_ITEMS, Interval, finite_or_none
from scoring.stats.judges.unit_sums import Units, interval_of_mean


@dataclass(frozen=True)
class PairedShares:
    """How often a judge, and how often people, prefer texts of one sort, on the same items."""

    n_items: int
    n_groups: int
    judge: Share
    people: Share
    difference: float  # Judge less people; NaN without items
    interval: Interval  # Of the difference

    @property
    def differs(self) -> bool:
        """Whether the interval of the difference excludes 0."""
        return self.interval.low > 0 or self.interval.high < 0

    def to_row(self) -> dict[str, Any]:
        """The shares as a JSON object."""
        return {
            "n_items": self.n_items,
            "n_groups": self.n_groups,
            **_parts("judge", self.judge),
            **_parts("people", self.people),
            "difference": finite_or_none(self.difference),
            "difference_low": finite_or_none(self.interval.low),
            "difference_high": finite_or_none(self.interval.high),
            "interval_method": f"none:{self.interval.reason}"
            if self.interval.reason
            else self.interval.method,
            "differs": self.differs,
            "reason": "" if self.n_items else TOO_FEW_ITEMS,
        }


def _parts(who: str, share: Share) -> dict[str, Any]:
    found = share.to_row()
    return {f"{who}_{part}": found[part] for part in ("share", "low", "high")}


def paired_shares(
    judge: FloatArray, people: FloatArray, units: Units, confidence: float = 0.95
) -> PairedShares:
    """Compare how often a judge and people prefer one of two texts.

    Parameters
    ----------
    judge : ndarray of float, shape (items,)
        1 where the judge prefers the text, 0 where it prefers the other one, 0.5 where neither; NaN where it
        did not answer.
    people : ndarray of float, shape (items,)
        The mean of the same over the raters of the item; NaN where no rater answered.
    units : Units
        What items are independent by.
    confidence : float
        Coverage that the intervals aim at.

    Returns
    -------
    PairedShares
        Over the items with both. The interval of the difference is that of Student’s t for the mean of the
        differences of items, with the variance of groups of items where there are any; none for fewer than
        five units.

    References
    ----------
    Cochran (1977), section 6.4, for the variance of a ratio; Wang et al. (2024), Large Language Models are
    not Fair Evaluators, and Dubois et al. (2024), Length-Controlled AlpacaEval, for the biases.
    """
    both = np.flatnonzero(np.isfinite(judge) & np.isfinite(people))
    own = units.take(both)
    difference = judge[both] - people[both]
    estimate = float(difference.mean()) if len(both) else math.nan
    return PairedShares(
        len(both),
        own.n_groups,
        share_of(judge[both], own.codes, confidence, own.kind),
        mean_of(people[both], own.codes, confidence, own.kind),
        estimate,
        interval_of_mean(difference, own, confidence),
    )


@dataclass(frozen=True)
class BothOrders:
    """A judge's choices in pairs that it judged in both orders."""

    consistent: Share  # Pairs of which it prefers the same text in both orders
    first: int  # Pairs of which it prefers the text that comes first, in both orders
    second: int  # Pairs of which it prefers the text that comes second, in both orders
    preference: float  # Mean over pairs of how often it prefers the first text, less 1: from -1 to 1
    interval: Interval  # Of the preference

    @property
    def differs(self) -> bool:
        """Whether the interval of the preference excludes 0."""
        return self.interval.low > 0 or self.interval.high < 0

    def to_row(self) -> dict[str, Any]:
        """The result as a JSON object."""
        found = self.consistent.to_row()
        return {
            "n_pairs": self.consistent.n,
            "consistent": found["share"],
            "consistent_low": found["low"],
            "consistent_high": found["high"],
            "first_in_both": self.first,
            "second_in_both": self.second,
            "preference": finite_or_none(self.preference),
            "preference_low": finite_or_none(self.interval.low),
            "preference_high": finite_or_none(self.interval.high),
            "differs": self.differs,
            "reason": "" if self.consistent.n else TOO_FEW_ITEMS,
        }


def both_orders(one: FloatArray, other: FloatArray, units: Units, confidence: float = 0.95) -> BothOrders:
    """Compare a judge's choices in pairs in one order and in the other.

    Parameters
    ----------
    one, other : ndarray of float, shape (pairs,)
        1 where the judge prefers the text that comes first in that order, 0 where it prefers the second,
        0.5 where neither.
    units : Units
        What pairs are independent by.
    confidence : float
        Coverage that the intervals aim at.

    References
    ----------
    Wang et al. (2024), Large Language Models are not Fair Evaluators, section 2: conflict rate; Shi et al.
    (2024), Judging the Judges: A Systematic Study of Position Bias, for position consistency.
    """
    ahead = one + other - 1
    consistent = (ahead == 0).astype(np.float64)
    preference = float(ahead.mean()) if len(ahead) else math.nan
    return BothOrders(
        share_of(consistent, units.codes, confidence, units.kind),
        int((ahead == 1).sum()),
        int((ahead == -1).sum()),
        preference,
        interval_of_mean(ahead, units, confidence),
    )
