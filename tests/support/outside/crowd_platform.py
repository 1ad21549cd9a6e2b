"""A crowd platform's own pages, as a test plays them."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs


class Platform(ThreadingHTTPServer):
    """A crowd platform: a page that frames the task, and an address that takes what comes back."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.framed = ""
        self.received: list[tuple[str, dict[str, list[str]]]] = []

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Answers(BaseHTTPRequestHandler):
    server: Platform

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if query:
            self.server.received.append((path, parse_qs(query)))
        self._say(
            f'<title>Platform</title><iframe src="{self.server.framed}" width="900" height="600"></iframe>'
        )

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.received.append((self.path, parse_qs(body)))
        self._say("<title>Received</title>")

    def _say(self, text: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Quiet."""
