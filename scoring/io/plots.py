"""Figures for papers in SVG, PDF and PNG. The same numbers give the same bytes."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, ACCENT, RULE = "#1f2421", "#1c6b4f", "#d5d9d6"
ROW_INCHES = 0.26
MOST_NUMBERS = 1000
STYLES = ("o-", "s--", "D:")
# Tried in this order where the machine has them, for labels in Chinese and Japanese.
EAST_ASIAN = ("Noto Sans CJK JP", "Noto Sans CJK SC", "IPAexGothic", "WenQuanYi Zen Hei")
FORMATS = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
# Inches of one column and of the whole text in the two-column style of ACL's conferences.
WIDTHS = {"column": 3.03, "page": 6.30}
DOTS_PER_INCH = 300
# A long chart has fewer dots per inch, so that drawing it takes 100 MB at most.
MOST_DOTS = 25_000_000


def forest_plot(groups: Sequence[dict[str, Any]], file_format: str, *, width: float | None = None) -> bytes:
    """Draw estimates with their intervals, one row per statistic.

    Parameters
    ----------
    groups : sequence of dict
        `criterion` and `rows`, each with `name`, `estimate`, `low` and `high` (None where there is none).
    file_format : str
        A key of `FORMATS`.
    width : float or None
        Inches; None for the width that suits the content.
    """
    names: list[str] = []
    drawn: list[dict[str, Any]] = []
    for group in groups:
        shown = [row for row in group["rows"] if row["estimate"] is not None]
        of = "" if len(groups) == 1 else f"{group['criterion'][:1].upper()}{group['criterion'][1:]}: "
        names += [f"{of}{row['name']}" for row in shown]
        drawn += shown
    figure, axes = _canvas(width or 6.5, max(1.5, ROW_INCHES * len(drawn) + 0.6))
    for position, row in enumerate(drawn):
        if row["low"] is not None:
            axes.plot([row["low"], row["high"]], [position, position], color=ACCENT, linewidth=1.2, zorder=2)
        axes.plot(row["estimate"], position, marker="o", color=ACCENT, markersize=4, zorder=3)
    axes.set_yticks(range(len(names)), _literal(names))
    axes.invert_yaxis()
    axes.set_xlim(min([0.0, *(row["low"] or 0.0 for row in drawn)]) - 0.02, 1.02)
    axes.grid(axis="x", color=RULE, linewidth=0.6)
    return _bytes(figure, file_format)


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
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
    """
    figure, axes = _canvas(width or 1.6 + 0.55 * len(columns), 1.0 + 0.3 * len(rows))
    numbers = [[float("nan") if cell is None else cell for cell in row] for row in values]
    image = axes.imshow(numbers, cmap="Greens", aspect="auto")
    axes.set_xlabel(note)
    middle = sum(image.get_clim()) / 2
    # So many numbers cannot be read, and each takes as long to draw as the whole matrix without them.
    is_readable = len(rows) * len(columns) <= MOST_NUMBERS
    for position, row in enumerate(values if is_readable else ()):
        for other, cell in enumerate(row):
            if cell is not None:
                colour = "white" if cell > middle else INK
                axes.text(
                    other, position, f"{cell:.2f}", ha="center", va="center", fontsize=6.5, color=colour
                )
    axes.set_xticks(range(len(columns)), _literal(columns), rotation=45, ha="right")
    axes.set_yticks(range(len(rows)), _literal(rows))
    return _bytes(figure, file_format)


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
    figure, axes = _canvas(width or 5.5, 3.2)
    lines: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if row["estimate"] is not None:
            lines.setdefault(row["metric"], []).append(row)
    for (metric, shown), style in zip(lines.items(), STYLES, strict=False):
        sizes, (name,) = [row["size"] for row in shown], _literal([metric])
        axes.plot(sizes, [row["estimate"] for row in shown], style, color=ACCENT, label=name, markersize=4)
        axes.vlines(sizes, [row["least"] for row in shown], [row["greatest"] for row in shown], color=ACCENT)
    axes.set_xscale("log")
    axes.set_xlabel(f"similes in the corpus{note and f'; {note}'}", fontsize=7.5)
    axes.set_ylabel(label, fontsize=7.5)
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    if lines:
        axes.legend(frameon=False, fontsize=7.5)
    return _bytes(figure, file_format)


def _literal(names: Sequence[str]) -> list[str]:
    """Names as they are drawn: matplotlib reads text between dollar signs as a formula."""
    return [name.replace("$", r"\$") for name in names]


def _canvas(width: float, height: float) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.tick_params(length=0, labelsize=7.5, labelcolor=INK)
    for side in axes.spines.values():
        side.set_visible(False)
    return figure, axes


def _bytes(figure: Figure, file_format: str) -> bytes:
    import matplotlib
    from matplotlib import font_manager

    target = io.BytesIO()
    available = set(font_manager.get_font_names())
    families = ["DejaVu Sans", *(name for name in EAST_ASIAN if name in available)]
    dots = min(DOTS_PER_INCH, math.sqrt(MOST_DOTS / math.prod(figure.get_size_inches())))
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
    with matplotlib.rc_context(
        {"svg.hashsalt": "groundwork", "svg.fonttype": "none", "font.family": families}
    ):
        figure.savefig(target, format=file_format, metadata=undated[file_format], dpi=dots)
    return target.getvalue()
