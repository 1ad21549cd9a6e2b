"""Whether the probabilities that a judge gives are those with which people choose."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.result import TOO_FEW_ITEMS, Interval, finite_or_none
from scoring.stats.judges.unit_sums import FEWEST_FOR_MEANS, Units, interval_of_mean

BINS = 10
# A probability this close above the end of a bin lies at its end.
ROUNDING = 1e-12


@dataclass(frozen=True)
class ReliabilityBin:
    """The items on which a judge is about equally sure."""

    low: float  # Excluded; 0 is included
    high: float  # Included
    n: int
    confidence: float  # Mean probability of the judge's most probable answer; NaN without items
    correct: float  # Mean share of people who chose that answer; NaN without items

    def to_row(self) -> dict[str, Any]:
        """The bin as a JSON object."""
        return {
            "bin_low": self.low,
            "bin_high": self.high,
            "n": self.n,
            "confidence": finite_or_none(self.confidence),
            "correct": finite_or_none(self.correct),
        }


@dataclass(frozen=True)
class Calibration:
    """How the probabilities of a judge compare with the answers of people."""

    n_items: int
    bins: tuple[ReliabilityBin, ...]
    expected_error: float  # Expected calibration error; NaN when `reason` is set
    overconfidence: float  # Mean confidence less mean share of people who chose that answer
    overconfidence_interval: Interval
    brier: float
    brier_interval: Interval
    least_brier: float  # What the distribution of the people itself would reach
    reason: str = ""

    @property
    def differs(self) -> bool:
        """Whether the interval of the overconfidence excludes 0."""
        return self.overconfidence_interval.low > 0 or self.overconfidence_interval.high < 0

    def to_row(self) -> dict[str, Any]:
        """The figures without the bins as a JSON object."""
        return {
            "n_items": self.n_items,
            "n_bins": len(self.bins),
            "expected_calibration_error": finite_or_none(self.expected_error),
            "overconfidence": finite_or_none(self.overconfidence),
            "overconfidence_low": finite_or_none(self.overconfidence_interval.low),
            "overconfidence_high": finite_or_none(self.overconfidence_interval.high),
            "brier": finite_or_none(self.brier),
            "brier_low": finite_or_none(self.brier_interval.low),
            "brier_high": finite_or_none(self.brier_interval.high),
            "least_brier": finite_or_none(self.least_brier),
            "differs": self.differs,
            "reason": self.reason,
        }


def calibration(
    probabilities: FloatArray,
    people: FloatArray,
    units: Units,
    confidence: float = 0.95,
    n_bins: int = BINS,
) -> Calibration:
    """Compare probabilities of answers with the shares of people who gave them.

    Parameters
    ----------
    probabilities : ndarray of float, shape (items, answers)
        Of each answer to each item; rows add up to 1.
    people : ndarray of float, shape (items, answers)
        Share of the raters of the item who gave each answer; rows add up to 1.
    units : Units
        What items are independent by.
    confidence : float
        Coverage that the intervals of Student’s t aim at; they need 30 items or groups.
    n_bins : int
        Number of bins of equal width.

    Returns
    -------
    Calibration
        The confidence in an item is the probability of its most probable answer, the first of equal ones; it
        is correct to the share of raters who gave this answer. The expected calibration error is the mean
        over items of the absolute difference of both means of a bin. The Brier score is the mean over items
        and their raters of the squared distance of the probabilities from the answer that was given, from 0
        to 2.

    References
    ----------
    Guo et al. (2017), On Calibration of Modern Neural Networks, equations 1 to 3; Brier (1950), equation 2;
    Baan et al. (2022), Stop Measuring Calibration When Humans Disagree, for shares of people as truth.
    """
    n = len(probabilities)
    if n == 0:
        nothing = Interval.missing(TOO_FEW_ITEMS)
        nan = math.nan
        return Calibration(0, (), nan, nan, nothing, nan, nothing, nan, TOO_FEW_ITEMS)
    best = probabilities.argmax(axis=1)
    rows = np.arange(n)
    sure, correct = probabilities[rows, best], people[rows, best]
    place = np.clip(np.ceil(sure * n_bins - ROUNDING).astype(np.int64) - 1, 0, n_bins - 1)
    bins = tuple(
        _bin(number, n_bins, sure[place == number], correct[place == number]) for number in range(n_bins)
    )
    least = (people * (1 - people)).sum(axis=1)
    brier = ((probabilities - people) ** 2).sum(axis=1) + least
    over = sure - correct
    of_over, of_brier = (interval_of_mean(one, units, confidence, FEWEST_FOR_MEANS) for one in (over, brier))
    error = math.fsum(one.n * abs(one.confidence - one.correct) for one in bins if one.n) / n
    return Calibration(
        n,
        bins,
        error,
        float(over.mean()),
        of_over,
        float(brier.mean()),
        of_brier,
        float(least.mean()),
    )


def _bin(number: int, n_bins: int, confidence: FloatArray, correct: FloatArray) -> ReliabilityBin:
    n = len(confidence)
    means = (float(confidence.mean()), float(correct.mean())) if n else (math.nan, math.nan)
    return ReliabilityBin(number / n_bins, (number + 1) / n_bins, n, *means)
