"""The address the server listens on, taken before anything is started."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass

BACKLOG = 512
OTHER_PORTS = range(8001, 8100)


class AddressError(ValueError):
    """The address cannot be read, or cannot be listened on."""

    code = "bad_address"


@dataclass(frozen=True)
class Address:
    """Where to listen; `explicit` when a person asked for exactly this one."""

    host: str
    port: int
    explicit: bool = True

    @property
    def reachable_host(self) -> str:
        """The name under which this machine reaches it; a server on all interfaces also answers locally."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104
        return f"[{host}]" if ":" in host else host

    def url(self, path: str = "/") -> str:
        return f"http://{self.reachable_host}:{self.port}{path}"


def parse_address(text: str) -> tuple[str, int]:
    """Read `host:port` or `[host]:port`."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65535:
        raise AddressError(f"--bind {text!r} is not understood: it accepts host:port, as in 127.0.0.1:8000.")
    return host.strip("[]"), int(port)


def listen(wanted: Address) -> tuple[socket.socket, Address]:
    """Take the wanted address, or the next free port if this port was not requested explicitly.

    The socket listens already, so the port stays ours while the server behind it is restarted.
    """
    ports = [wanted.port] if wanted.explicit else [wanted.port, *OTHER_PORTS, 0]
    for port in ports:
        taken = _try_port(wanted.host, port)
        if taken:
            return taken, Address(wanted.host, taken.getsockname()[1], wanted.explicit)
    raise AddressError(
        f"Port {wanted.port} on {wanted.host} is in use: name another with --bind {wanted.host}:PORT."
    )


def _try_port(host: str, port: int) -> socket.socket | None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            return None
        raise AddressError(f"Cannot listen on {host}:{port}: {error}.") from error
    return listener
