"""Mean held-out correlations of raters who come several times or not at all."""

from __future__ import annotations

import numpy as np

from ...arrays import Array
from ...ratings import Ratings
from ..correlation import ROUNDING
from ..held_out import MINIMUM_SHARED

# Digits to which means of others are the same.
DIGITS = 9


def compute_held_out_means(ratings: Ratings, items: Array, raters: Array) -> dict[str, Array]:
    """Correlate each rater with the mean of the others; mean over raters, shape (replicates,)."""
    value = ratings.value - ratings.value.mean()
    value = value / (np.abs(value).max() or 1.0)
    shape = (ratings.n_items, raters.shape[1])
    number, sums = np.zeros(shape), np.zeros(shape)
    np.add.at(number, ratings.item, raters[ratings.rater])
    np.add.at(sums, ratings.item, raters[ratings.rater] * value[:, None])
    above = {name: np.zeros(raters.shape[1]) for name in ("held_out_pearson", "held_out_spearman")}
    below = {name: np.zeros(raters.shape[1]) for name in above}
    for rater in np.flatnonzero(np.bincount(ratings.rater) >= MINIMUM_SHARED):
        own = np.flatnonzero(ratings.rater == rater)
        item, x = ratings.item[own], np.repeat(value[own][:, None], raters.shape[1], axis=1)
        others = number[item] - raters[rater]
        y = (sums[item] - raters[rater] * x) / np.where(others > 0, others, 1.0)
        y = np.round(np.where(others > 0, y, 0.0), DIGITS)
        taken = items[item] * (others > 0)
        found = correlate(x, y, taken), correlate(mid_ranks(x, taken), mid_ranks(y, taken), taken)
        for name, r in zip(above, found, strict=True):
            above[name] += raters[rater] * np.nan_to_num(r)
            below[name] += raters[rater] * np.isfinite(r)
    return {
        name: np.where(below[name] > 0, above[name] / np.maximum(below[name], 1), np.nan) for name in above
    }


def correlate(x: Array, y: Array, taken: Array) -> Array:
    """Correlate columns; NaN where one does not vary."""
    n = np.maximum(taken.sum(axis=0), 1.0)
    x, y = (side - (taken * side).sum(axis=0) / n for side in (x, y))
    xx, yy, xy = ((taken * product).sum(axis=0) for product in (x * x, y * y, x * y))
    varied = (xx > ROUNDING * n) & (yy > ROUNDING * n)
    return np.where(varied, np.clip(xy / np.sqrt(np.where(varied, xx * yy, 1.0)), -1, 1), np.nan)


def mid_ranks(values: Array, taken: Array) -> Array:
    """Rank each column as if each value came as often as it was taken, as shares of all."""
    ranks = np.empty(values.shape)
    for column in range(values.shape[1]):
        distinct, code = np.unique(np.round(values[:, column] * 10**DIGITS), return_inverse=True)
        number = np.bincount(code, taken[:, column], len(distinct))
        ranks[:, column] = (np.cumsum(number) - number / 2)[code] / max(number.sum(), 1.0)
    return ranks
