"""Curves of correlations over the size of a corpus for papers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.io.charts.canvas import ACCENT, EDGE, INK, RULE, Sheet, chart_bytes
from scoring.io.charts.text import LINE_INCHES, paper_type, wrapped

STYLES = ("o-", "s--", "D:")
NATURAL_WIDTH, HEIGHT = 5.5, 3.2
# To the left of the axis: its label and its numbers; below it: its numbers.
LEFT, FOOT = 0.55, 0.22
# Above it: the names of the lines.
HEAD = 0.3


def size_curves(
    rows: Sequence[dict[str, Any]],
    label: str,
    file_format: str,
    *,
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw correlations over the size of a corpus, one line per metric, with the spread of the samples.

    Parameters
    ----------
    rows : sequence of dict
        `metric`, `size`, `estimate`, `least` and `greatest` (None where there is none).
    label : str
        Label of the vertical axis.
    file_format : str
        A key of `FORMATS`.
    note : str
        Text below the axis.
    width : float or None
        Inches; None for the width that suits the content.
    """
    with paper_type([label, note, *(row["metric"] for row in rows)], file_format):
        whole = width or NATURAL_WIDTH
        below = wrapped(f"similes in the corpus{note and f'; {note}'}", whole - LEFT - 2 * EDGE)
        foot = FOOT + LINE_INCHES * len(below)
        sheet = Sheet(whole, HEIGHT, is_for_page=width is not None)
        axes = sheet.axes(LEFT, HEAD, whole - LEFT - 2 * EDGE, HEIGHT - HEAD - foot - EDGE)
        _draw(axes, rows)
        axes.set_ylabel(label, color=INK)
        sheet.write("\n".join(below), LEFT, HEIGHT - LINE_INCHES * len(below) - EDGE)
        return chart_bytes(sheet.figure, file_format)


def _draw(axes: Any, rows: Sequence[dict[str, Any]]) -> None:
    lines: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if row["estimate"] is not None:
            lines.setdefault(row["metric"], []).append(row)
    for (metric, shown), style in zip(lines.items(), STYLES, strict=False):
        sizes = [row["size"] for row in shown]
        axes.plot(sizes, [row["estimate"] for row in shown], style, color=ACCENT, label=metric, markersize=4)
        axes.vlines(sizes, [row["least"] for row in shown], [row["greatest"] for row in shown], color=ACCENT)
    axes.set_xscale("log")
    sizes = sorted({row["size"] for row in rows})
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes], color=INK)
    axes.set_xticks([], minor=True)
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    if lines:
        axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(lines))
