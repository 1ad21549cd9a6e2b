"""Files as responses."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import translation

from scoring.io.plots import FORMATS, WIDTHS
from scoring.models import Report
from scoring.selectors.base.reports import figures_json


def attachment(content: str | bytes, content_type: str, name: str) -> HttpResponse:
    """Return content as a file to save under a name."""
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def figures_file(report: Report, name: str) -> HttpResponse:
    """Return the figures of a report as a JSON file."""
    response = JsonResponse(figures_json(report), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


def figure_file(
    request: HttpRequest, name: str, file_format: str, draw: Callable[..., bytes]
) -> HttpResponse:
    """Return a drawing as a file, in the format and width that the request asks for.

    Parameters
    ----------
    request : HttpRequest
        With `width`, a key of `WIDTHS`; without it, the drawing is as wide as its content needs.
    name : str
        Name of the file without its ending.
    file_format : str
        A key of `FORMATS`, or `figure` where the request has it as `format`.
    draw : callable
        Called as `draw(file_format, width=inches)`.

    Raises
    ------
    Http404
        This format or width does not exist.
    """
    chosen = request.GET.get("format", "") if file_format == "figure" else file_format
    width = request.GET.get("width", "")
    if chosen not in FORMATS or width not in {"", *WIDTHS}:
        raise Http404("This format or width does not exist.")
    # A chart for a paper is in English, whatever the language of the page.
    with translation.override("en"):
        drawing = draw(chosen, width=WIDTHS.get(width))
    return attachment(drawing, FORMATS[chosen], f"{name}.{chosen}")
