"""Limits on the size of requests, checked before anything reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext

View = TypeVar("View", bound=Callable[..., Any])
# The other fields of a form with a file.
OTHER_FIELDS_BYTES = 1024 * 1024


def takes_files(view: View) -> View:
    """Mark a view that accepts files; it must check permissions before it reads the body."""
    view.takes_files = True  # type: ignore[attr-defined]
    return view


class BodyLimits:
    """Refuses bodies that are too large for their view or have no stated length; runs before CSRF checks."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *_: object) -> HttpResponse | None:
        if "chunked" in request.headers.get("Transfer-Encoding", "").lower():
            message = gettext("Nothing was saved: the request does not state its length (Content-Length).")
            return _refusal(request, 411, "length_required", message)
        length = request.headers.get("Content-Length") or "0"
        most = _most(view)
        if length.isdecimal() and int(length) <= most:
            return None
        message = gettext("Nothing was saved: the request is larger than %(most)d MB.") % {"most": most >> 20}
        return _refusal(request, 413, "too_large", message)


def _most(view: Callable[..., Any]) -> int:
    """The number of bytes that a view accepts; views of the API have their own parsers with limits."""
    parsers = getattr(getattr(view, "cls", None), "parser_classes", ())
    if getattr(view, "takes_files", False) or any(getattr(one, "takes_files", False) for one in parsers):
        return int(settings.UPLOAD_MAX_BYTES) + OTHER_FIELDS_BYTES
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def _refusal(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse({"code": code, "message": message, "fields": {}}, status=status)
    return render(request, "errors/refused_body.html", {"message": message}, status=status)
