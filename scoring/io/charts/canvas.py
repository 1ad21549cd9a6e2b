"""The sheet of a chart for a paper: its size, its axes, and its bytes as a file."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING, Any

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, ACCENT, RULE = "#1f2421", "#1c6b4f", "#d5d9d6"
FORMATS = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
# Inches of one column and of the whole text in the two-column style of ACL's conferences.
WIDTHS = {"column": 3.03, "page": 6.30}
PAGE_HEIGHT = 9.7
DOTS_PER_INCH = 300
# A long chart has fewer dots per inch, so that drawing it takes 100 MB at most.
MOST_DOTS = 25_000_000
EDGE = 0.04


class ChartTooTall(GroundworkError):
    """The chart does not fit on a page in type that can be read."""

    code = "chart_too_tall"

    def __init__(self, height: float) -> None:
        super().__init__(
            message(
                "At this width, the chart is %(height)s inches tall in readable type, and a page of a "
                "paper has %(most)s inches.",
                height=f"{height:.1f}",
                most=f"{PAGE_HEIGHT:.1f}",
            )
        )


class Sheet:
    """A figure on which axes are placed in inches from its top left corner.

    Parameters
    ----------
    width, height : float
        Inches.
    is_for_page : bool
        Whether the chart has the width of a paper’s column or page, and must fit on one page.

    Raises
    ------
    ChartTooTall
        The chart must fit on a page and does not.
    """

    def __init__(self, width: float, height: float, *, is_for_page: bool) -> None:
        from matplotlib.figure import Figure as Canvas

        if is_for_page and height > PAGE_HEIGHT:
            raise ChartTooTall(height)
        self.width, self.height = width, height
        self.figure: Figure = Canvas(figsize=(width, height))

    def axes(self, left: float, top: float, width: float, height: float) -> Any:
        """Axes without a frame."""
        place = (
            left / self.width,
            1 - (top + height) / self.height,
            width / self.width,
            height / self.height,
        )
        axes = self.figure.add_axes(place)
        axes.tick_params(length=0, labelcolor=INK, pad=2)
        for side in axes.spines.values():
            side.set_visible(False)
        return axes

    def write(self, text: str, left: float, top: float, **style: Any) -> None:
        """Text with its top left corner at a place."""
        self.figure.text(
            left / self.width, 1 - top / self.height, text, color=INK, ha="left", va="top", **style
        )


def chart_bytes(figure: Figure, file_format: str) -> bytes:
    """The chart as a file; the same chart gives the same bytes."""
    target = io.BytesIO()
    dots = min(DOTS_PER_INCH, math.sqrt(MOST_DOTS / math.prod(figure.get_size_inches())))
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
    figure.savefig(target, format=file_format, metadata=undated[file_format], dpi=dots)
    return target.getvalue()
