"""Media files sent to a browser: in pieces, with ranges, and without anything that could run in them."""

from __future__ import annotations

import re

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from annotation.io.items.media import stored
from annotation.models import MediaFile

RANGE = re.compile(r"bytes=(?P<first>[0-9]{0,15})-(?P<last>[0-9]{0,15})", re.ASCII)
# Of a part that is asked for; browsers ask for the rest, and slow ones hold a thread for less.
MOST_OF_A_PART = 2_000_000
# Whatever a browser takes the bytes for: it runs nothing of them, and loads nothing for them.
POLICY = "default-src 'none'; sandbox"


def send_media(request: HttpRequest, file: MediaFile, *, seconds: int) -> HttpResponseBase:
    """Send a stored file, or the part of it that is asked for.

    Parameters
    ----------
    request : HttpRequest
        `Range` with one range, `If-Range` and `If-None-Match` are followed.
    file : MediaFile
        Stored here.
    seconds : int
        How long this browser, and no shared cache, may keep it.

    Raises
    ------
    Http404
        The file lies on another server.
    """
    if not file.sha256:
        raise Http404("This file is on another server.")
    tag = f'"{file.sha256}"'
    if request.headers.get("If-None-Match") == tag:
        response: HttpResponseBase = HttpResponse(status=304)
    else:
        response = _content(request, file, tag)
    response["ETag"] = tag
    response["Cache-Control"] = f"private, max-age={seconds}, no-transform"
    response["Content-Security-Policy"] = POLICY
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _content(request: HttpRequest, file: MediaFile, tag: str) -> HttpResponseBase:
    asked = request.headers.get("Range", "") if request.headers.get("If-Range", tag) == tag else ""
    part = _part(asked, file.size)
    if part is None:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{file.size}"})
    first, last = part
    if asked:
        last = min(last, first + MOST_OF_A_PART - 1)
    length = last - first + 1
    body = () if request.method == "HEAD" else stored.pieces(file.stored_name, first, length)
    response = StreamingHttpResponse(body, content_type=file.mime, status=206 if asked else 200)
    response["Accept-Ranges"] = "bytes"
    response["Content-Length"] = str(length)
    response["Content-Disposition"] = f'inline; filename="{file.sha256[:12]}"'
    if asked:
        response["Content-Range"] = f"bytes {first}-{last}/{file.size}"
    return response


def _part(asked: str, size: int) -> tuple[int, int] | None:
    """The first and the last byte of one range; the whole file without one, None where it lies outside."""
    if not asked:
        return 0, size - 1
    found = RANGE.fullmatch(asked.strip())
    if found is None or not (found["first"] or found["last"]):
        return None
    if not found["first"]:
        return (max(0, size - int(found["last"])), size - 1) if int(found["last"]) else None
    first, last = int(found["first"]), min(int(found["last"] or size), size - 1)
    return (first, last) if first <= last else None
