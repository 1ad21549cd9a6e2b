"""The declared scale of a criterion, and the values that can be expected on it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from scoring.stats.base.resampling import FloatArray


class Scale(NamedTuple):
    """Least and greatest value; `continuous` where answers lie anywhere between them, as a slider's do."""

    low: float
    high: float
    continuous: bool = False

    def joined(self, other: Scale) -> Scale:
        """The scale that has the values of both."""
        return Scale(
            min(self.low, other.low), max(self.high, other.high), self.continuous or other.continuous
        )


def categories_of(value: FloatArray, scale: tuple[float, float] | Scale | None) -> FloatArray:
    """Possible values in order.

    Parameters
    ----------
    value
        The ratings of one criterion, without NaN.
    scale
        What was declared, if anything.

    Returns
    -------
    ndarray
        The points of a declared scale with whole values; else the values that occur.
    """
    occurring = np.sort(np.asarray(pd.unique(value), dtype=np.float64))
    if scale is None or Scale(*scale).continuous or np.any(occurring != np.round(occurring)):
        return occurring
    return np.union1d(occurring, np.arange(scale[0], scale[1] + 1, dtype=np.float64))
