"""`/csp-report/`: reports by browsers about the content security policy, written to the log.

Anyone can post here, so the size of a report and the number of lines are limited. A line has no query,
no path of a visitor and no sample of a script.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from annotation.domain.base.bounded_json import load_json

logger = logging.getLogger("groundwork.csp")

LARGEST = 16 * 1024
# Of one request, and of one process in a minute.
MOST_OF_REQUEST, MOST_OF_MINUTE = 5, 20
LONGEST = 80
UNSAFE = re.compile(r"[^\w.:/+-]")


class Limit:
    """How many lines may still be written in this minute."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._minute, self._used, self._dropped = 0, 0, 0

    def take(self) -> int | None:
        """None where the limit is reached; otherwise how many were left out since the last line."""
        minute = int(time.monotonic() // 60)
        with self._lock:
            if minute != self._minute:
                self._minute, self._used = minute, 0
            if self._used >= self.most:
                self._dropped += 1
                return None
            self._used += 1
            dropped, self._dropped = self._dropped, 0
            return dropped


lines = Limit(MOST_OF_MINUTE)


@csrf_exempt
@require_POST
def csp_report(request: HttpRequest) -> HttpResponse:
    """Write reports in either format of browsers to the log."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal() or int(length) > LARGEST:
        return HttpResponse(status=413)
    try:
        found = list(_violations(load_json(request.read(LARGEST).decode("utf-8"))))
    except ValueError:
        return HttpResponse(status=400)
    for violation in found[:MOST_OF_REQUEST]:
        dropped = lines.take()
        if dropped is not None:
            seen = _in_words(violation)
            logger.warning(
                "The content security policy stopped %(blocked)s (%(directive)s) on %(page)s, source "
                "%(source)s; %(left_out)s earlier reports were left out",
                {**seen, "left_out": dropped},
                extra={"csp": seen},
            )
    return HttpResponse(status=204)


def _violations(body: Any) -> Iterator[dict[str, Any]]:
    """The reports of `report-uri`, an object, and of `report-to`, a list; with the names of the second."""
    if isinstance(body, dict) and isinstance(body.get("csp-report"), dict):
        report = body["csp-report"]
        yield {
            "documentURL": report.get("document-uri"),
            "blockedURL": report.get("blocked-uri"),
            "effectiveDirective": report.get("effective-directive") or report.get("violated-directive"),
            "sourceFile": report.get("source-file"),
        }
    elif isinstance(body, list):
        for entry in body:
            if isinstance(entry, dict) and entry.get("type") == "csp-violation":
                report = entry.get("body")
                if isinstance(report, dict):
                    yield report


def _in_words(violation: dict[str, Any]) -> dict[str, str]:
    return {
        "directive": _short(violation.get("effectiveDirective")),
        "blocked": _origin(violation.get("blockedURL")),
        "page": _route(violation.get("documentURL")),
        "source": _origin(violation.get("sourceFile")),
    }


def _route(url: object) -> str:
    """The page by the pattern of its address, which names no person."""
    try:
        return resolve(urlsplit(str(url)).path).route or "/"
    except (ValueError, Resolver404):
        return "another page"


def _origin(url: object) -> str:
    """Scheme and host of an address, or the word used instead, such as `inline`."""
    try:
        parts = urlsplit(str(url or "unknown"))
        host = parts.hostname or ""
    except ValueError:
        return "unknown"
    return _short(f"{parts.scheme}://{host}" if host else (parts.scheme or parts.path))


def _short(text: object) -> str:
    return UNSAFE.sub("", str(text or "unknown"))[:LONGEST] or "unknown"
