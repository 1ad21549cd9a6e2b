"""p values of a family of tests, adjusted for their number."""

import math
from typing import Literal

import numpy as np
import scipy

from scoring.stats.base.resampling import FloatArray

Adjustment = Literal["holm", "benjamini-hochberg", "benjamini-yekutieli"]

# The smallest p that replicates can give, times the number of tests, is to be at most this.
SMALLEST_ADJUSTED = 0.01

# 250 tests at .01 and 1,250 at .05, which are all pairs of 22 and of 50 systems. Replicates are held in
# memory, 120 MB for 50 systems and six criteria. Beyond, the smallest adjusted p shows what the cap costs.
MOST_REPLICATES = 50_000


def enough_replicates(asked: int, tests: int) -> int:
    """Replicates with which a family of resampling tests can reject.

    Parameters
    ----------
    asked
        Replicates asked for; never fewer are taken.
    tests
        Number of tests in the family.

    Returns
    -------
    int
        So many that `smallest_adjusted` is at most .01: 200 a test, less one, but no more than 50,000.
    """
    return max(asked, min(math.ceil(2 * tests / SMALLEST_ADJUSTED) - 1, MOST_REPLICATES))


def smallest_adjusted(replicates: int, tests: int) -> float:
    """The smallest p that a two-sided bootstrap can give, after Holm's adjustment.

    Parameters
    ----------
    replicates
        Replicates of each test.
    tests
        Number of tests in the family.

    Returns
    -------
    float
        2 (1 + 0) / (1 + replicates) times the tests, at most 1. A level below it cannot be reached.
    """
    return min(1.0, 2 * tests / (1 + replicates))


def adjusted(p: FloatArray, method: Adjustment) -> FloatArray:
    """Adjust the p values of a family.

    Parameters
    ----------
    p
        Shape (tests,); NaN for a test without a result, which does not count in the family.
    method
        `holm`: the chance of any false finding stays below the level. `benjamini-hochberg`: the expected
        share of false findings does, for independent or positively dependent tests.
        `benjamini-yekutieli`: it does for tests that depend on each other in any way.

    Returns
    -------
    ndarray, shape (tests,)
        Compare with the level itself; NaN where there was no p.

    References
    ----------
    Holm (1979); Benjamini & Hochberg (1995); Benjamini & Yekutieli (2001).
    """
    result = np.full(len(p), np.nan)
    tested = np.isfinite(p)
    if tested.any():
        known = p[tested]
        result[tested] = _holm(known) if method == "holm" else _false_discoveries(known, method)
    return result


def _false_discoveries(p: FloatArray, method: Adjustment) -> FloatArray:
    short: Literal["bh", "by"] = "bh" if method == "benjamini-hochberg" else "by"
    return np.asarray(scipy.stats.false_discovery_control(p, method=short), dtype=np.float64)


def _holm(p: FloatArray) -> FloatArray:
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    result = np.empty(len(p))
    result[order] = np.minimum(stepped, 1.0)
    return result
