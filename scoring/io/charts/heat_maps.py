"""Heat maps for papers: a matrix in as many blocks of columns as its width needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scoring.io.charts.canvas import EDGE, INK, Sheet, chart_bytes
from scoring.io.charts.text import LINE_INCHES, blocks, inches_of, paper_type, pieces, widest, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_NUMBERS = 1000
NATURAL_CELL = 0.55
MOST_LABEL, NATURAL_LABEL = 0.42, 2.6
ROW_GAP, BLOCK_GAP = 0.06, 0.12
# Column labels are set upright where they need more lines than this.
MOST_LINES = 3
# Lengths that are tried for upright labels, in inches.
LABEL_STEP, LONGEST_LABEL = 0.1, 4.0

Values = Sequence[Sequence[float | None]]


@dataclass(frozen=True)
class _Layout:
    """Widths and lines of the labels, in inches, the same for each block of columns."""

    width: float
    left: float
    rows: list[list[str]]
    columns: list[list[str]]
    upright: bool
    per_block: int

    @property
    def row_height(self) -> float:
        return LINE_INCHES * max(len(label) for label in self.rows) + ROW_GAP

    @property
    def foot(self) -> float:
        if self.upright:
            return widest(line for label in self.columns for line in label) + 2 * EDGE
        return LINE_INCHES * max(len(label) for label in self.columns) + 2 * EDGE

    @property
    def cell(self) -> float:
        return (self.width - self.left - 2 * EDGE) / self.per_block

    @property
    def block(self) -> float:
        return self.row_height * len(self.rows) + self.foot + BLOCK_GAP


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Values,
    file_format: str,
    *,
    note: str = "",
    width: float | None = None,
) -> bytes:
    """Draw a matrix of correlations or means, up to 1,000 cells with their numbers.

    Parameters
    ----------
    rows, columns : sequence of str
        Labels.
    values : sequence of sequence of float or None
        Shape (rows, columns); None is left blank.
    file_format : str
        A key of `FORMATS`.
    note : str
        Text below the matrix.
    width : float or None
        Inches; None for the width that suits the content.

    Raises
    ------
    ChartTooTall
        The chart does not fit on a page at the given width.
    """
    with paper_type([*rows, *columns, note], file_format):
        return chart_bytes(heat_figure(rows, columns, values, note=note, width=width), file_format)


def heat_figure(
    rows: Sequence[str], columns: Sequence[str], values: Values, *, note: str, width: float | None
) -> Figure:
    """Lay out the blocks of columns below one another.

    Parameters
    ----------
    rows, columns, values, note, width
        As for `heat_map`.
    """
    layout = _layout(rows or [""], columns or [""], values, width)
    n_blocks = math.ceil(len(columns) / layout.per_block) or 1
    below = wrapped(note, layout.width - 2 * EDGE)
    height = EDGE + n_blocks * layout.block + LINE_INCHES * len(below)
    sheet = Sheet(layout.width, height, is_for_page=width is not None)
    known = [cell for row in values for cell in row if cell is not None]
    ends = (min(known, default=0.0), max(known, default=1.0))
    # So many numbers cannot be read, and each takes as long to draw as the whole matrix without them.
    is_readable = len(rows) * len(columns) <= MOST_NUMBERS
    for number in range(n_blocks if columns and rows else 0):
        shown = slice(number * layout.per_block, (number + 1) * layout.per_block)
        some = [list(row[shown]) for row in values]
        axes = _draw(sheet, layout, (EDGE + number * layout.block, shown), some, ends)
        if is_readable:
            _write_numbers(axes, some, sum(ends) / 2)
    sheet.write("\n".join(below), EDGE, height - LINE_INCHES * len(below))
    return sheet.figure


def _layout(rows: Sequence[str], columns: Sequence[str], values: Values, width: float | None) -> _Layout:
    numbers = (f"{cell:.2f}" for row in values for cell in row if cell is not None)
    least = widest(numbers if len(rows) * len(columns) <= MOST_NUMBERS else ()) + 2 * EDGE
    left = min(widest(rows), MOST_LABEL * width if width else NATURAL_LABEL) + EDGE
    whole = width or left + 2 * EDGE + max(NATURAL_CELL, least) * len(columns)
    most = max(1, int((whole - left - 2 * EDGE) / least + 1e-9)) if width else len(columns)
    # Blocks of the same size, not a full one and a rest.
    per_block = math.ceil(len(columns) / math.ceil(len(columns) / most))
    cell = (whole - left - 2 * EDGE) / per_block
    lines, upright = _column_labels(columns, cell)
    return _Layout(whole, left, [wrapped(row, left) or [""] for row in rows], lines, upright, per_block)


def _column_labels(columns: Sequence[str], cell: float) -> tuple[list[list[str]], bool]:
    """The lines of each label, level where its words fit into the cell, else upright."""
    across = cell - EDGE
    level = [wrapped(name, across) or [""] for name in columns]
    words_fit = all(inches_of(one.strip()) <= across for name in columns for one in pieces(name))
    if words_fit and max(map(len, level)) <= MOST_LINES:
        return level, False
    most = max(1, min(MOST_LINES, int(across / LINE_INCHES)))
    length = LABEL_STEP
    while True:
        length += LABEL_STEP
        upright = [wrapped(name, length) or [""] for name in columns]
        if max(map(len, upright)) <= most or length > LONGEST_LABEL:
            return upright, True


def _draw(
    sheet: Sheet, layout: _Layout, at: tuple[float, slice], values: Values, ends: tuple[float, float]
) -> Any:
    top, shown = at
    n_columns = len(values[0])
    axes = sheet.axes(layout.left + EDGE, top, layout.cell * n_columns, layout.row_height * len(layout.rows))
    numbers = [[math.nan if cell is None else cell for cell in row] for row in values]
    axes.imshow(numbers, cmap="Greens", aspect="auto", vmin=ends[0], vmax=ends[1])
    turned = {"rotation": 90 if layout.upright else 0, "va": "top", "ha": "center"}
    axes.set_xticks(range(n_columns), blocks(layout.columns[shown]), color=INK, **turned)
    axes.set_yticks(range(len(layout.rows)), blocks(layout.rows), color=INK)
    return axes


def _write_numbers(axes: Any, values: Values, middle: float) -> None:
    for position, row in enumerate(values):
        for other, cell in enumerate(row):
            if cell is not None:
                number = f"{cell:.2f}".replace("-", "−")
                colour = "white" if cell > middle else INK
                axes.text(other, position, number, ha="center", va="center", color=colour)
