"""Curves over the size of a corpus as their page shows them: a table, and lines on a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.models import Report, ScoreRun

KIND = "corpus"
COEFFICIENTS = {"pearson": "Pearson r", "spearman": "Spearman ρ"}
METRICS = ("quality", "relevance", "creativity")
WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 10, 34
STEP = 0.2


def latest_curve(run: ScoreRun) -> Report | None:
    """The newest curve of a run."""
    found = Report.objects.filter(study=run.study_id, kind=KIND, data__run=run.pk)
    return found.order_by("-pk").first()


def table_of(report: Report, coefficient: str) -> list[dict[str, Any]]:
    """One row per size, with the result of each metric."""
    cells: dict[int, dict[str, Mapping[str, Any]]] = {}
    for row in report.figures:
        if row["coefficient"] == coefficient:
            cells.setdefault(row["size"], {})[row["metric"]] = row
    return [
        {"size": size, "samples": own[METRICS[0]]["samples"], "cells": [own[metric] for metric in METRICS]}
        for size, own in sorted(cells.items())
    ]


def chart_of(report: Report, coefficient: str) -> dict[str, Any]:
    """Lines of the metrics by one coefficient, in a drawing of `WIDTH` by `HEIGHT`.

    Returns
    -------
    dict
        `lines`, each with metric, points and the spread of each; `across` and `up`, the marks of the axes;
        no lines where nothing could be computed.
    """
    rows = [row for row in report.figures if row["coefficient"] == coefficient]
    known = [row for row in rows if row["estimate"] is not None]
    if not known:
        return {"lines": []}
    sizes = sorted({row["size"] for row in rows})
    low, high = _limits([row[key] for row in known for key in ("least", "greatest")])
    plane = _Plane(sizes[0], sizes[-1], low, high)
    lines = [_line(metric, [row for row in known if row["metric"] == metric], plane) for metric in METRICS]
    return {
        "lines": [line for line in lines if line["points"]],
        "across": _marks_across(sizes, plane.x),
        "up": [{"y": plane.y(value), "label": _signed(value)} for value in _steps(low, high)],
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "bottom": HEIGHT - BOTTOM,
    }


@dataclass(frozen=True)
class _Plane:
    """The drawing: sizes across on a logarithmic axis, figures upwards."""

    first: int
    last: int
    low: float
    high: float

    def x(self, size: int) -> float:
        first, last = math.log10(self.first), math.log10(self.last)
        share = (math.log10(size) - first) / (last - first) if last > first else 0.5
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        return round(TOP + (self.high - value) / (self.high - self.low) * (HEIGHT - TOP - BOTTOM), 1)


def _line(metric: str, rows: Sequence[Mapping[str, Any]], plane: _Plane) -> dict[str, Any]:
    points = [
        {
            "x": plane.x(row["size"]),
            "y": plane.y(row["estimate"]),
            "y1": plane.y(row["least"]),
            "y2": plane.y(row["greatest"]),
        }
        for row in rows
    ]
    path = " ".join(f"{point['x']},{point['y']}" for point in points)
    return {"metric": metric, "points": points, "path": path}


def _limits(values: Sequence[float]) -> tuple[float, float]:
    """The steps around all values and 0, at least two steps of range."""
    low = math.floor(min(0.0, *values) / STEP) * STEP
    high = math.ceil(max(0.0, *values) / STEP) * STEP
    return low, max(high, low + 2 * STEP)


def _steps(low: float, high: float) -> list[float]:
    return [low + STEP * number for number in range(round((high - low) / STEP) + 1)]


def _marks_across(sizes: Sequence[int], x: Callable[[int], float]) -> list[dict[str, Any]]:
    """Powers of ten that are not too close to the whole corpus, and the whole corpus."""
    whole = sizes[-1]
    powers = [size for size in sizes[:-1] if 10 ** round(math.log10(size)) == size]
    marks = [size for size in powers if x(whole) - x(size) > WIDTH / 10]
    return [{"x": x(size), "label": f"{size:,}"} for size in [*marks, whole]]


def _signed(value: float) -> str:
    return f"{value:.1f}".replace("-0.0", "0.0").replace("-", "−")
