"""Ratings on a scale as dots above a line, for `components/strip.html`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

STRIP = {"width": 84, "left": 8.0, "right": 76.0, "foot": 14.0, "step": 7.0, "most": 14.0}


def logarithmic_scale(given: Iterable[float]) -> dict[str, Any]:
    """The scale of numbers on which ratios count, from the least to the greatest that was given.

    Parameters
    ----------
    given : iterable of float
        Numbers above zero, at least one.
    """
    values = list(given)
    low, high = min(values), max(values)
    if low == high:
        low, high = low / 2, high * 2
    return {"minimum": low, "maximum": high, "logarithmic": True}


def open_scale(given: Iterable[float]) -> dict[str, Any]:
    """The scale of numbers without ends of their own, from the least to the greatest that was given.

    Parameters
    ----------
    given : iterable of float
        At least one.
    """
    values = list(given)
    low, high = min(values), max(values)
    if low == high:
        low, high = low - 1, high + 1
    return {"minimum": low, "maximum": high}


def rating_dots(scale: Mapping[str, Any], counts: Mapping[str, int]) -> dict[str, Any]:
    """The ratings of an item on one scale as dots, in the units of the drawing.

    Parameters
    ----------
    scale : mapping
        `minimum` and `maximum`, which differ, and `logarithmic` if equal ratios have equal distances.
    counts : mapping of str to int
        Numbers of ratings by value.

    Returns
    -------
    dict
        `dots`, `ticks`, and `from` and `to` where values differ.
    """
    measured = math.log if scale.get("logarithmic") else float
    low = measured(scale["minimum"])
    width = measured(scale["maximum"]) - low

    def at(measure: float) -> float:
        return round(STRIP["left"] + (STRIP["right"] - STRIP["left"]) * (measure - low) / width, 1)

    def place(value: float) -> float:
        return at(measured(value))

    values = sorted((float(value), number) for value, number in counts.items())
    most = max((number for _, number in values), default=1)
    step = min(STRIP["step"], STRIP["most"] / max(most - 1, 1))
    dots = [
        {"x": place(value), "y": round(STRIP["foot"] - step * above, 1)}
        for value, number in values
        for above in range(number)
    ]
    ticks = (
        [at(low + point) for point in range(int(width) + 1)]
        if width <= 10 and not scale.get("logarithmic")
        else [at(low), at(low + width)]
    )
    ends = {"from": place(values[0][0]), "to": place(values[-1][0])} if len(values) > 1 else {}
    return {"dots": dots, "ticks": ticks, **ends}


def list_ratings(counts: Mapping[str, int]) -> str:
    """The ratings one by one: `2, 4, 4`."""
    values = sorted(counts.items(), key=lambda pair: float(pair[0]))
    return ", ".join(value for value, number in values for _ in range(number))
