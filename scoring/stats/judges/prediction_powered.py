"""Means of human ratings that a judge's scores make more precise: prediction-powered inference."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.result import CONSTANT_RATINGS, TOO_FEW_ITEMS, finite_or_none

NO_UNRATED_ITEMS = "no_unrated_items"
# Items with both below which the correction is not estimated.
FEWEST_RATED = 15
# The scores of a single item do not show how much they vary.
FEWEST_UNRATED = 2
# Of values of at most 1: a smaller variance is an error of rounding.
ROUNDING = 1e-30


@dataclass(frozen=True)
class MeanEstimate:
    """A mean with its confidence interval, or the reason why there is none."""

    estimate: float  # NaN without a mean; one of values that are all equal has a mean without an interval
    # low, high: NaN when `reason` is set
    low: float
    high: float
    reason: str = ""

    @classmethod
    def missing(cls, reason: str) -> "MeanEstimate":
        """No mean, for a reason."""
        return cls(math.nan, math.nan, math.nan, reason)

    def to_row(self) -> dict[str, float | str | None]:
        """The mean as a JSON object."""
        return {
            "estimate": finite_or_none(self.estimate),
            "low": finite_or_none(self.low),
            "high": finite_or_none(self.high),
            "reason": self.reason,
        }


@dataclass(frozen=True)
class CombinedMean:
    """A mean of human ratings estimated in three ways."""

    # n_rated, n_unrated: Items with ratings and a score, and items with a score alone
    n_rated: int
    n_unrated: int
    people: MeanEstimate  # By the rated items alone
    judge: MeanEstimate  # By the judge's scores of all items alone: its bias is in it
    combined: MeanEstimate  # The judge's mean, corrected by how far it is off where people rated
    weight: float  # λ: 0 ignores the judge, 1 takes its scores as they are
    worth: float  # As many rated items would give the combined interval without a judge

    @classmethod
    def missing(cls, n_rated: int, n_unrated: int, reason: str) -> "CombinedMean":
        """No means, for a reason."""
        nothing = MeanEstimate.missing(reason)
        return cls(n_rated, n_unrated, nothing, nothing, nothing, math.nan, math.nan)

    def to_row(self) -> dict[str, object]:
        """The estimates as a JSON object."""
        return {
            "n_rated": self.n_rated,
            "n_unrated": self.n_unrated,
            "people": self.people.to_row(),
            "judge": self.judge.to_row(),
            "combined": self.combined.to_row(),
            "weight": finite_or_none(self.weight),
            "worth": finite_or_none(self.worth),
        }


def combined_mean(
    rated: FloatArray, scored: FloatArray, unrated: FloatArray, *, confidence: float = 0.95
) -> CombinedMean:
    """The mean human rating of all items, when people rated some of them and a judge scored all.

    Parameters
    ----------
    rated : ndarray of float, shape (n,)
        Mean human rating of each rated item, or its difference between two systems.
    scored : ndarray of float, shape (n,)
        The judge's score of the same items, on any scale.
    unrated : ndarray of float, shape (N,)
        The judge's score of items without human ratings. The rated items must be a random sample of all.
    confidence : float
        Coverage of the intervals.

    Returns
    -------
    CombinedMean
        The combined mean is refused for fewer than 15 rated items or 2 others (`too_few_items`), and where
        every scored item is rated (`no_unrated_items`), because a judge then adds nothing. A mean of values
        that are all equal has no interval (`constant_ratings`): that others would be equal too, they do not
        show.

    Notes
    -----
    mean(rated) + λ (mean(unrated) - mean(scored)), with λ the covariance of ratings and scores over
    (1 + n/N) times the variance of all scores, between 0 and 1. Limits are those of t with n - 2 degrees of
    freedom, one of them for λ, where the papers have the normal distribution, which is too narrow for few
    items. They are for the mean over all items of this kind, of which the n + N at hand are a sample.
    Measured coverage: `docs/statistics/judges.md`.

    References
    ----------
    Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), Prediction-Powered Inference.
    Angelopoulos, Duchi and Zrnic (2023), PPI++: Efficient Prediction-Powered Inference, sections 2 and 6.
    """
    n, more = len(rated), len(unrated)
    everything = np.concatenate([scored, unrated])
    people, judge = _mean_of(rated, confidence), _mean_of(everything, confidence)
    too_few = n < FEWEST_RATED or more < FEWEST_UNRATED
    reason = NO_UNRATED_ITEMS if not more else TOO_FEW_ITEMS if too_few else ""
    if reason:
        return CombinedMean(n, more, people, judge, MeanEstimate.missing(reason), math.nan, math.nan)
    # Squares of values around 1e200 overflow, and those of 1e-300 vanish.
    unit, unit_of_scores = _unit(rated), _unit(everything)
    rated, scored, unrated, everything = (
        rated / unit,
        scored / unit_of_scores,
        unrated / unit_of_scores,
        everything / unit_of_scores,
    )
    weight = _weight(rated, scored, everything, n / more, unit_of_scores / unit)
    estimate = float(rated.mean() + weight * (unrated.mean() - scored.mean()))
    variance = float(np.var(rated - weight * scored, ddof=1) / n + weight**2 * np.var(unrated) / more)
    combined = _limits(estimate, variance, n - 2, confidence, unit)
    alone = float(np.var(rated, ddof=1)) / n
    worth = math.nan if combined.reason else n * alone / variance
    return CombinedMean(n, more, people, judge, combined, weight / unit_of_scores * unit, worth)


def _unit(values: FloatArray) -> float:
    """A power of two by which values can be divided without a change of digits, so that none exceeds 1."""
    return float(np.ldexp(1.0, int(np.frexp(np.abs(values).max(initial=0.0))[1])))


def _weight(
    rated: FloatArray, scored: FloatArray, everything: FloatArray, ratio: float, most: float
) -> float:
    spread = float(np.var(everything, ddof=1))
    if not spread:
        return 0.0
    covariance = float(np.cov(rated, scored)[0, 1])
    return min(most, max(0.0, covariance / ((1 + ratio) * spread)))


def _mean_of(values: FloatArray, confidence: float) -> MeanEstimate:
    n, unit = len(values), _unit(values)
    if n < 2:
        return MeanEstimate.missing(TOO_FEW_ITEMS)
    values = values / unit
    return _limits(float(values.mean()), float(np.var(values, ddof=1)) / n, n - 1, confidence, unit)


def _limits(estimate: float, variance: float, degrees: int, confidence: float, unit: float) -> MeanEstimate:
    if variance <= ROUNDING:
        return MeanEstimate(estimate * unit, math.nan, math.nan, CONSTANT_RATINGS)
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, degrees)) * math.sqrt(variance)
    return MeanEstimate(estimate * unit, (estimate - half) * unit, (estimate + half) * unit)
