"""The network of a request, behind the proxies that `GROUNDWORK_PROXIES` counts."""

from __future__ import annotations

import ipaddress

from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle

# A household or an organisation has all addresses of such a network.
IPV6_PREFIX = 64


def network_of(request: HttpRequest) -> str:
    """The address of the client; for IPv6 the network, since one machine may have all its addresses."""
    given = str(BaseThrottle().get_ident(request) or "")  # type: ignore[arg-type]
    try:
        address = ipaddress.ip_address(given)
    except ValueError:
        return given[:100]
    # IPv4 clients of a dual-stack socket: each is a network.
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else address
    if mapped is not None:
        return str(mapped)
    return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False).network_address)
