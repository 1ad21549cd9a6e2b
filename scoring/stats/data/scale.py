"""The declared scale of a criterion, and the values that can be expected on it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from scoring.stats.base.resampling import FloatArray

# Possible distances between the points of a scale; the first one that fits is used.
STEPS = (1.0, 0.5)

# Far more than any scale of categories has; the points of a larger scale are not listed.
MOST_POINTS = 4_000


class Scale(NamedTuple):
    """Least and greatest value.

    `continuous` where answers lie anywhere between them, as a slider's do; `logarithmic` where the ends
    and the values are logarithms of what was answered; `bounded` where the ends are those of the question
    and not only of what can be stored.
    """

    low: float
    high: float
    continuous: bool = False
    logarithmic: bool = False
    bounded: bool = True

    def measured(self, number: float) -> float:
        """What an answer is on this scale; on a logarithmic one, below everything if it is 0 or less."""
        if not self.logarithmic:
            return number
        return math.log(number) if number > 0 else -math.inf

    def joined(self, other: Scale) -> Scale:
        """The scale that has the values of both."""
        return Scale(
            min(self.low, other.low),
            max(self.high, other.high),
            self.continuous or other.continuous,
            self.logarithmic or other.logarithmic,
            self.bounded and other.bounded,
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
        The points of a declared scale in whole steps, or in half steps where the values or the ends of the
        scale need them, and values beyond its ends; else the values that occur.
    """
    occurring = np.sort(np.asarray(pd.unique(value), dtype=np.float64))
    if scale is None or Scale(*scale).continuous:
        return occurring
    low, high, *_ = scale
    for step in STEPS:
        if in_steps(np.append(occurring, (low, high)), step):
            last = int(min((high - low) / step, MOST_POINTS))
            return np.union1d(occurring, low + step * np.arange(last + 1, dtype=np.float64))
    return occurring


def in_steps(values: FloatArray, step: float) -> bool:
    """Whether all values are multiples of a step.

    Parameters
    ----------
    values
        Any values.
    step
        One of `STEPS`.
    """
    return bool(np.all(values / step == np.round(values / step)))
