"""Borda count over rankings of metrics."""

import numpy as np
from scipy import stats

from scoring.stats.resampling import FloatArray
from scoring.stats.rounding import settled


def borda(correlations: FloatArray) -> FloatArray:
    """Sum of the ranks of each metric over several columns of correlations.

    Parameters
    ----------
    correlations
        One row a metric, one column a criterion and coefficient; the absolute value ranks. NaN comes last.

    Returns
    -------
    ndarray, shape (metrics,)
        Sum over the columns of the rank 0 (weakest) … metrics − 1 (strongest); tied metrics share their mean
        rank, so that no order of the input decides.

    References
    ----------
    HANNA (2022), table 6.
    """
    strength = settled(np.where(np.isnan(correlations), -1.0, np.abs(correlations)))
    return np.asarray((stats.rankdata(strength, axis=0) - 1).sum(axis=1), dtype=np.float64)
