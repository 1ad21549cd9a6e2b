"""Scores of a metric put on the scale of the ratings, so that the metric can act as a judge."""

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray


def on_scale_of(values: FloatArray, scores: FloatArray, *, lower_is_better: bool = False) -> FloatArray:
    """Scores with the distribution of the ratings: the score at a quantile becomes the rating at it.

    Parameters
    ----------
    values : ndarray of float, shape (ratings,)
        All ratings of a criterion.
    scores : ndarray of float, shape (items,)
        Scores on any scale; NaN stays NaN. Equal scores become equal.
    lower_is_better : bool
        Whether the lowest score becomes the highest rating.

    Returns
    -------
    ndarray of float, shape (items,)
        Values that occur among the ratings. Which item has which rating is not used.

    References
    ----------
    Kolen and Brennan (2014), Test Equating, Scaling, and Linking, chapter 2: equipercentile equating.
    """
    mapped = np.full(len(scores), np.nan)
    known = np.isfinite(scores)
    if not known.any() or not len(values):
        return mapped
    ranks = scipy.stats.rankdata(-scores[known] if lower_is_better else scores[known])
    mapped[known] = np.quantile(values, (ranks - 0.5) / known.sum(), method="inverted_cdf")
    return mapped
