"""Tests that a rater is ahead of a judge by less than a margin."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray, IntArray

# Items, or groups, on which the judge is ahead; with fewer the t test is too lenient.
FEWEST_AHEAD = 8
# Sums of differences that are this close to a whole number, as a share of a group, are one.
EQUAL = 1e-9
T, SCORE, BINOMIAL = "t", "score", "binomial"


@dataclass(frozen=True)
class MarginTest:
    """A one-sided test that a rater is ahead of a judge by a margin or more."""

    p: float
    method: str  # `t`, `score` or `binomial`


@dataclass(frozen=True)
class _Units:
    """Differences, rater less judge, summed over the items of each group; an item alone is its own group."""

    sums: FloatArray
    sizes: FloatArray
    margin: float

    @property
    def n(self) -> float:
        """Number of units of equal size that would determine the mean as well."""
        return float(self.sizes.sum() ** 2 / (self.sizes @ self.sizes))

    @property
    def mean(self) -> float:
        return float(self.sums.sum() / self.sizes.sum())

    @property
    def rater_ahead(self) -> float:
        """How many of `n` units have the rater ahead; ahead on half of a group counts half."""
        return self.n * float(np.maximum(self.sums, 0).sum() / self.sizes.sum())

    @property
    def judge_ahead(self) -> float:
        """How many of `n` units have the judge ahead."""
        return self.n * float(np.maximum(-self.sums, 0).sum() / self.sizes.sum())


def margin_test(difference: FloatArray, margin: float, units: IntArray | None) -> MarginTest:
    """Test that a rater is ahead of a judge by a margin or more, against that it is less.

    Parameters
    ----------
    difference : ndarray of float, shape (items,)
        Of each item, 1 where the rater is closer, -1 where the judge is, 0 where neither is; or means of
        these over raters. At least two.
    margin : float
        The margin, from 0 to below 1.
    units : ndarray of int, shape (items,), or None
        The group of each item; None where items are independent.

    Returns
    -------
    MarginTest
        Of the paired t test of the paper where the judge is ahead on at least eight items or groups, and of
        the score test where it is on fewer, or all have the same difference; ahead by less than one item
        counts as that part of it. Of the exact binomial test where only two of the three outcomes occur: the
        judge is never ahead, or one of both always is.

    Notes
    -----
    The t test estimates the variance from the outcomes that were seen and is too lenient where few are. The
    score test uses the variance that is most likely if the rater is ahead by exactly the margin (Nam 1997;
    Tango 1998), here with the t distribution. In both other tests, a group counts as one item. Measured error
    rates are in the documentation; `benchmarks.few_differences` computes them.

    References
    ----------
    Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge, section 3.
    Nam (1997), Establishing equivalence of two treatments and sample size requirements in matched-pairs
    design. Tango (1998), Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design.
    """
    code = np.arange(len(difference)) if units is None else np.unique(units, return_inverse=True)[1]
    sizes = np.bincount(code).astype(np.float64)
    sums = np.bincount(code, difference).astype(np.float64)
    sums = np.where(np.abs(sums - np.round(sums)) <= EQUAL * sizes, np.round(sums), sums)
    one = _Units(sums, sizes, margin)
    if (np.abs(sums) == sizes).all():
        return MarginTest(_binomial(one, (1 + margin) / 2), BINOMIAL)
    if not (sums < 0).any():
        return MarginTest(_binomial(one, margin), BINOMIAL)
    # Without any spread the t test has no standard error.
    is_even = (np.abs(sums - one.mean * sizes) <= EQUAL * sizes).all()
    if is_even or np.minimum(np.maximum(-sums, 0), 1).sum() < FEWEST_AHEAD - EQUAL:
        return MarginTest(_score(one), SCORE)
    return MarginTest(_t(one), T)


def _binomial(one: _Units, share: float) -> float:
    """Probability of at most as many units with the rater ahead, each of which has the given probability."""
    left = one.n - one.rater_ahead
    if share == 0 or left <= EQUAL:
        return 1.0
    return float(scipy.stats.beta.sf(share, one.rater_ahead + 1, left))


def _score(one: _Units) -> float:
    """Of the score test, with its variance from the share of units with the judge ahead at the margin."""
    margin = one.margin
    half = one.rater_ahead * (1 + margin) + one.judge_ahead * (1 - margin) - 2 * one.n * margin
    root = math.sqrt(half**2 + 8 * one.n * one.judge_ahead * margin * (1 - margin))
    judge = (half + root) / (4 * one.n)
    error = math.sqrt((2 * judge + margin * (1 - margin)) / one.n)
    return float(scipy.stats.t.cdf((one.mean - margin) / error, len(one.sums) - 1))


def _t(one: _Units) -> float:
    """Of a t test, by the standard error of a mean of groups of unequal size."""
    n_units = len(one.sums)
    deviations = one.sums - one.mean * one.sizes
    error = math.sqrt(n_units / (n_units - 1) * float(deviations @ deviations)) / float(one.sizes.sum())
    return float(scipy.stats.t.cdf((one.mean - one.margin) / error, n_units - 1))
