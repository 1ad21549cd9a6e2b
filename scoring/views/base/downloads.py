"""Files as responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext

from annotation.views.base.downloads import file_response
from scoring.io.charts.canvas import FORMATS, WIDTHS, ChartTooTall
from scoring.io.charts.text import NoFontForText
from scoring.io.latex import latex_table, with_interval
from scoring.models import Report
from scoring.selectors.base.reports import figures_json, tables_json

Columns = tuple[tuple[str, str], ...]
NO_CRITERIA: Mapping[str, str] = {}


def attachment(content: str | bytes, content_type: str, name: str) -> HttpResponse:
    """Return content as a file to save under a name."""
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def json_attachment(content: Mapping[str, Any], name: str) -> HttpResponse:
    """Return a JSON object as a file to save; the name is without its ending."""
    response = JsonResponse(content, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


def figures_file(report: Report, name: str) -> HttpResponse:
    """Return the figures of a report as a JSON file."""
    return json_attachment(figures_json(report), name)


def tables_file(report: Report, name: str) -> HttpResponse:
    """Return the tables of a report, with its method, data and software, as a JSON file."""
    return json_attachment(tables_json(report), name)


def table_file(
    columns: Columns,
    rows: Sequence[Mapping[str, Any]],
    file_format: str,
    *,
    name: str,
    caption: str,
    only_in_csv: frozenset[str],
) -> HttpResponseBase:
    """Return a table with intervals as a file for computing or for a paper.

    Parameters
    ----------
    columns : sequence of (key, heading)
        Columns of the rows.
    rows : sequence of mapping
        With these keys.
    file_format : str
        `csv` or `tex`.
    name : str
        Name of the file without its ending.
    caption : str
        Caption of the table in LaTeX.
    only_in_csv : frozenset of str
        Keys of columns that a table of a paper leaves out.

    Raises
    ------
    Http404
        This format does not exist.
    """
    if file_format == "csv":
        return file_response((tuple(key for key, _ in columns), rows), "csv", name)
    if file_format != "tex":
        raise Http404("This format does not exist.")
    headed = with_interval(tuple(column for column in columns if column[0] not in only_in_csv), rows)
    return attachment(latex_table(headed, rows, caption), "application/x-tex", f"{name}.tex")


def figure_file(
    request: HttpRequest,
    name: str,
    file_format: str,
    draw: Callable[..., bytes],
    *,
    criteria: Mapping[str, str] = NO_CRITERIA,
) -> HttpResponse:
    """Return a drawing as a file, in the format and width that the request asks for.

    A chart that cannot be drawn in readable type gives a page that says so and offers other charts.

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
    criteria : mapping of str to str
        Keys and names of the criteria of the drawing, where each has a chart of its own.

    Raises
    ------
    Http404
        This format or width does not exist.
    """
    chosen = request.GET.get("format", "") if file_format == "figure" else file_format
    width = request.GET.get("width", "")
    if chosen not in FORMATS or width not in {"", *WIDTHS}:
        raise Http404("This format or width does not exist.")
    try:
        # A chart for a paper is in English, whatever the language of the page.
        with translation.override("en"):
            drawing = draw(chosen, width=WIDTHS.get(width))
    except (ChartTooTall, NoFontForText) as refusal:
        context = {"reason": refusal.message, "others": _other_charts(request, refusal, criteria)}
        return render(request, "scoring/base/chart_refused.html", context, status=422)
    return attachment(drawing, FORMATS[chosen], f"{name}.{chosen}")


def _other_charts(
    request: HttpRequest, refusal: ChartTooTall | NoFontForText, criteria: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Addresses and names of charts to draw instead of the refused one."""
    if isinstance(refusal, NoFontForText):
        # The ending of the address is the format, or `figure`, and then the query has it.
        address = f"{request.path.rpartition('.')[0]}.figure"
        return [(f"{address}?{_asked(request, format='svg')}", "SVG")]
    others = [(f"?{_asked(request, criterion=key)}", name) for key, name in criteria.items()]
    if request.GET.get("width") == "column":
        others.append((f"?{_asked(request, width='page')}", gettext("Page (160 mm)")))
    return [*others, (f"?{_asked(request, width='')}", gettext("As wide as the content"))]


def _asked(request: HttpRequest, **changed: str) -> str:
    """The query of the request with some of its values changed."""
    asked = request.GET.copy()
    for name, value in changed.items():
        asked[name] = value
    return asked.urlencode()
