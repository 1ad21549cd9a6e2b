"""A browser without JavaScript: keeps cookies, sends forms, from an address of its own."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie

from benchmarks.rater_client import Form, FormReader
from tests.support.running.production import HOST


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    path: str
    headers: Mapping[str, str]
    text: str

    @property
    def leads_to(self) -> str:
        """The address of a redirect, without scheme and host."""
        there = urllib.parse.urlsplit(self.headers["Location"])
        return there.path + (f"?{there.query}" if there.query else "")

    def form(self, name: str) -> Form:
        """The form that has a field of this name."""
        reader = FormReader()
        reader.feed(self.text)
        found = [form for form in reader.forms if name in form.values or name in form.radios]
        assert found, f"{self.path} ({self.status}) has no form with {name!r}:\n{self.text}"
        return found[0]


@dataclass
class Visitor:
    """Reaches the site at a port of this machine, with the name that people know."""

    port: int
    tls: ssl.SSLContext | None = None
    address: str = "127.0.0.1"
    cookies: dict[str, str] = field(default_factory=dict)

    def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """One request; without TLS as the proxy in front of Groundwork sends it."""
        plain = socket.create_connection(
            ("127.0.0.1", self.port), timeout=60, source_address=(self.address, 0)
        )
        connection = http.client.HTTPConnection(HOST)
        connection.sock = self.tls.wrap_socket(plain, server_hostname=HOST) if self.tls else plain
        sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if self.tls is None:
            sent |= {"X-Forwarded-Proto": "https", "X-Forwarded-For": self.address}
        try:
            # A server that refuses a body may do so before it was sent.
            with contextlib.suppress(OSError):
                connection.request(method, path, body or None, sent | {"Connection": "close"} | headers)
            found = connection.getresponse()
            for line in found.headers.get_all("Set-Cookie", []):
                self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
            return Answer(found.status, path, dict(found.headers), found.read().decode())
        finally:
            connection.close()

    def get(self, path: str) -> Answer:
        """A page, after all redirects."""
        answer = self.send("GET", path)
        for _ in range(6):
            if not 300 <= answer.status < 400:
                break
            answer = self.send("GET", answer.leads_to)
        return answer

    def post(self, path: str, fields: Mapping[str, str]) -> Answer:
        """A form of a page that was shown before."""
        data = urllib.parse.urlencode({"csrfmiddlewaretoken": self.cookies["csrftoken"], **fields}).encode()
        kind = "application/x-www-form-urlencoded"
        return self.send("POST", path, data, **{"Content-Type": kind, "Referer": f"https://{HOST}/"})

    def joins(self, link: str) -> Answer:
        """Agrees to take part; the first page with an item."""
        page = self.get(link)
        form = page.form("join_key")
        agreed = self.post(form.action or link, form.values | form.checkboxes)
        assert agreed.status in {302, 303}, agreed.text
        return self.get(agreed.leads_to)

    def rates(self, page: Answer) -> Answer:
        """Chooses the last answer to each question of a page."""
        form = page.form("submission_key")
        chosen = {name: values[-1] for name, values in form.radios.items() if name.startswith("answer-")}
        assert chosen, page.text
        return self.post(form.action or page.path, form.values | chosen)
