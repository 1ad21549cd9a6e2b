"""Correlations as SciPy computes them, to compare ours with."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

REFERENCE: dict[str, Callable[..., Any]] = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": stats.kendalltau,
}


def reference(x, y, coefficient):
    """Scipy's coefficient; NaN where a column does not vary or there are fewer than two pairs."""
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return REFERENCE[coefficient](x, y).statistic
