"""Borda count over rankings of metrics."""

import numpy as np
from scipy import stats

from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.rounding import settled

# Below every correlation.
LEAST = -2.0


def borda(strengths: FloatArray) -> FloatArray:
    """Sum of the ranks of each metric over several columns.

    Parameters
    ----------
    strengths
        One row a metric, one column a criterion and coefficient: correlations in the declared direction of
        the metric, or absolute ones. NaN comes last.

    Returns
    -------
    ndarray, shape (metrics,)
        Sum over the columns of the rank 0 (weakest) … metrics − 1 (strongest); tied metrics share their mean
        rank, so that no order of the input decides.

    References
    ----------
    HANNA (2022), table 6.
    """
    known = settled(np.where(np.isnan(strengths), LEAST, strengths))
    return np.asarray((stats.rankdata(known, axis=0) - 1).sum(axis=1), dtype=np.float64)
