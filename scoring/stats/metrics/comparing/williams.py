"""Williams's test: which of two metrics correlates better with the same human ratings."""

import math
from dataclasses import dataclass
from typing import Literal

import scipy

NEGATIVE_RADICAND = "negative_radicand"
TOO_FEW_PAIRS = "too_few_pairs"
UNDEFINED_CORRELATION = "undefined_correlation"

Variant = Literal["two-sided", "paper"]


@dataclass(frozen=True)
class WilliamsTest:
    """Outcome of the test."""

    # The statistic; positive where the first metric correlates better. NaN exactly when `reason` is
    # set.
    t: float
    p: float  # Its probability under equal correlations
    df: int  # Degrees of freedom, n − 3
    variant: Variant  # `two-sided`, or `paper`: one-sided on absolute correlations with the larger first
    reason: str = ""  # Why there is no statistic; empty when there is one


def williams(r12: float, r13: float, r23: float, n: int, variant: Variant = "two-sided") -> WilliamsTest:
    """Compare the correlations of two metrics with one criterion.

    Parameters
    ----------
    r12, r13
        Correlation of the first and the second metric with the criterion. For `two-sided` both are signed so
        that a better metric has the larger one.
    r23
        Correlation of the two metrics, signed alike.
    n
        Number of pairs the correlations rest on.
    variant
        `two-sided`; or `paper`: absolute correlations, larger first, r23 with the product of their signs,
        one-sided. Choosing the larger first doubles the one-sided error; it is there for replication.

    Returns
    -------
    WilliamsTest
        Without a statistic when n < 4, a correlation is missing or the radicand is not positive.

    References
    ----------
    Williams (1959); Steiger (1980), eq. 7; HANNA (2022), section 5.2.
    """
    if any(math.isnan(r) for r in (r12, r13, r23)):
        return _missing(UNDEFINED_CORRELATION, n, variant)
    if n < 4:
        return _missing(TOO_FEW_PAIRS, n, variant)
    if variant == "paper":
        r23 *= math.copysign(1, r12) * math.copysign(1, r13)
        r12, r13 = sorted((abs(r12), abs(r13)), reverse=True)
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    radicand = 2 * determinant * (n - 1) / (n - 3) + ((r12 + r13) ** 2 / 4) * (1 - r23) ** 3
    if radicand <= 0:
        return _missing(NEGATIVE_RADICAND, n, variant)
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23)) / math.sqrt(radicand)
    tail = float(scipy.stats.t.sf(t if variant == "paper" else abs(t), n - 3))
    return WilliamsTest(t, tail if variant == "paper" else 2 * tail, n - 3, variant)


def _missing(reason: str, n: int, variant: Variant) -> WilliamsTest:
    return WilliamsTest(math.nan, math.nan, n - 3, variant, reason)
