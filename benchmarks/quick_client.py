"""A rater's connection for measuring load: one persistent connection, and pages read only for their fields.

Client and server share the machine, so what the client computes is missing to the server.
"""

from __future__ import annotations

import gzip
import http.client
import re
import time
import urllib.parse
from dataclasses import dataclass
from html import unescape

from benchmarks.rater_client import Browser

FIELD = re.compile(r'<input type="(?:hidden|radio)" name="([^"]+)" value="([^"]*)"')
FORM = re.compile(r'<form class="criteria" method="post" action="([^"]+)".*?</form>', re.DOTALL)


@dataclass(frozen=True)
class Answered:
    """An answer of the server; `target` is the path that a redirect names."""

    status: int
    target: str
    text: str
    seconds: float


class Connection:
    """Goes on where a browser has joined, with its cookies."""

    def __init__(self, browser: Browser, url: str) -> None:
        parts = urllib.parse.urlsplit(url)
        self._http = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        self._headers = {
            "Cookie": browser.cookies(),
            "Referer": url,
            "Accept": "text/html",
            "Accept-Encoding": "gzip",
        }

    def get(self, path: str) -> Answered:
        """Fetch a page; a redirect is not followed."""
        return self._send("GET", path, None)

    def post(self, path: str, fields: dict[str, str], *, prefers_page: bool = False) -> Answered:
        """Send a form; a redirect is not followed."""
        preference = {"Prefer": "return=representation"} if prefers_page else {}
        return self._send("POST", path, urllib.parse.urlencode(fields), preference)

    def _send(self, method: str, path: str, body: str | None, more: dict[str, str] | None = None) -> Answered:
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
        kind |= more or {}
        started = time.perf_counter()
        try:
            self._http.request(method, path, body, self._headers | kind)
            response = self._http.getresponse()
        except (http.client.RemoteDisconnected, ConnectionError):
            # The server has ended a connection that was silent for a while.
            self._http.close()
            self._http.request(method, path, body, self._headers | kind)
            response = self._http.getresponse()
        sent = response.read()
        packed = response.headers.get("Content-Encoding") == "gzip"
        text = (gzip.decompress(sent) if packed else sent).decode()
        target = urllib.parse.urlsplit(response.headers.get("Location") or "").path
        return Answered(response.status, target, text, time.perf_counter() - started)


def rating_form(page: Answered) -> tuple[str, dict[str, str]]:
    """Where the answer goes, and the first point of every scale with what the page prepared.

    Raises
    ------
    ValueError
        The page has no rating form.
    """
    form = FORM.search(page.text)
    if form is None:
        raise ValueError(f"No rating form ({page.status}): {page.text[:500]}")
    fields: dict[str, str] = {}
    for name, value in FIELD.findall(form.group()):
        fields.setdefault(name, unescape(value))
    return form.group(1), fields
