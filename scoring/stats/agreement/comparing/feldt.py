"""Feldt's test of two coefficients of the reliability of mean ratings (ICC3k, which is Cronbach's α)."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.variance.anova import MeanSquares, coefficient, mean_squares
from scoring.stats.base.result import (
    ANONYMOUS_RATERS,
    CONSTANT_RATINGS,
    INCOMPLETE_DESIGN,
    TOO_FEW_ITEMS,
)
from scoring.stats.data.table import Ratings

GROUPED_ITEMS = "grouped_items"
NO_RESIDUAL = "no_residual_variance"
# Nodes of the integral over one of two F distributions.
NODES = 400


@dataclass(frozen=True)
class FeldtTest:
    """The test of equal reliability, or the reason why there is none."""

    statistic: float  # W = (1 − second) / (1 − first); NaN when `reason` is set
    p: float  # Two-sided
    reason: str = ""


def feldt_independent(first: Ratings, second: Ratings) -> FeldtTest:
    """Test whether two sets of ratings, of different items by different raters, have the same ICC3k.

    Parameters
    ----------
    first, second
        Complete ratings of items that belong to no groups.

    Returns
    -------
    FeldtTest
        W = (1 − ICC3k of the second) / (1 − ICC3k of the first). Each factor is distributed as
        (1 − true value) · F with (n − 1)(k − 1) and n − 1 degrees of freedom, so that W has the distribution
        of a ratio of two independent F if both are equally reliable; it is integrated. Holds for normal
        ratings without an interaction of item and rater other than error.

    References
    ----------
    Feldt (1969), A test of the hypothesis that Cronbach's alpha is the same for two tests administered to
    different samples.
    """
    if reason := _reason(first) or _reason(second):
        return FeldtTest(math.nan, math.nan, reason)
    squares = mean_squares(first.in_safe_unit), mean_squares(second.in_safe_unit)
    first_left, second_left = (1 - coefficient("icc3k", one) for one in squares)
    ratio = second_left / first_left
    of_first, of_second = (scipy.stats.f(*_degrees(one)) for one in squares)
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    # The chance that F of the second is below W times F of the first.
    below = float(of_second.cdf(ratio * of_first.ppf((nodes + 1) / 2)) @ weights / 2)
    return FeldtTest(ratio, min(1.0, 2 * min(below, 1 - below)))


def _degrees(squares: MeanSquares) -> tuple[int, int]:
    return (squares.n - 1) * (squares.k - 1), squares.n - 1


def _reason(ratings: Ratings) -> str:
    if not ratings.identified:
        return ANONYMOUS_RATERS
    if not ratings.is_complete or len(ratings.raters) < 2:
        return INCOMPLETE_DESIGN
    if ratings.group is not None:
        return GROUPED_ITEMS
    if ratings.n_items < 2:
        return TOO_FEW_ITEMS
    squares = mean_squares(ratings.in_safe_unit)
    if squares.rows == 0:
        return CONSTANT_RATINGS
    return NO_RESIDUAL if squares.error == 0 else ""
