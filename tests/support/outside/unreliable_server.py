"""A server for tests that answers some calls late, twice, wrongly or not at all."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, TypeVar

from tests.support.ports import listening

Answered = tuple[int, Any]
NOT_CARRIED_OUT = frozenset({"fault", "busy", "refused"})


class UnreliableServer(ThreadingHTTPServer):
    """`manners` names how some calls are answered: `lost`, `late`, `fault`, `away`, `busy`, `refused`,
    `doubled` or `unreadable`. `late`, `lost`, `doubled` and `unreadable` calls are carried out; others not.
    """

    daemon_threads = True

    def __init__(self, handler: type[UnreliableHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.manners: dict[str, str] = {}
        self.released = threading.Event()
        self.called = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class UnreliableHandler(BaseHTTPRequestHandler):
    """Answers in the manner of a call; `content_type` is that of every answer."""

    server: UnreliableServer
    content_type: ClassVar[str] = "application/json"

    def do_GET(self) -> None:
        self.take()

    def do_POST(self) -> None:
        self.take()

    def do_PATCH(self) -> None:
        self.take()

    def take(self) -> None:
        """Answer a call."""
        raise NotImplementedError

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def refusal(self, manner: str) -> Answered:
        """The answer to a call that is not carried out."""
        raise NotImplementedError

    def answer_in(self, manner: str, carry_out: Callable[[], Answered]) -> None:
        """Carry a call out and answer it, or not, as its manner says."""
        if manner in NOT_CARRIED_OUT:
            self.answer(*self.refusal(manner))
            return
        if manner == "away":
            self.close_connection = True
            return
        answered = carry_out()
        self.server.called.set()
        if manner == "late":
            self.server.released.wait(30)
        if manner in {"late", "lost"}:
            self.close_connection = True
        elif manner == "unreadable":
            self._write(200, b"<html>It is done</html>")
        else:
            for _ in range(2 if manner == "doubled" else 1):
                self.answer(*answered)

    def answer(self, status: int, document: Any) -> None:
        self._write(status, json.dumps(document).encode())

    def _write(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", self.content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


Server = TypeVar("Server", bound=UnreliableServer)


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """The server until the test is over."""
    try:
        with listening(server):
            yield server
    finally:
        server.released.set()
