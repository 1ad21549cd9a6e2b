"""Posting to an address that somebody named: signed, and never into the network this server stands in."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
from urllib.parse import SplitResult, urlsplit

TIMEOUT = 10.0
# IPv6 addresses that stand for an IPv4 address, which may be a private one.
TRANSLATED = [
    ipaddress.ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")
]


class NotPosted(Exception):
    """A message did not arrive; the sentence says why."""


def signature(secret: str, at: int, body: str) -> str:
    """`t=SECONDS,v1=HEX`: HMAC-SHA256 with the secret over the seconds, a full stop and the body.

    Parameters
    ----------
    secret : str
        Of the receiver.
    at : int
        Seconds since 1970, so that an old message cannot be sent again as a new one.
    body : str
        What is sent.
    """
    digest = hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


def address_problem(address: str, *, private_allowed: bool) -> str:
    """Why an address cannot be posted to, as far as its text tells; empty where it can."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "This is no address of the web."
    if parts.scheme not in {"https", *(("http",) if private_allowed else ())} or not host or parts.username:
        return "Give an address that begins with https://, without a name and password in it."
    if not address.isascii() or any(sign.isspace() for sign in address):
        return "Give the address in plain letters, without spaces."
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        return ""
    return "" if private_allowed or is_public(literal) else "This address is in a private network."


def post(address: str, body: str, headers: dict[str, str], *, private_allowed: bool) -> None:
    """Post a text. The name is resolved once, and the connection goes to what was checked; no redirects.

    Parameters
    ----------
    address : str
        Where to.
    body : str
        JSON.
    headers : dict of str to str
        Beside the content type.
    private_allowed : bool
        Whether addresses of private networks may be posted to.

    Raises
    ------
    NotPosted
        It was not answered with a status from 200 to 299.
    """
    problem = address_problem(address, private_allowed=private_allowed)
    if problem:
        raise NotPosted(problem)
    parts = urlsplit(address)
    try:
        connection = _connected(parts, private_allowed=private_allowed)
        try:
            target = parts.path or "/"
            target = f"{target}?{parts.query}" if parts.query else target
            sent = {"Content-Type": "application/json", "User-Agent": "Groundwork", **headers}
            connection.request("POST", target, body.encode(), sent)
            status = connection.getresponse().status
        finally:
            connection.close()
    except (OSError, http.client.HTTPException, UnicodeError) as failure:
        raise NotPosted(f"No answer ({type(failure).__name__}).") from failure
    if not 200 <= status < 300:
        raise NotPosted(f"The answer was {status}.")


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address is one of the open internet, and of nothing else."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if any(address in net for net in TRANSLATED):
            return False
    return address.is_global and not address.is_multicast


def _connected(parts: SplitResult, *, private_allowed: bool) -> http.client.HTTPConnection:
    host, secure = str(parts.hostname), parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    numbers = list(dict.fromkeys(str(one[4][0]) for one in found))
    if not private_allowed and not all(is_public(ipaddress.ip_address(number)) for number in numbers):
        raise NotPosted("The address is in a private network.")
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT)
    opened = socket.create_connection((numbers[0], port), timeout=TIMEOUT)
    if secure:
        opened = ssl.create_default_context().wrap_socket(opened, server_hostname=host)
    connection.sock = opened
    return connection
