"""The direction of a metric: whether a higher or a lower score means a better item."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from scoring.stats.base.resampling import FloatArray

Direction = Literal["higher", "lower", "unsigned"]
Directions = Mapping[str, Direction]

UNDECLARED: Direction = "unsigned"


def direction_of(metric: str, directions: Directions) -> Direction:
    """The declared direction of a metric; `unsigned` where none is declared.

    Parameters
    ----------
    metric
        Name of the metric.
    directions
        Declared directions by metric.
    """
    return directions.get(metric, UNDECLARED)


def strength(correlation: FloatArray, direction: Direction) -> FloatArray:
    """How well a metric does what it is declared to do.

    Parameters
    ----------
    correlation
        Correlations of one metric, any shape.
    direction
        `higher`: the correlation itself; `lower`: its negative; `unsigned`: its absolute value.

    Returns
    -------
    ndarray
        Of the same shape; NaN stays NaN. A metric that points the wrong way is below zero.
    """
    if direction == "unsigned":
        return np.abs(correlation)
    return correlation if direction == "higher" else -correlation


def sign(correlation: float, direction: Direction) -> int:
    """The sign that turns a metric so that higher is better.

    Parameters
    ----------
    correlation
        Correlation of the metric with the ratings; it decides for `unsigned` metrics.
    direction
        Declared direction.
    """
    if direction == "unsigned":
        return -1 if correlation < 0 else 1
    return 1 if direction == "higher" else -1
