"""Free ports on this machine, and servers that listen while a test runs."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from typing import TypeVar

# How soon a server notices that it shall stop: each test waits for it.
POLL_SECONDS = 0.02
Server = TypeVar("Server", bound=BaseServer)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def listening(server: Server) -> Iterator[Server]:
    """The server answers in a thread of its own, and is closed afterwards."""
    threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
