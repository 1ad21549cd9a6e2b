"""Files as responses."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse

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
