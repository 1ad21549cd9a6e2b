"""Places on the axis of a chart in the rows of its table, in per cent of its width."""

from __future__ import annotations

import math
from typing import Any

Row = dict[str, Any]
# A scale of more steps has marks at its ends and between them.
MOST_STEPS = 10
PARTS = 4


def placed(row: Row, estimate: str, low: float, high: float) -> Row:
    """The row with the names and places that the forest plot of the pages uses.

    Parameters
    ----------
    row : dict
        With `low` and `high`, the ends of its interval, None for none; with `mean` for a second point.
    estimate : str
        Key of the point.
    low, high : float
        Ends of the axis.
    """
    return {
        **row,
        "estimate": row[estimate],
        "x": _place(row[estimate], low, high),
        "x_low": _place(row["low"], low, high),
        "x_high": _place(row["high"], low, high),
        "x_mean": _place(row.get("mean"), low, high),
        "cut": row["low"] is not None and row["low"] < low,
        "cut_high": row["high"] is not None and row["high"] > high,
        "shape": "circle",
    }


def tick(value: float, low: float, high: float) -> Row:
    """Make a tick of the axis with its label; `zero` marks one at 0 that is not the end of a scale."""
    label = f"{value:g}".replace("-", "−")
    return {"label": label, "x": _place(value, low, high), "zero": value == 0 and low < 0}


def _place(value: float | None, low: float, high: float) -> float | None:
    """The position on the axis in per cent; what lies outside is at its end."""
    return None if value is None else round(100 * min(1.0, max(0.0, (value - low) / (high - low))), 2)


def marks(low: float, high: float) -> list[float]:
    """Where a scale has marks: at every whole step of a short one, else at its ends and quarters."""
    steps = high - low
    if steps <= MOST_STEPS and float(steps).is_integer():
        return [low + step for step in range(round(steps) + 1)]
    return [low + steps * part / PARTS for part in range(PARTS + 1)]


def reach_of(values: list[float]) -> tuple[float, float]:
    """The ends of an axis for values of a scale without ends: the whole numbers around them."""
    low, high = math.floor(min(values)), math.ceil(max(values))
    return (low, high) if low < high else (low - 1, high + 1)
