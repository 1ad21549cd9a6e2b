"""A rater's browser without JavaScript: follows links, keeps cookies, fills in forms."""

from __future__ import annotations

import http.cookiejar
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Form:
    """A form of a page: where it goes, its prepared values, and its groups of radio buttons."""

    action: str
    method: str
    values: dict[str, str] = field(default_factory=dict)
    radios: dict[str, list[str]] = field(default_factory=dict)
    checkboxes: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class FormReader(HTMLParser):
    """Collects the forms of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: Form | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(found.get("action", ""), found.get("method", "get").lower())
            self.forms.append(self._open)
        elif self._open and found.get("name") and "disabled" not in found:
            self._add_field(self._open, tag, found)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None

    def _add_field(self, form: Form, tag: str, found: dict[str, str]) -> None:
        name, kind, value = found["name"], found.get("type", "text"), found.get("value", "")
        if tag == "button":
            form.buttons.append((name, value))
        elif tag == "input" and kind == "radio":
            form.radios.setdefault(name, []).append(value)
        elif tag == "input" and kind == "checkbox":
            form.checkboxes[name] = value or "on"
        elif tag == "input" and kind in {"hidden", "text", "email"}:
            form.values[name] = value


@dataclass
class Page:
    """An answer of the server after all redirects, and how long each part took."""

    status: int
    url: str
    text: str
    seconds: float

    def post_forms(self) -> list[Form]:
        reader = FormReader()
        reader.feed(self.text)
        return [form for form in reader.forms if form.method == "post"]


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Leaves redirects to `Browser`, so that saving and the next page are timed separately."""

    def redirect_request(self, *_: object) -> None:
        return None


class Browser:
    """One rater: cookies of its own, one request at a time."""

    def __init__(self) -> None:
        self._jar = http.cookiejar.CookieJar()
        cookies = urllib.request.HTTPCookieProcessor(self._jar)
        # No proxy from the environment: these requests stay on this machine.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), cookies, NoRedirect)

    def cookies(self) -> str:
        """The cookies so far, as a header says them."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._jar)

    def get(self, url: str) -> Page:
        """Fetch a page, following its redirects."""
        started = time.perf_counter()
        for _ in range(6):
            page = self._send(urllib.request.Request(url, headers={"Accept": "text/html"}))
            if not 300 <= page.status < 400:
                return Page(page.status, page.url, page.text, time.perf_counter() - started)
            url = page.text
        raise RuntimeError(f"Too many redirects, the last to {url}")

    def post(self, page_url: str, form: Form, values: dict[str, str]) -> Page:
        """Send a form; a redirect is not followed, its `text` is the address."""
        url = urllib.parse.urljoin(page_url, form.action)
        data = urllib.parse.urlencode(form.values | values).encode()
        headers = {"Referer": page_url, "Accept": "text/html"}
        return self._send(urllib.request.Request(url, data=data, headers=headers))

    def _send(self, request: urllib.request.Request) -> Page:
        started = time.perf_counter()
        try:
            response: http.client.HTTPResponse | urllib.error.HTTPError = self._opener.open(
                request, timeout=60
            )
        except urllib.error.HTTPError as error:
            response = error
        with response:
            body = response.read().decode("utf-8", "replace")
            status = response.status or 0
            target = response.headers.get("Location")
        text = urllib.parse.urljoin(request.full_url, target) if target else body
        return Page(status, request.full_url, text, time.perf_counter() - started)
