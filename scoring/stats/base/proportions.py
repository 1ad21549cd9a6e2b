"""Shares of answers with their intervals."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import scipy

from scoring.stats.base.resampling import FloatArray, IntArray, nothing_to_draw
from scoring.stats.base.result import (
    CONSTANT_RATINGS,
    NO_ITEM_VARIANCE,
    TOO_FEW_ITEMS,
    TOO_FEW_RATERS,
    Interval,
    finite_or_none,
)

WILSON = "wilson"
STUDENT = "t"
# Less is rounding: the variance of a share of n answers is 0, or at least of the order of 1 / n².
SMALLEST_VARIANCE = 1e-20


@dataclass(frozen=True)
class Share:
    """A share of answers."""

    hits: float  # Answers counted; a half may count
    n: int  # Number of answers
    interval: Interval  # Interval of the share, or the reason why there is none

    def to_row(self) -> dict[str, float | int | str | None]:
        """`share`, `low`, `high`, `interval_method` and `reason`; None for what is not defined."""
        reason = "" if self.n else TOO_FEW_ITEMS
        method = f"none:{self.interval.reason}" if self.interval.reason else self.interval.method
        return {
            "share": self.hits / self.n if self.n else None,
            "low": finite_or_none(self.interval.low),
            "high": finite_or_none(self.interval.high),
            "interval_method": method,
            "reason": reason,
        }


def share_of(hits: FloatArray, units: IntArray, confidence: float, unit: str = "items") -> Share:
    """The mean of hits, with an interval that allows for answers of the same item.

    Parameters
    ----------
    hits
        1 for each answer that counts, 0 for one that does not; shape (answers,).
    units
        The item, or the group of items, of each answer, any whole numbers.
    confidence
        Coverage the interval aims at.
    unit
        Kind of the units, `items` or `groups`.

    Returns
    -------
    Share
        With Wilson's interval; where a unit has several answers, of the effective number of answers.

    References
    ----------
    Wilson (1927); Korn and Graubard (1998) for the effective number.
    """
    n, total = len(hits), float(hits.sum())
    if n == 0:
        return Share(0.0, 0, Interval.missing(TOO_FEW_ITEMS))
    _, codes = np.unique(units, return_inverse=True)
    n_units = int(codes.max()) + 1
    if n_units == n:
        return Share(total, n, wilson(total, n, confidence))
    if n_units < 2:
        return Share(total, n, nothing_to_draw(unit))
    effective = _effective_number(hits, codes, n_units, confidence)
    interval = wilson(total / n * effective, effective, confidence)
    return Share(total, n, replace(interval, method=f"{WILSON}:{unit}"))


def mean_of(values: FloatArray, units: IntArray, confidence: float, unit: str = "items") -> Share:
    """The mean of values from 0 to 1, with an interval that allows for answers of the same item.

    Parameters
    ----------
    values
        Of each answer, from 0 to 1; shape (answers,).
    units
        The item, or the group of items, of each answer, any whole numbers.
    confidence
        Coverage the interval aims at.
    unit
        Kind of the units, `items` or `groups`.

    Returns
    -------
    Share
        With the interval of Student’s t for the linearised ratio mean of the units, clipped to 0 and 1; none
        where the units do not differ, because their variance says nothing then.

    References
    ----------
    Cochran (1977), section 6.4, for the variance of a ratio.
    """
    n, total = len(values), float(values.sum())
    if n == 0:
        return Share(0.0, 0, Interval.missing(TOO_FEW_ITEMS))
    _, codes = np.unique(units, return_inverse=True)
    n_units = int(codes.max()) + 1
    if n_units < 2:
        return Share(total, n, nothing_to_draw(unit))
    variance = _variance_of_mean(values, codes, n_units)
    if variance < SMALLEST_VARIANCE:
        return Share(total, n, Interval.missing(NO_ITEM_VARIANCE))
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, n_units - 1)) * math.sqrt(variance)
    low, high = max(0.0, total / n - half), min(1.0, total / n + half)
    return Share(total, n, Interval(low, high, f"{STUDENT}:{unit}"))


def mean_interval(mean: float, sd: float, n: int, confidence: float = 0.95) -> Interval:
    """The interval of Student’s t for the mean of independent values.

    Parameters
    ----------
    mean
        Of the values.
    sd
        Their standard deviation, with n − 1.
    n
        Number of values.
    confidence
        Coverage it aims at.

    Returns
    -------
    Interval
        None for a single value (`too_few_raters`), or where all are equal (`constant_ratings`), because their
        variance says nothing then.
    """
    if n < 2:
        return Interval.missing(TOO_FEW_RATERS)
    if sd * sd < SMALLEST_VARIANCE:
        return Interval.missing(CONSTANT_RATINGS)
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, n - 1)) * sd / math.sqrt(n)
    return Interval(mean - half, mean + half, f"{STUDENT}:raters")


def answer_units(answers: pd.DataFrame) -> tuple[IntArray, str]:
    """The units by which answers are independent: groups of items where there are any, else items.

    Parameters
    ----------
    answers
        One row per answer: `item`, and `group` if there are any; an item without one is a group of its own.

    Returns
    -------
    codes, unit
        A whole number for each answer, and `items` or `groups`.
    """
    items = answers["item"].astype(str)
    group = answers["group"].fillna("").astype(str) if "group" in answers.columns else items.map(lambda _: "")
    grouped = group != ""
    if not grouped.any():
        return pd.factorize(items)[0].astype(np.int64), "items"
    return pd.factorize(("g" + group).where(grouped, "i" + items))[0].astype(np.int64), "groups"


def _effective_number(hits: FloatArray, codes: IntArray, n_units: int, confidence: float) -> float:
    """Number of independent answers with the same precision; the number of units where none differ."""
    share, n = hits.mean(), len(hits)
    variance = _variance_of_mean(hits, codes, n_units)
    if variance < SMALLEST_VARIANCE:
        return float(n_units)
    # The variance is that of few units: t in place of the normal distribution.
    tail = (1 + confidence) / 2
    certainty = (scipy.stats.norm.ppf(tail) / scipy.stats.t.ppf(tail, n_units - 1)) ** 2
    return float(np.clip(certainty * share * (1 - share) / variance, 1, n))


def _variance_of_mean(values: FloatArray, codes: IntArray, n_units: int) -> float:
    """Of the mean of all answers, from what the units differ by."""
    n = len(values)
    residual = np.bincount(codes, weights=values) - values.mean() * np.bincount(codes)
    return n_units / (n_units - 1) * float(residual @ residual) / n**2


def wilson(hits: float, n: float, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a share.

    Parameters
    ----------
    hits
        Number of hits; need not be whole.
    n
        Number of trials, at least 1; need not be whole.
    confidence
        Coverage it aims at.

    References
    ----------
    Wilson (1927).
    """
    z = float(scipy.stats.norm.ppf((1 + confidence) / 2))
    share = hits / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    low = 0.0 if hits <= 0 else max(0.0, middle - half)
    high = 1.0 if hits >= n else min(1.0, middle + half)
    return Interval(low, high, WILSON)
