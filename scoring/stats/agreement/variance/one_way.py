"""One-way intraclass correlation where items have different numbers of ratings."""

import math
from collections.abc import Callable

import numpy as np

from scoring.stats.base.resampling import FEWEST_UNITS, FloatArray, Resampling, nothing_to_draw
from scoring.stats.base.result import Interval
from scoring.stats.data.bootstrap.count_patterns import Patterns, patterns_of
from scoring.stats.data.bootstrap.item_patterns import patterns_of_items
from scoring.stats.data.table import Ratings


def unbalanced(ratings: Ratings) -> float:
    """ICC1 by one-way ANOVA with unequal numbers of ratings per item.

    The variance components are weighed with k₀ = (N − Σm_i²/N)/(n − 1) ratings per item.

    Parameters
    ----------
    ratings
        At least two items, one of them with two ratings.

    Returns
    -------
    float
        NaN where the ratings do not vary.

    References
    ----------
    Searle, Casella & McCulloch (1992), section 3.6.
    """
    patterns = patterns_of(ratings)
    features = _features(ratings, patterns)
    return float(_estimates(patterns.frequency[None, :] @ features)[0])


def bootstrap_interval(ratings: Ratings, resampling: Resampling) -> Interval:
    """Percentile bootstrap interval of the unbalanced ICC1 over items, or over groups.

    Parameters
    ----------
    ratings
        Ratings of one criterion.
    resampling
        Replicates, seed and confidence.

    Returns
    -------
    Interval
        For new items; raters are taken to differ from item to item, as the one-way model has it.
    """
    patterns = patterns_of(ratings)
    if patterns.n_units < FEWEST_UNITS:
        return nothing_to_draw(ratings.unit)
    features = _features(ratings, patterns)
    generator = resampling.generator(ratings.criterion, "icc1")
    replicates = [
        _estimates(patterns.draw(generator, size) @ features) for size in resampling.chunks(patterns.width)
    ]
    return resampling.interval(np.concatenate(replicates), ratings.unit, patterns.n_units)


def _features(ratings: Ratings, patterns: Patterns) -> FloatArray:
    """Per pattern: items, ratings, ratings², sum, sum of squares, squared sum over ratings."""
    values = ratings.categories - ratings.value.mean()
    sizes = np.asarray(patterns.counts.sum(axis=1)).ravel()
    sums = patterns.counts @ values
    squares = patterns.counts @ values**2
    return np.column_stack([np.ones_like(sizes), sizes, sizes**2, sums, squares, sums**2 / sizes])


def _estimates(totals: FloatArray) -> FloatArray:
    """ICC1 for each row of feature totals, shape (replicates, 6)."""
    items, ratings, sizes_squared, sums, squares, between = totals.T
    empty = np.full(len(totals), math.nan)
    k0 = np.divide(ratings - sizes_squared / ratings, items - 1, out=empty.copy(), where=items > 1)
    within = np.divide(squares - between, ratings - items, out=empty.copy(), where=ratings > items)
    within = np.where(within < 1e-13 * squares / ratings, 0.0, within)
    rows = np.divide(between - sums**2 / ratings, items - 1, out=empty.copy(), where=items > 1)
    noise = rows + (k0 - 1) * within
    return np.asarray(np.divide(rows - within, noise, out=empty, where=noise > 0), dtype=np.float64)


def icc1_of_weights(ratings: Ratings) -> Callable[[FloatArray], FloatArray]:
    """Prepare ICC1 for items that count several times, by the ANOVA of `unbalanced`.

    Parameters
    ----------
    ratings
        At least two items, one of them with two ratings.

    Returns
    -------
    callable
        From weights of the items, shape (replicates, items), to ICC1, shape (replicates,).
    """
    features = _features(ratings, patterns_of_items(ratings))
    return lambda weights: _estimates(weights @ features)
