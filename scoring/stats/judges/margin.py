"""Tests that a rater is ahead of a judge by less than a margin."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray, IntArray

# Items on which the judge is ahead; with fewer the t test is too lenient.
FEWEST_AHEAD = 8
# Sums of differences that are this close to a whole number, as a share of a group, are one.
EQUAL = 1e-9
# Relative tolerance of the root of an equation.
PRECISION = 1e-14
T, SCORE, BINOMIAL = METHODS = ("t", "score", "binomial")


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
    def have_one_outcome_each(self) -> bool:
        """Whether units are of one size, with the rater, the judge or neither ahead on all items of each."""
        shares = np.abs(self.sums) / self.sizes
        return bool((self.sizes == self.sizes[0]).all() and np.isin(shares, (0, 1)).all())

    @property
    def excess(self) -> FloatArray:
        """The sum of each unit beyond what it is expected to be at the margin."""
        return self.sums - self.margin * self.sizes


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
        Of the paired t test of the paper where each item has one of the three outcomes and the judge is ahead
        on at least eight. Of the exact binomial test where the judge is never ahead, or one of both always
        is. Otherwise of the score test: where the judge is ahead on fewer than eight items, for means over
        raters, and for groups of items.

    Notes
    -----
    The t test estimates the variance from the outcomes that were seen; where few were, or differences are
    skewed, or groups differ in size, it is too lenient. The score test uses the variance of the distribution
    that is most likely if the rater is ahead by exactly the margin. Of three outcomes it is the test of Nam
    (1997) and Tango (1998); of other differences the distribution is that of the empirical likelihood (Owen
    1988), extended by the greatest and the least possible difference where those seen cannot have such a
    mean. The t distribution has one degree of freedom less than there are groups of equal size that would be
    as precise. Measured error rates are in the documentation; `benchmarks.few_differences` computes them.

    References
    ----------
    Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge, section 3.
    Nam (1997), Establishing equivalence of two treatments and sample size requirements in matched-pairs
    design. Tango (1998), Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design. Owen (1988), Empirical likelihood ratio confidence intervals for one functional.
    """
    code = np.arange(len(difference)) if units is None else np.unique(units, return_inverse=True)[1]
    sizes = np.bincount(code).astype(np.float64)
    sums = np.bincount(code, difference).astype(np.float64)
    sums = np.where(np.abs(sums - np.round(sums)) <= EQUAL * sizes, np.round(sums), sums)
    grouped = _Units(sums, sizes, margin)
    if (np.abs(sums) == sizes).all():
        return MarginTest(_binomial(grouped, (1 + margin) / 2), BINOMIAL)
    if not (sums < 0).any():
        return MarginTest(_binomial(grouped, margin), BINOMIAL)
    if grouped.have_one_outcome_each and (sums < 0).sum() >= FEWEST_AHEAD:
        return MarginTest(float(scipy.stats.ttest_1samp(sums / sizes, margin, alternative="less").pvalue), T)
    return MarginTest(_score(grouped), SCORE)


def _binomial(units: _Units, share: float) -> float:
    """Probability of at most as many units with the rater ahead, each of which has the given probability."""
    left = units.n - units.rater_ahead
    if share == 0 or left <= EQUAL:
        return 1.0
    return float(scipy.stats.beta.sf(share, units.rater_ahead + 1, left))


def _score(units: _Units) -> float:
    """p of the score test."""
    n_units = len(units.sums)
    error = math.sqrt(_likeliest_variance(units) / n_units)
    return float(scipy.stats.t.cdf(units.excess.mean() / error, units.n - 1))


def _likeliest_variance(units: _Units) -> float:
    """Variance of the excess under the likeliest distribution of which it has a mean of 0.

    A unit with excess x has the probability 1 / (n (1 + λ x)). No possible excess may have a negative one, so
    that λ is bounded; at a bound, the rest of the probability is at the extreme that gives the bound.
    """
    excess, greatest = units.excess, float(units.sizes.max())
    highest, lowest = greatest * (1 - units.margin), -greatest * (1 + units.margin)
    extreme = highest if excess.sum() < 0 else lowest
    bound = -1 / extreme

    def imbalance(multiplier: float) -> float:
        return float((excess / (1 + multiplier * excess)).sum())

    multiplier = bound * (1 - PRECISION)
    if imbalance(multiplier) * excess.sum() < 0:
        multiplier = scipy.optimize.brentq(imbalance, 0, multiplier, xtol=PRECISION * abs(bound))
    chances = 1 / (len(excess) * (1 + multiplier * excess))
    rest = max(1 - float(chances.sum()), 0.0)
    return float(chances @ excess**2) + rest * extreme**2
