"""p values of a family of tests, adjusted for their number."""

from typing import Literal

import numpy as np
from scipy import stats

from scoring.stats.resampling import FloatArray

Adjustment = Literal["holm", "benjamini-hochberg"]


def adjusted(p: FloatArray, method: Adjustment) -> FloatArray:
    """Adjust the p values of a family.

    Parameters
    ----------
    p
        Shape (tests,); NaN for a test without a result, which does not count in the family.
    method
        `holm`: the chance of any false finding stays below the level. `benjamini-hochberg`: the expected
        share of false findings does, for independent or positively dependent tests.

    Returns
    -------
    ndarray, shape (tests,)
        Compare with the level itself; NaN where there was no p.

    References
    ----------
    Holm (1979); Benjamini & Hochberg (1995).
    """
    result = np.full(len(p), np.nan)
    tested = np.isfinite(p)
    if tested.any():
        known = p[tested]
        result[tested] = (
            _holm(known) if method == "holm" else stats.false_discovery_control(known, method="bh")
        )
    return result


def _holm(p: FloatArray) -> FloatArray:
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    result = np.empty(len(p))
    result[order] = np.minimum(stepped, 1.0)
    return result
