"""Forest plots for papers: estimates with their intervals, one panel per criterion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from scoring.io.charts.canvas import ACCENT, EDGE, INK, RULE, WIDTHS, Sheet, chart_bytes
from scoring.io.charts.text import LINE_INCHES, blocks, inches_of, paper_type, widest, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NATURAL_WIDTH = 6.5
ROW_GAP, TITLE_GAP, PANEL_GAP = 0.03, 0.05, 0.12
# Below the rows of a panel: the numbers of its axis.
AXIS_INCHES = 0.2
NOTE_GAP = 0.06
MOST_LABEL = 0.5
STEPS = (0.25, 0.5)
END = 1.02
SCALE_STEPS = (1, 2, 5, 10, 20, 25, 50, 100)
SCALE_MARGIN = 0.02


@dataclass(frozen=True)
class _Panel:
    """One criterion: the lines of its title and of each label, its rows, and the ends of its scale."""

    title: list[str]
    labels: list[list[str]]
    rows: list[dict[str, Any]]
    axis: tuple[float, float] | None

    @property
    def title_height(self) -> float:
        return LINE_INCHES * len(self.title) + (TITLE_GAP if self.title else 0.0)

    @property
    def row_heights(self) -> list[float]:
        return [LINE_INCHES * len(label) + ROW_GAP for label in self.labels]

    @property
    def height(self) -> float:
        return self.title_height + sum(self.row_heights) + AXIS_INCHES + PANEL_GAP


def forest_plot(groups: Sequence[dict[str, Any]], file_format: str, *, width: float | None = None) -> bytes:
    """Draw estimates with their intervals, one panel per criterion and one row per statistic.

    Parameters
    ----------
    groups : sequence of dict
        `criterion` and `rows`, each with `name`, `estimate`, `low` and `high` (None where there is none), and
        with the `confidence` of its interval, which is named below the panels. With `axis`, the ends of its
        scale, where that is not from 0 to 1.
    file_format : str
        A key of `FORMATS`.
    width : float or None
        Inches; None for the width that suits the content.

    Raises
    ------
    ChartTooTall
        The chart does not fit on a page at the given width.
    """
    texts = [name for one in groups for name in (one["criterion"], *(row["name"] for row in one["rows"]))]
    with paper_type(texts, file_format):
        return chart_bytes(forest_figure(groups, width), file_format)


def forest_figure(groups: Sequence[dict[str, Any]], width: float | None) -> Figure:
    """Lay out the panels side by side, each at least as wide as a paper's column.

    Parameters
    ----------
    groups, width
        As for `forest_plot`.
    """
    whole = width or NATURAL_WIDTH
    n_columns = max(1, min(len(groups), int(whole // WIDTHS["column"])))
    panel_width = whole / n_columns
    drawn = [[row for row in group["rows"] if row["estimate"] is not None] for group in groups]
    longest = widest(row["name"] for rows in drawn for row in rows)
    label = min(longest, MOST_LABEL * panel_width) + EDGE
    panels = [
        _panel(group["criterion"] if len(groups) > 1 else "", rows, label, panel_width, group.get("axis"))
        for group, rows in zip(groups, drawn, strict=True)
    ]
    bands = [panels[start : start + n_columns] for start in range(0, len(panels), n_columns)]
    heights = [max(panel.height for panel in band) for band in bands]
    note = wrapped(_note(row for rows in drawn for row in rows), whole - 2 * EDGE)
    below = NOTE_GAP + LINE_INCHES * len(note) if note else 0.0
    sheet = Sheet(whole, sum(heights) + below + EDGE, is_for_page=width is not None)
    ends = (row[end] or 0.0 for rows in drawn for row in rows for end in ("low", "estimate"))
    low = min([0.0, *ends]) - 0.02
    for band, top in zip(bands, accumulate([EDGE, *heights]), strict=False):
        for position, panel in enumerate(band):
            _draw(sheet, panel, (position * panel_width, top), (panel_width, label), low)
    sheet.write("\n".join(note), EDGE, sum(heights) + NOTE_GAP)
    return sheet.figure


def _note(rows: Iterable[dict[str, Any]]) -> str:
    """What the lines of the chart show; empty where there are none."""
    levels = {row.get("confidence") for row in rows if row["low"] is not None}
    if not levels:
        return ""
    level = levels.pop()
    known = f"{100 * level:g}% " if level and not levels else ""
    return f"Lines: {known}confidence intervals."


def _panel(
    criterion: str,
    rows: list[dict[str, Any]],
    label: float,
    width: float,
    axis: tuple[float, float] | None,
) -> _Panel:
    title = wrapped(f"{criterion[:1].upper()}{criterion[1:]}", width - 2 * EDGE)
    return _Panel(title, [wrapped(row["name"], label) for row in rows], rows, axis)


def _draw(
    sheet: Sheet, panel: _Panel, corner: tuple[float, float], widths: tuple[float, float], low: float
) -> None:
    (left, top), (whole, label) = corner, widths
    sheet.write("\n".join(panel.title), left + EDGE, top)
    heights = panel.row_heights
    plotted = whole - label - 4 * EDGE
    axes = sheet.axes(left + label + 2 * EDGE, top + panel.title_height, plotted, sum(heights) or EDGE)
    middles = [end - height / 2 for end, height in zip(accumulate(heights), heights, strict=True)]
    for middle, row in zip(middles, panel.rows, strict=True):
        if row["low"] is not None:
            axes.plot([row["low"], row["high"]], [middle, middle], color=ACCENT, linewidth=1.2, zorder=2)
        axes.plot(row["estimate"], middle, marker="o", color=ACCENT, markersize=3.5, zorder=3)
    axes.set_yticks(middles, blocks(panel.labels), color=INK)
    axes.set_ylim(sum(heights) or EDGE, 0)
    if panel.axis is None:
        axes.set_xlim(low, END)
        ticks = _ticks(low, plotted)
    else:
        margin = SCALE_MARGIN * (panel.axis[1] - panel.axis[0])
        axes.set_xlim(panel.axis[0] - margin, panel.axis[1] + margin)
        ticks = _scale_ticks(*panel.axis, plotted)
    axes.set_xticks(ticks, [f"{tick:g}".replace("-", "−") for tick in ticks], color=INK)
    axes.grid(axis="x", color=RULE, linewidth=0.6)


def _ticks(low: float, plotted: float) -> list[float]:
    """Numbers of the axis, so few that they do not touch."""
    needed = 1.5 * inches_of("-0.25")
    step = next((one for one in STEPS if one * plotted / (END - low) >= needed), STEPS[-1])
    return [count * step for count in range(int(low / step), int(END / step) + 1)]


def _scale_ticks(low: float, high: float, plotted: float) -> list[float]:
    """Marks of a scale from its low end on, so few that they do not touch, else both its ends."""
    needed = 1.5 * inches_of(f"{high:g}")
    steps = [one for one in SCALE_STEPS if (high - low) % one == 0 and one * plotted / (high - low) >= needed]
    if not steps:
        return [low, high]
    return [low + count * steps[0] for count in range(round((high - low) / steps[0]) + 1)]
