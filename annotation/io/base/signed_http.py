"""Requests to addresses outside, which must not be in the private network of the server; signed posts."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from annotation.domain.base.messages import message

TIMEOUT = 10.0
# Limit from resolving the name to the last byte of the answer; less than a lease on a job.
DEADLINE = 20.0
MOST_ANSWERED = 20_000_000
GLOBAL_IPV6 = ipaddress.ip_network("2000::/3")
# Addresses that represent another one, which may be private, or for a part of the network.
TRANSLATED = [
    ipaddress.ip_network(net) for net in ("2002::/16", "2001::/32", "192.0.0.0/24", "192.88.99.0/24")
]

# The first problem that applies is reported.
FAILURES: dict[type[Exception], str] = {
    socket.gaierror: "No response: no server has this name.",
    UnicodeError: "No response: the server name is not valid.",
    ConnectionRefusedError: "No response: no server accepts connections at this address.",
    ssl.SSLError: "No response: the server’s certificate or encryption cannot be trusted.",
    TimeoutError: "No response in time.",
    ConnectionError: "No response: the connection was interrupted.",
    http.client.HTTPException: "The response was not HTTP.",
}


class NotPosted(Exception):
    """A message did not arrive; the sentence states the reason."""


class NotAnswered(NotPosted):
    """A request was begun, but no complete answer came: it may or may not have arrived."""


@dataclass(frozen=True)
class Answer:
    """The status, the body and the headers of an answer; names of headers are in lower case."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def signature(secret: str, at: int, body: str) -> str:
    """`t=SECONDS,v1=HEX`: HMAC-SHA256 with the secret over the seconds, a full stop and the body.

    The seconds since 1970 prevent an old message from being sent again as a new one.
    """
    digest = hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


def address_problem(address: str, *, private_allowed: bool) -> str:
    """Why an address is not valid, as far as its text shows; empty if it is."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return message("Enter a valid web address.")
    if (
        parts.scheme not in {"https", *(("http",) if private_allowed else ())}
        or not host
        or "@" in parts.netloc
    ):
        return message("Enter an address that begins with https:// and contains no user name or password.")
    if not address.isascii() or any(sign.isspace() for sign in address):
        return message("Enter the address in ASCII characters, without spaces.")
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        return ""
    return "" if private_allowed or is_public(literal) else message("This address is in a private network.")


def post(address: str, body: str, headers: dict[str, str], *, private_allowed: bool) -> None:
    """Post JSON. The name is resolved once, and the connection goes to the checked address; no redirects.

    Addresses of private networks need `private_allowed`.

    Raises
    ------
    NotPosted
        It was not answered with a status from 200 to 299.
    """
    status = ask("POST", address, body, headers, private_allowed=private_allowed, most=0).status
    if not 200 <= status < 300:
        raise NotPosted(f"The response had the status {status}.")


def unchecked() -> None:
    """The default check before sending, which accepts every request."""


def ask(
    method: str,
    address: str,
    body: str,
    headers: dict[str, str],
    *,
    private_allowed: bool,
    most: int = MOST_ANSWERED,
    check: Callable[[], None] = unchecked,
    seconds: float | None = None,
) -> Answer:
    """Send JSON, as `post` does, and return the answer with at most so many bytes of its body.

    `check` is called when the server is connected and before anything is sent. What it raises ends the
    request. The whole answer must come within `seconds`, in which the server may be silent; by default
    within `DEADLINE`, with no silence longer than `TIMEOUT`.

    Raises
    ------
    NotAnswered
        The request was begun, but no complete answer came.
    NotPosted
        No server could be reached: nothing was sent.
    """
    problem = address_problem(address, private_allowed=private_allowed)
    if problem:
        raise NotPosted(problem)
    parts = urlsplit(address)
    deadline = DEADLINE if seconds is None else seconds
    ends = time.monotonic() + deadline
    begun = False
    try:
        opened = _connected(parts, private_allowed=private_allowed)
        begun = True
        if seconds is not None:
            opened.settimeout(seconds)
        watch = threading.Timer(max(ends - time.monotonic(), 0), _shut_down, [opened])
        watch.daemon = True
        watch.start()
        try:
            answer = _answer(opened, parts, (method, body, headers), most, check)
        finally:
            watch.cancel()
            opened.close()
    except (OSError, http.client.HTTPException, UnicodeError) as failure:
        fault = NotAnswered if begun else NotPosted
        raise fault(_why(failure) if time.monotonic() < ends else _too_late(deadline)) from failure
    if time.monotonic() > ends:
        raise NotAnswered(_too_late(deadline))
    return answer


def _why(failure: Exception) -> str:
    sentences = (words for kind, words in FAILURES.items() if isinstance(failure, kind))
    return next(sentences, "No response: the connection was interrupted.")


def _too_late(deadline: float) -> str:
    return f"No response within {deadline:g} seconds."


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address belongs to the public internet only."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address not in GLOBAL_IPV6:
            return False
    if any(address in net for net in TRANSLATED):
        return False
    return address.is_global and not address.is_multicast


def _connected(parts: SplitResult, *, private_allowed: bool) -> socket.socket:
    """A socket to the checked address; the handshake of a secure one is still to come."""
    host, secure = str(parts.hostname), parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    numbers = list(dict.fromkeys(str(one[4][0]) for one in found))
    if not private_allowed and not all(is_public(ipaddress.ip_address(number)) for number in numbers):
        raise NotPosted("The address is in a private network.")
    opened = socket.create_connection((numbers[0], port), timeout=TIMEOUT)
    if not secure:
        return opened
    context = ssl.create_default_context()
    return context.wrap_socket(opened, server_hostname=host, do_handshake_on_connect=False)


def _answer(
    opened: socket.socket,
    parts: SplitResult,
    sent: tuple[str, str, dict[str, str]],
    most: int,
    check: Callable[[], None],
) -> Answer:
    if isinstance(opened, ssl.SSLSocket):
        opened.do_handshake()
    check()
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port or 80, timeout=TIMEOUT)
    connection.sock = opened
    target = parts.path or "/"
    target = f"{target}?{parts.query}" if parts.query else target
    method, body, headers = sent
    named = {"Content-Type": "application/json", "User-Agent": "Groundwork", **headers}
    connection.request(method, target, body.encode(), named)
    response = connection.getresponse()
    read = response.read(most + 1) if most else b""
    if len(read) > most:
        raise http.client.HTTPException("The response is too long.")
    if most and response.length:
        raise http.client.IncompleteRead(read, response.length)
    return Answer(response.status, read, {name.lower(): value for name, value in response.getheaders()})


def _shut_down(opened: socket.socket) -> None:
    """Wake threads that wait for the socket; a secure socket’s own method would continue unencrypted."""
    with contextlib.suppress(OSError):
        socket.socket.shutdown(opened, socket.SHUT_RDWR)
