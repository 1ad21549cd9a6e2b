"""Bodies are measured before anything reads them: the check against forged forms reads all of a form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext

View = TypeVar("View", bound=Callable[..., Any])
# Beside a file stand the other fields of its form.
BESIDE_A_FILE = 1024 * 1024


def takes_files(view: View) -> View:
    """Mark a view that takes files; it must check who asks before it reads what was sent."""
    view.takes_files = True  # type: ignore[attr-defined]
    return view


class BodyLimits:
    """Refuses a body that is larger than its view takes, or whose length is not said; stands before CSRF."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *_: object) -> HttpResponse | None:
        if "chunked" in request.headers.get("Transfer-Encoding", "").lower():
            message = gettext("Nothing was stored: say how long the body is (Content-Length).")
            return _refusal(request, 411, "length_required", message)
        length = request.headers.get("Content-Length") or "0"
        most = _most(view)
        if length.isdecimal() and int(length) <= most:
            return None
        message = gettext("Nothing was stored: at most %(most)d MB are taken here.") % {"most": most >> 20}
        return _refusal(request, 413, "too_large", message)


def _most(view: Callable[..., Any]) -> int:
    """Bytes that a view takes; those of the API have parsers of their own, which measure."""
    parsers = getattr(getattr(view, "cls", None), "parser_classes", ())
    if getattr(view, "takes_files", False) or any(getattr(one, "takes_files", False) for one in parsers):
        return int(settings.UPLOAD_MAX_BYTES) + BESIDE_A_FILE
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def _refusal(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse({"code": code, "message": message, "fields": {}}, status=status)
    return render(request, "errors/refused_body.html", {"message": message}, status=status)
