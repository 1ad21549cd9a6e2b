"""Drawings of how one rater works: seconds per page in order, and next to those of others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from annotation.selectors.quality.rater_evidence import DrawnPage, RaterEvidence

# Horizontal positions are percentages of the width, vertical ones pixels from the top.
LEFT, RIGHT = 8.0, 99.0
TOP, FOOT = 10.0, 78.0
BINS = 12
FEWEST_OTHERS = 4
NICE = (1, 2, 3, 4, 5, 6, 8, 10)


@dataclass(frozen=True)
class Point:
    """A page in the chart: its label and position; `cut` if it is above the drawing."""

    page: DrawnPage
    x: float
    y: float
    cut: bool


@dataclass(frozen=True)
class Box:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class PaceChart:
    """Seconds of each page; `band` is the middle half of the others, `limit` the reading threshold."""

    top: int
    points: Sequence[Point]
    band: Box | None
    limit: float | None


@dataclass(frozen=True)
class SecondsChart:
    """Pages by seconds, the others scaled to the number of the rater’s pages."""

    top: int
    bars: Sequence[Box]
    others: Sequence[Box]
    limit: float | None
    median: float
    median_others: float


def pace_chart(found: RaterEvidence) -> PaceChart | None:
    """Draw the seconds of a rater's pages in order; None without times.

    Parameters
    ----------
    found : RaterEvidence
        The rater's pages, and the seconds of others.
    """
    if not found.seconds:
        return None
    middle = quantiles(found.others, n=4) if len(found.others) >= FEWEST_OTHERS else None
    most = max([_upper_bound(found.seconds), *(middle[2:] if middle else []), found.least_seconds or 0])
    top = _round_up(1.15 * most)
    timed = [(page, page.seconds) for page in found.pages if page.seconds is not None]
    step = (RIGHT - LEFT - 2) / max(len(timed) - 1, 1)
    points = [
        Point(page, round(LEFT + 1 + step * place, 2), _y(seconds, top), seconds > top)
        for place, (page, seconds) in enumerate(timed)
    ]
    band = None
    if middle:
        high, low = _y(middle[2], top), _y(middle[0], top)
        band = Box(LEFT, high, RIGHT - LEFT, round(low - high, 1))
    limit = None if found.least_seconds is None else _y(found.least_seconds, top)
    return PaceChart(top, points, band, limit)


def seconds_chart(found: RaterEvidence) -> SecondsChart | None:
    """Draw how many pages took how long, next to others on the same items; None with too few of them.

    Parameters
    ----------
    found : RaterEvidence
        The rater's pages, and the seconds of others.
    """
    if not found.seconds or len(found.others) < FEWEST_OTHERS:
        return None
    top = _round_up(max(_upper_bound(found.seconds), _upper_bound(found.others), found.least_seconds or 0))
    own = _counts(found.seconds, top)
    scale = len(found.seconds) / len(found.others)
    others = [scale * count for count in _counts(found.others, top)]
    most = max(*own, *others)
    limit = None if found.least_seconds is None else _x(found.least_seconds, top)
    return SecondsChart(
        top, _bars(own, most), _bars(others, most), limit, median(found.seconds), median(found.others)
    )


def _counts(seconds: Sequence[float], top: int) -> list[float]:
    """Numbers of pages by length of time; the last bin has the longer ones too."""
    counts = [0.0] * BINS
    for one in seconds:
        counts[min(int(BINS * one / top), BINS - 1)] += 1
    return counts


def _bars(counts: Sequence[float], most: float) -> list[Box]:
    width = (RIGHT - LEFT) / BINS
    heights = [round((FOOT - TOP) * count / most, 1) for count in counts]
    return [
        Box(round(LEFT + width * place + 0.2, 2), round(FOOT - height, 1), round(width - 0.4, 2), height)
        for place, height in enumerate(heights)
    ]


def _upper_bound(seconds: Sequence[float]) -> float:
    """The time that 9 of 10 pages do not exceed."""
    return sorted(seconds)[math.ceil(0.9 * len(seconds)) - 1]


def _round_up(most: float) -> int:
    """The next of 1, 2, 3, 4, 5, 6, 8, 10, 20, …"""
    power = int(10 ** max(0, math.floor(math.log10(max(most, 1)))))
    return next(power * step for step in NICE if power * step >= most)


def _x(seconds: float, top: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * min(seconds / top, 1), 2)


def _y(seconds: float, top: int) -> float:
    return round(FOOT - (FOOT - TOP) * min(seconds / top, 1), 1)
