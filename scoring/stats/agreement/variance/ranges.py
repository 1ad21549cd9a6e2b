"""The range of an intraclass correlation, and confidence limits within it."""

import math
from dataclasses import replace

from scoring.stats.base.cautions import WITHIN_RANGE
from scoring.stats.base.result import NO_LIMITS_IN_RANGE, Interval

# An estimate at the end of the range may be beyond it by rounding.
ROUNDING = 1e-9


def least_value(key: str, most: int, k: float) -> float:
    """The least value that an intraclass correlation can have.

    The mean of m ratings with the same variance and the correlation ρ has a variance proportional to
    1 + (m − 1)ρ, which is not negative, so ρ ≥ −1/(m − 1). The reliability of a mean of k ratings is
    kρ/(1 + (k − 1)ρ), which has no lower end where k = m.

    Parameters
    ----------
    key
        Coefficient key; those of averages end in `k`.
    most
        The greatest number of ratings that an item has, at least 2.
    k
        Number of ratings that an average is of, at most `most`.

    Returns
    -------
    float
        −1/(most − 1), or −k/(most − k) for averages; −∞ where k is `most`.
    """
    if not key.endswith("k"):
        return -1 / (most - 1)
    return -k / (most - k) if k < most else -math.inf


def within_range(interval: Interval, estimate: float, least: float) -> Interval:
    """The part of an interval that lies within the range of the coefficient.

    The true value lies within the range, so the part covers it exactly as often as the whole interval.

    Parameters
    ----------
    interval
        Confidence limits as their method gives them, or the reason why there are none.
    estimate
        The estimate that they are of.
    least
        Lower end of the range; its upper end is 1.

    Returns
    -------
    Interval
        Its settings say where a limit was moved to the end of the range. Missing where there is no finite
        part, or the estimate itself is outside the range.

    References
    ----------
    Mandelkern (2002), Setting confidence intervals for bounded parameters.
    """
    if interval.reason:
        return interval
    low, high = max(interval.low, least), min(interval.high, 1.0)
    slack = ROUNDING * max(1.0, abs(least)) if math.isfinite(least) else 0.0
    possible = least - slack <= estimate <= 1 + ROUNDING
    if not (possible and math.isfinite(low) and math.isfinite(high) and low <= high):
        return Interval.missing(NO_LIMITS_IN_RANGE, interval.method)
    if (low, high) == (interval.low, interval.high):
        return interval
    return replace(
        interval, low=low, high=high, settings="|".join(filter(None, (interval.settings, WITHIN_RANGE)))
    )
