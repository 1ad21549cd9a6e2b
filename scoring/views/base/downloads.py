"""A file as the answer to a request."""

from __future__ import annotations

from django.http import HttpResponse


def attachment(content: str | bytes, content_type: str, name: str) -> HttpResponse:
    """The content as a file to be saved under a name."""
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
