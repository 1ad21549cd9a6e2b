"""From which network a request comes, past the proxies that `GROUNDWORK_PROXIES` counts."""

from __future__ import annotations

import ipaddress

from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle

# A household or a hall has all addresses of such a network, and may take another for every request.
IPV6_PREFIX = 64


def network_of(request: HttpRequest) -> str:
    """The address of whoever asks; of IPv6 the network, since one machine may have all its addresses."""
    given = str(BaseThrottle().get_ident(request) or "")  # type: ignore[arg-type]
    try:
        address = ipaddress.ip_address(given)
    except ValueError:
        return given[:100]
    # What a socket for both kinds of addresses says of a visitor who has one of IPv4: each is a network.
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else address
    if mapped is not None:
        return str(mapped)
    return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False).network_address)
