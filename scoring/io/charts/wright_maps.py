"""Wright maps for papers: items, systems, raters and thresholds of a mixed model on one logit scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

from scoring.io.charts.canvas import ACCENT, EDGE, INK, RULE, Sheet, chart_bytes
from scoring.io.charts.text import LINE_INCHES, inches_of, paper_type, wrapped

NATURAL_WIDTH, HEIGHT = 5.5, 4.4
# To the left of the axis: its label and its numbers; above it: the names of the columns.
LEFT, HEAD = 0.45, 0.25
# Right ends of the columns as shares of the width: items, systems, raters, thresholds.
ENDS = (0.34, 0.6, 0.84, 1.0)
NOTE = (
    "Logits. Items and systems: higher is rated higher. Raters: higher is more severe. Lines: thresholds "
    "between neighbouring points of the scale."
)
MOST_TICKS = 8
# Where a name begins in its column.
NAME = 0.065
# After a name, so that no line crosses it.
PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 0.4}
if TYPE_CHECKING:
    from matplotlib.figure import Figure

Place = tuple[str, float]


def wright_map(model: Mapping[str, Any], file_format: str, *, width: float | None = None) -> bytes:
    """Draw the locations of a model.

    Parameters
    ----------
    model : mapping
        From `scoring.stats.agreement.ordinal.as_json.model_json`.
    file_format : str
        A key of `FORMATS`.
    width : float or None
        Inches; None for the width that suits the content.

    References
    ----------
    Wright & Masters (1982), Rating scale analysis, chapter 4.
    """
    with paper_type([NOTE, *(name for name, _ in (*_systems(model), *_raters(model)))], file_format):
        return chart_bytes(wright_figure(model, width), file_format)


def wright_figure(model: Mapping[str, Any], width: float | None) -> Figure:
    """Lay out the columns of a map side by side.

    Parameters
    ----------
    model, width
        As for `wright_map`.
    """
    systems, raters, thresholds = _systems(model), _raters(model), _thresholds(model)
    whole = width or NATURAL_WIDTH
    note = wrapped(NOTE, whole - 2 * EDGE)
    foot = LINE_INCHES * len(note) + 2 * EDGE
    sheet = Sheet(whole, HEIGHT, is_for_page=width is not None)
    inside = whole - LEFT - EDGE
    axes = sheet.axes(LEFT, HEAD, inside, HEIGHT - HEAD - foot)
    low, high = _range(model["items"], [at for _, at in (*systems, *raters, *thresholds)])
    axes.set_xlim(0, 1)
    axes.set_ylim(low, high)
    axes.set_xticks([])
    axes.set_yticks(_ticks(low, high))
    axes.grid(axis="y", color=RULE, linewidth=0.4)
    gap = (high - low) * LINE_INCHES / (HEIGHT - HEAD - foot)
    _draw_items(axes, model["items"])
    _draw_thresholds(axes, thresholds, gap)
    for places, left, right in ((systems, ENDS[0], ENDS[1]), (raters, ENDS[1], ENDS[2])):
        room = (right - left - NAME) * inside
        _draw_names(axes, [(shortened(name, room), at) for name, at in places], left, gap)
    for title, left in zip(("Items", "Systems", "Raters", "Points"), (0.0, *ENDS[:3]), strict=True):
        axes.text(left + 0.02, high, title, color=INK, ha="left", va="bottom", fontweight="bold")
    sheet.write("\n".join(note), EDGE, HEIGHT - foot + EDGE)
    return sheet.figure


def shortened(name: str, room: float) -> str:
    """The name, or as much of its beginning as fits with an ellipsis.

    Parameters
    ----------
    name : str
        One line.
    room : float
        Inches.
    """
    if inches_of(name) <= room:
        return name
    beginnings = (f"{name[:end]}…" for end in range(len(name), 0, -1))
    return next((one for one in beginnings if inches_of(one) <= room), "…")


def spread(
    places: Sequence[float], gap: float, low: float = -math.inf, high: float = math.inf
) -> list[float]:
    """Places with at least a gap between them, nearest to the given ones by least squares, in the same order.

    Parameters
    ----------
    places : sequence of float
        In increasing order.
    gap : float
        Smallest distance between neighbours.
    low, high : float
        Between which all places are, where there is room.
    """
    if not places:
        return []
    steps = gap * np.arange(len(places))
    fitted = scipy.optimize.isotonic_regression(np.asarray(places, dtype=np.float64) - steps).x
    inside = np.maximum(np.minimum(fitted, high - steps[-1]), low)
    return [float(one) for one in inside + steps]


def _systems(model: Mapping[str, Any]) -> list[Place]:
    if len(model["systems"]) < 2:
        return []
    effects = model["effects"]
    named = [(row["system"], effects.get(row["system"], 0.0)) for row in model["systems"]]
    return sorted(((_printable(name), at) for name, at in named), key=_at)


def _raters(model: Mapping[str, Any]) -> list[Place]:
    known = [(row["rater"], row["logits"]["value"]) for row in model["raters"] if row["logits"]]
    return sorted(known, key=_at)


def _thresholds(model: Mapping[str, Any]) -> list[Place]:
    values = model["values"]
    between = [f"{low:g} | {high:g}" for low, high in pairwise(values)]
    return list(zip(between, model["thresholds"], strict=True))


def _printable(name: str) -> str:
    """A name without control characters, which no SVG may have."""
    return "".join(one if one.isprintable() else " " for one in name)


def _at(place: Place) -> float:
    return place[1]


def _range(items: Mapping[str, Any], places: Sequence[float]) -> tuple[float, float]:
    end = items["start"] + items["width"] * len(items["counts"])
    low, high = min([items["start"], *places]), max([end, *places])
    margin = 0.06 * (high - low)
    return low - margin, high + margin


def _ticks(low: float, high: float) -> list[int]:
    """Whole logits, of which few enough are named."""
    step = max(1, math.ceil((high - low) / MOST_TICKS))
    return [at for at in range(math.ceil(low), math.floor(high) + 1) if at % step == 0]


def _draw_items(axes: Any, items: Mapping[str, Any]) -> None:
    counts, step = items["counts"], items["width"]
    middles = [items["start"] + step * (place + 0.5) for place in range(len(counts))]
    longest = ENDS[0] - 0.04
    lengths = [longest * count / max(counts) for count in counts]
    axes.barh(middles, lengths, height=0.9 * step, left=0.02, color=ACCENT)


def _draw_names(axes: Any, places: Sequence[Place], left: float, gap: float) -> None:
    axes.plot([left + 0.03] * len(places), [at for _, at in places], "o", color=ACCENT, markersize=3)
    low, high = axes.get_ylim()
    if len(places) > (high - low) / gap - 1:
        axes.text(left + NAME, high - gap, f"{len(places)}, unnamed", color=INK, ha="left", va="center")
        return
    shown_at = spread([at for _, at in places], gap, low + gap / 2, high - gap / 2)
    for (name, at), shown in zip(places, shown_at, strict=True):
        axes.plot([left + 0.03, left + 0.06], [at, shown], "-", color=RULE, linewidth=0.6)
        axes.text(left + NAME, shown, name, color=INK, ha="left", va="center", bbox=PAPER)


def _draw_thresholds(axes: Any, thresholds: Sequence[Place], gap: float) -> None:
    for (name, at), shown in zip(thresholds, spread([at for _, at in thresholds], gap), strict=True):
        axes.axhline(at, color=INK, linewidth=0.5, linestyle=(0, (4, 3)))
        axes.text(ENDS[2] + 0.02, shown, name, color=INK, ha="left", va="center", bbox=PAPER)
