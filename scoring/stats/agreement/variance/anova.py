"""Mean squares of complete ratings, intraclass correlations from them, and their F intervals."""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.result import NO_LIMITS_IN_RANGE, Interval
from scoring.stats.data.table import Ratings

# Sums of squares below this share of the total are rounding errors of an exact zero.
ROUNDING = 1e-13

SINGLE_OF_AVERAGE = {"icc1k": "icc1", "icc2k": "icc2", "icc3k": "icc3"}


@dataclass(frozen=True)
class MeanSquares:
    """Mean squares of n items each rated by the same number k of raters."""

    # n, k: Numbers of items and of ratings per item
    n: int
    k: int
    # rows, columns, error, within: Mean squares of items, raters, residual, and within items; `columns`
    # and `error` are NaN where the raters differ between the items
    rows: float
    columns: float
    error: float
    within: float


def has_equal_sizes(ratings: Ratings) -> bool:
    """Whether every item has the same number of ratings."""
    return bool(np.all(ratings.sizes == ratings.sizes[0]))


def mean_squares(ratings: Ratings) -> MeanSquares:
    """Mean squares of ratings with equally many ratings per item.

    Parameters
    ----------
    ratings
        At least two items with k ≥ 2 ratings each.

    Returns
    -------
    MeanSquares
        Two-way where the ratings are complete, otherwise one-way.

    References
    ----------
    Shrout & Fleiss (1979), table 1.
    """
    n, k = ratings.n_items, int(ratings.sizes[0])
    # Ratings are ordered by item, then rater.
    values = ratings.value.reshape(n, k) - ratings.value.mean()
    total = float((values**2).sum())
    rows = k * float((values.mean(axis=1) ** 2).sum())
    within = _rounded(total - rows, total)
    columns = error = math.nan
    if ratings.is_complete:
        columns = n * float((values.mean(axis=0) ** 2).sum())
        error = _rounded(within - columns, total) / ((n - 1) * (k - 1))
        columns /= k - 1
    return MeanSquares(n, k, _rounded(rows, total) / (n - 1), columns, error, within / (n * (k - 1)))


def _rounded(square: float, total: float) -> float:
    return 0.0 if square < ROUNDING * total else square


def coefficient(key: str, ms: MeanSquares) -> float:
    """An intraclass correlation from mean squares; NaN where the variance it is a share of is not positive.

    Parameters
    ----------
    key
        `icc1`, `icc2`, `icc3`, `icc1k`, `icc2k` or `icc3k`.
    ms
        The mean squares.

    Returns
    -------
    float
        The estimate, negative values as they are.

    References
    ----------
    Shrout & Fleiss (1979), pages 423 to 426; McGraw & Wong (1996), table 4.
    """
    n, k = ms.n, ms.k
    signal, noise = {
        "icc1": (ms.rows - ms.within, ms.rows + (k - 1) * ms.within),
        "icc1k": (ms.rows - ms.within, ms.rows),
        "icc2": (ms.rows - ms.error, ms.rows + (k - 1) * ms.error + k * (ms.columns - ms.error) / n),
        "icc2k": (ms.rows - ms.error, ms.rows + (ms.columns - ms.error) / n),
        "icc3": (ms.rows - ms.error, ms.rows + (k - 1) * ms.error),
        "icc3k": (ms.rows - ms.error, ms.rows),
    }[key]
    spread = ms.rows + ms.within
    return signal / noise if noise > ROUNDING * spread else math.nan


def pivots(
    ms: MeanSquares, generator: np.random.Generator, draws: int, row_df: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Variances of item, rater and residual that the mean squares of complete ratings are compatible with.

    Parameters
    ----------
    ms
        Two-way mean squares.
    generator
        Source of the χ² draws.
    draws
        Number of draws.
    row_df
        Degrees of freedom of the items' mean square.

    Returns
    -------
    item, rater, residual
        Draws, each of shape (draws,). Each mean square is divided by a drawn χ² over its degrees of freedom.

    References
    ----------
    Weerahandi (1993), Generalized confidence intervals; Ionan et al. (2014), section 2, for agreement.
    """
    error_df = (ms.n - 1) * (ms.k - 1)
    parts = ((ms.error, error_df), (ms.rows, row_df), (ms.columns, ms.k - 1))
    residual, rows, columns = (square * df / generator.chisquare(df, draws) for square, df in parts)
    return (rows - residual) / ms.k, (columns - residual) / ms.n, residual


def f_interval(
    key: str, ms: MeanSquares, tails: tuple[float, float], row_df: float | None = None
) -> Interval:
    """The interval of an intraclass correlation of equally many ratings per item.

    Parameters
    ----------
    key
        Coefficient key.
    ms
        The mean squares.
    tails
        Probabilities below the lower and below the upper limit.
    row_df
        Degrees of freedom of the items' mean square; None for one less than the items.

    Returns
    -------
    Interval
        One-way and consistency forms by F, agreement by F with Satterthwaite's degrees of freedom,
        averages by Spearman and Brown. Limits of agreement may lie outside the coefficient's range, and
        there are none where the approximation gives none around the estimate.

    Notes
    -----
    Satterthwaite's degrees of freedom are those of a sum with positive terms. Where the estimate is far below
    0, one term is negative, and the degrees of freedom can come close to 0: then the limits of the
    approximation may leave the estimate out.

    References
    ----------
    McGraw & Wong (1996), table 7.
    """
    single, df = SINGLE_OF_AVERAGE.get(key, key), ms.n - 1 if row_df is None else row_df
    if single == "icc2":
        low, high, method = *_agreement_limits(ms, tails, df), "F, Satterthwaite (McGraw & Wong 1996)"
        if not low <= coefficient("icc2", ms) <= high:
            return Interval.missing(NO_LIMITS_IN_RANGE, method)
    else:
        low, high = _ratio_limits(single, ms, tails, df)
        method = "F (Shrout & Fleiss 1979)"
    if key in SINGLE_OF_AVERAGE:
        low, high = spearman_brown(low, ms.k), spearman_brown(high, ms.k)
    return Interval(low, high, method)


def spearman_brown(single: float, k: float) -> float:
    """Reliability of the mean of k ratings from that of one; −∞ where a negative one has no counterpart."""
    rest = 1 + (k - 1) * single
    return k * single / rest if rest > 0 else -math.inf


def _ratio_limits(
    key: str, ms: MeanSquares, tails: tuple[float, float], row_df: float
) -> tuple[float, float]:
    n, k = ms.n, ms.k
    noise, df = (ms.within, n * (k - 1)) if key == "icc1" else (ms.error, (n - 1) * (k - 1))
    if noise == 0:
        return 1.0, 1.0
    below, above = (float(scipy.stats.f.ppf(tail, row_df, df)) for tail in reversed(tails))
    low, high = ms.rows / noise / below, ms.rows / noise / above
    return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)


def _agreement_limits(ms: MeanSquares, tails: tuple[float, float], row_df: float) -> tuple[float, float]:
    n, k = ms.n, ms.k
    estimate = coefficient("icc2", ms)
    if estimate == 1:
        return 1.0, 1.0
    a = k * estimate / (n * (1 - estimate))
    b = 1 + k * estimate * (n - 1) / (n * (1 - estimate))
    by_columns, by_error = a * ms.columns, b * ms.error
    weight = by_columns**2 / (k - 1) + by_error**2 / ((n - 1) * (k - 1))
    # Both terms vanish only where the raters' mean square is zero: the residual's degrees are left.
    v = (by_columns + by_error) ** 2 / weight if weight > 0 else (n - 1) * (k - 1)
    spread = k * ms.columns + (k * n - k - n) * ms.error
    below = float(scipy.stats.f.ppf(tails[1], row_df, v))
    above = float(scipy.stats.f.ppf(tails[1], v, row_df))
    low = n * (ms.rows - below * ms.error) / (below * spread + n * ms.rows)
    high = n * (above * ms.rows - ms.error) / (spread + n * above * ms.rows)
    return low, high
